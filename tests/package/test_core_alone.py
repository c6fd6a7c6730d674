"""The core without any extra on disk: the hook, scan and replay do all they do."""

import shutil
import subprocess
import sysconfig
import venv
from pathlib import Path

import pytest

from tests.support.programs import run_program

ROOT = Path(__file__).parents[2]
#: Sessions and rows that need an extra: judges, models, the second look, learning from stops.
_OF_EXTRAS = "judge or look or models or of_another or exactly_one_blocks or heavy or asked"


@pytest.mark.e2e
def test_the_suites_of_hook_scan_and_replay(tmp_path: Path) -> None:
    shutil.copytree(ROOT / "src/groundwire", tmp_path / "src/groundwire")
    for name in ("patterns", "outcomes", "programs", "model"):
        shutil.copytree(ROOT / name, tmp_path / name)
    venv.create(tmp_path / "venv")
    [site] = tmp_path.glob("venv/lib/python*/site-packages")
    libraries = sysconfig.get_path("purelib")
    (site / "core.pth").write_text(f"{tmp_path}/src\n{libraries}\n", encoding="utf-8")
    python = tmp_path / "venv/bin/python"
    for name, module in (("groundwire", "commands.main"), ("groundwire-hook", "hook.run")):
        start = f"#!{python}\nfrom groundwire.{module} import main\nraise SystemExit(main())\n"
        python.with_name(name).write_text(start, encoding="utf-8")
        python.with_name(name).chmod(0o755)
    missing = run_program([str(python), "-c", "import groundwire_judge"], code=1)
    assert b"No module named 'groundwire_judge'" in missing.stderr
    suites = ("tests/scan", "tests/replay", "tests/hook")
    chosen = ("-k", f"not ({_OF_EXTRAS})", "-m", "not e2e", "-n", "2", "-q")
    subprocess.run([python, "-m", "pytest", *suites, *chosen], cwd=ROOT, check=True)
