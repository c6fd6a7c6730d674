"""What a cold hook may import. Start-up is its cost, so this list only shrinks."""

import sys
from pathlib import Path

import groundwire
from tests.conftest import RUN, Hook
from tests.hook.messages import stop
from tests.support.programs import run_program

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
OFF = ("groundwire_", "groundwire.turn.page")
#: Tables without code of their own.
DATA = "groundwire.base.rules"
MOST_MODULES, MOST_LINES = 86, 15_050
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


def modules_of_a_turn(hook: Hook, transcript: Path, message: str) -> set[str]:
    """Return the modules that one turn imports, of which none is heavy."""
    event = stop(message, cwd=str(hook.home), transcript_path=str(transcript))
    probe = [sys.executable, "-I", "-S", "-c", PROBE.format(run=str(RUN))]
    text = run_program(probe, event, hook.env, code=0).stderr.decode()
    assert "MODULES " in text, text
    modules = set(text.partition("MODULES ")[2].split())
    assert {name for name in modules if name in HEAVY or name.split(".")[0] in HEAVY} == set()
    return modules


def test_a_turn_with_findings_stays_within_the_budget(hook: Hook, transcript: Path) -> None:
    message = "I think a race is the root cause, see `pool.py:12`. 70% done."
    modules = modules_of_a_turn(hook, transcript, message)
    assert {"groundwire.language.automaton", "groundwire.verdict.assess"} <= modules
    assert not [name for name in modules if "lang_" in name or name.endswith("other_languages")]
    assert not [name for name in modules if name.startswith(OFF)]
    own = {name: lines_of(name) for name in modules if name.startswith("groundwire")}
    code = {name: count for name, count in own.items() if not name.startswith(DATA)}
    told = f"{len(code)} modules, {sum(code.values())} lines, rule data not counted\n"
    sys.stdout.write(told)
    assert len(code) <= MOST_MODULES
    assert sum(code.values()) <= MOST_LINES


def test_models_that_are_on_load_nothing_heavy(hook: Hook, transcript: Path) -> None:
    hook.start("[composite]\nenabled = true\n[reinforcement]\nenabled = true\n")
    modules = modules_of_a_turn(hook, transcript, "The log certainly ends with a stack trace.")
    assert {
        "groundwire_confidence.history",
        "groundwire_confidence.reinforcement.session",
    } <= modules


def lines_of(name: str) -> int:
    path = Path(groundwire.__file__).parents[1].joinpath(*name.split("."))
    file = path / "__init__.py" if path.is_dir() else path.with_suffix(".py")
    return len(file.read_text(encoding="utf-8").splitlines())
