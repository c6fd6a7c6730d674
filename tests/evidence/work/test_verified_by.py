"""A sentence that names the command it was verified with is judged by that command."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.evidence.ecosystems import ECOSYSTEMS, Ecosystem
from tests.evidence.turns import Act, bash, edit, verdict_on

KIND = "ungrounded_behavioral_assertion"
OTHER = bash("./bin/export --all", "exported 12 rows")


@pytest.mark.parametrize("one", ECOSYSTEMS, ids=lambda one: one.name)
def test_the_named_run_decides(tmp_path: Path, one: Ecosystem) -> None:
    message = f"The retry holds; verified with `{one.test.line}`."
    acts: list[Act] = [edit(one.source), bash(*one.test.passed()), OTHER]
    found = verdict_on(tmp_path, message, KIND, acts)
    assert (found.status, found.command) == ("supported", one.test.line)


@pytest.mark.parametrize("one", ECOSYSTEMS, ids=lambda one: one.name)
def test_a_run_before_the_last_edit_does_not(tmp_path: Path, one: Ecosystem) -> None:
    message = f"The retry holds; verified with `{one.test.line}`."
    acts: list[Act] = [bash(*one.test.passed()), edit(one.source)]
    assert verdict_on(tmp_path, message, KIND, acts).status == "unsupported"


def test_a_program_shows_its_end_only(tmp_path: Path) -> None:
    message = "The retry holds; verified with `./bin/export --all`."
    found = verdict_on(tmp_path, message, KIND, [edit("cart.go"), OTHER, bash("./bin/im", "ok")])
    assert (found.status, found.command) == ("not_checkable", "./bin/export --all")


def test_what_was_never_run_decides_nothing(tmp_path: Path) -> None:
    message = "The retry holds; verified with `./bin/check`."
    found = verdict_on(tmp_path, message, KIND, [edit("cart.go"), OTHER])
    assert found.command == "./bin/export --all"
