"""The kept inputs and the first changes of them; ``make fuzz`` goes on from there."""

import pytest

from benchmarks.fuzz import Run
from groundwire.hook import handle as hook
from tests.support.tables import tables

#: Changed inputs of each target; all of them take less than a minute on one core.
COUNTS = tables(__file__)["counts"]


@pytest.mark.parametrize("name", COUNTS)
def test_no_oracle_is_broken(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for wait in ("LAG_WAIT", "MESSAGE_WAIT"):  # a target sets them, for as long as it runs
        monkeypatch.setattr(hook, wait, getattr(hook, wait))
    run = Run(name, seed=1)
    run.replay()
    run.some(float("inf"), COUNTS[name])
    assert run.count > COUNTS[name]
    assert run.kinds != {None}
    assert not run.faults
