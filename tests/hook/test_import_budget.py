"""What a cold hook may import. Start-up is its cost, so this list only shrinks."""

import json
import subprocess
import sys
from pathlib import Path

import groundwire

RUN = Path(groundwire.__file__).parent / "hook" / "run.py"
#: Each of these costs a tenth of an interpreter's start or more.
HEAVY = set(
    """
    argparse ast asyncio collections contextlib copyreg dataclasses datetime email enum
    functools hashlib html http importlib.metadata inspect json logging pathlib pickle
    pydantic random re regex rich shutil socket sqlite3 string subprocess tempfile threading
    tomllib traceback typer typing urllib uuid weakref
    """.split()
)
#: What is loaded when a judge or a model is on.
OFF = ("judge", "service.turn_judge", "turn_page", "text.secrets", "confidence", "history.append")
#: Tables without code of their own.
DATA = "groundwire.rules"
MOST_MODULES, MOST_LINES = 94, 12_990
PROBE = """
import os, sys
exit_ = os._exit
def report(code):
    os.write(2, ("MODULES " + " ".join(sorted(sys.modules))).encode())
    exit_(code)
os._exit = report
sys.argv = [{run!r}]
code = compile(open({run!r}).read(), {run!r}, "exec")
exec(code, {{"__name__": "__main__", "__file__": {run!r}}})
"""


def modules_of_a_hook_run(tmp_path: Path, event: dict[str, str]) -> set[str]:
    probe = PROBE.format(run=str(RUN))
    process = subprocess.run(
        [sys.executable, "-I", "-S", "-c", probe],
        input=json.dumps(event).encode(),
        env={"HOME": str(tmp_path)},
        capture_output=True,
        check=True,
    )
    text = process.stderr.decode()
    assert "MODULES " in text, text
    return set(text.partition("MODULES ")[2].split())


def test_a_turn_with_findings_stays_within_the_budget(tmp_path: Path, transcript: Path) -> None:
    event = {
        "hook_event_name": "Stop",
        "session_id": "s1",
        "cwd": str(tmp_path),
        "transcript_path": str(transcript),
        "last_assistant_message": "I think a race is the root cause, see `pool.py:12`. 70% done.",
    }
    modules = modules_of_a_hook_run(tmp_path, event)
    assert {"groundwire.scan.automaton", "groundwire.evidence.assess"} <= modules
    assert not [name for name in modules if "lang_" in name or name.endswith("foreign")]
    parts = [name.removeprefix("groundwire.") for name in modules]
    assert not [name for name in parts if name.startswith(OFF)]
    heavy = {name for name in modules if name in HEAVY or name.split(".")[0] in HEAVY}
    assert heavy == set()
    own = {name: lines_of(name) for name in modules if name.startswith("groundwire")}
    code = {name: count for name, count in own.items() if not name.startswith(DATA)}
    told = f"{len(code)} modules, {sum(code.values())} lines, rule data not counted\n"
    sys.stdout.write(told)
    assert len(code) <= MOST_MODULES
    assert sum(code.values()) <= MOST_LINES


def lines_of(name: str) -> int:
    path = Path(groundwire.__file__).parents[1].joinpath(*name.split("."))
    file = path / "__init__.py" if path.is_dir() else path.with_suffix(".py")
    return len(file.read_text(encoding="utf-8").splitlines())
