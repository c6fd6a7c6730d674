"""A small part of ``make torture``."""

import subprocess
import sys

import pytest


@pytest.mark.skipif(sys.platform != "linux", reason="faults come in by LD_PRELOAD")
def test_nothing_is_lost_torn_or_changed() -> None:
    command = [sys.executable, "-m", "benchmarks.torture", "--kills", "60", "--writers", "16"]
    command += ["--seed", "1"]
    run = subprocess.run(command, check=False, capture_output=True, text=True, timeout=300)
    assert run.stdout.endswith("nothing lost, torn or changed\n"), run.stdout + run.stderr
    assert run.returncode == 0
