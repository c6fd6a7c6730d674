"""Style offences say nothing of how something runs; they do of checks, and of all that was done."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.evidence.turns import Act, bash, edit, matches, recorded

RUBY = [edit("lib/cart.rb"), bash("bundle exec rubocop", recorded("rubocop", "failed"), 1)]
JS = [edit("src/cart.ts"), bash("npx eslint .", recorded("eslint", "failed"), 1)]
PY = [edit("shop/cart.py"), bash("ruff check .", recorded("ruff", "failed"), 1)]
GO = [edit("cart.go"), bash("golangci-lint run", recorded("golangci-lint", "failed"), 1)]
SHELL = [edit("run.sh"), bash("shellcheck run.sh", recorded("shellcheck", "failed"), 1)]
STYLE = {"ruby": RUBY, "javascript": JS, "python": PY, "go": GO, "shell": SHELL}
FAULTY = {
    "ruby": [RUBY[0], bash("bundle exec rubocop", recorded("rubocop", "syntax_error"), 1)],
    "javascript": [JS[0], bash("npx eslint .", recorded("eslint", "failed_syntax"), 1)],
    "python": [PY[0], bash("ruff check .", recorded("ruff", "syntax_error"), 1)],
    "go": [GO[0], bash("go vet ./...", recorded("go", "vet_failed"), 1)],
    "shell": [SHELL[0], bash("shellcheck run.sh", recorded("shellcheck", "parse_error"), 1)],
}


def whys(folder: Path, message: str, acts: list[Act], prompt: str = "please do it") -> list[str]:
    found = [one.verdict for one in matches(folder, message, acts, prompt) if one.verdict]
    assert found
    return [one.why for one in found]


OF_RUNNING = [
    "Staging and test are unaffected by the new setting.",
    "The retry works correctly now.",
    "I verified that the handler runs once.",
    "The crash on an empty cart is fixed.",
]
OF_CHECKS = [
    "Everything is verified and works.",
    "The cart is ready for production.",
    "I verified that the checks are clean.",
    "The whole rewrite is done.",
]


@pytest.mark.parametrize("name", STYLE)
@pytest.mark.parametrize("message", OF_RUNNING)
def test_style_says_nothing_of_how_it_runs(tmp_path: Path, message: str, name: str) -> None:
    assert not any("was not made good" in why for why in whys(tmp_path, message, STYLE[name]))


@pytest.mark.parametrize("name", STYLE)
@pytest.mark.parametrize("message", OF_CHECKS)
def test_style_speaks_of_checks_and_of_the_whole(tmp_path: Path, message: str, name: str) -> None:
    assert any("was not made good" in why for why in whys(tmp_path, message, STYLE[name]))


@pytest.mark.parametrize("name", FAULTY)
def test_what_stops_a_program_is_no_matter_of_style(tmp_path: Path, name: str) -> None:
    message = "The retry works correctly now."
    assert any("was not made good" in why for why in whys(tmp_path, message, FAULTY[name]))


@pytest.mark.parametrize("name", STYLE)
def test_offences_that_were_to_be_put_right_are_the_matter(tmp_path: Path, name: str) -> None:
    message, prompt = "The unused imports are fixed.", "fix the lint findings"
    assert any("was not made good" in why for why in whys(tmp_path, message, STYLE[name], prompt))


@pytest.mark.parametrize(
    ("message", "status"),
    [
        ("Staging and test are unaffected by the new setting.", "not_checkable"),
        ("The test shows that staging is unaffected by the new setting.", "unsupported"),
        ("The local test shows that staging is unaffected by it.", "unsupported"),
        ("Development, test and preview are not affected by it.", "not_checkable"),
    ],
)
def test_a_place_named_test_proves_nothing(tmp_path: Path, message: str, status: str) -> None:
    found = matches(tmp_path, message, [edit("conf/app.yml"), bash("cat conf/app.yml", "a: 2")])
    assert [one.verdict.status for one in found if one.verdict][:1] == [status]
