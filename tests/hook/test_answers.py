"""What an answer holds: its matches and its reason."""

from pathlib import Path

import pytest

from groundwire.render.hook_json import MOST_MATCHES
from tests.conftest import Hook
from tests.hook.messages import GUESS, LONE, write_turn

SUBJECTS = ["parser", "lexer", "cache", "proxy", "router", "mailer", "loader", "worker", "broker"]
TAIL = "in the second step of the nightly run that ends with the export of all the old orders"


def test_at_most_twenty_matches_the_worst_in_order(hook: Hook) -> None:
    message = "\n\n".join([LONE] * 15 + [GUESS] * 15)
    matches = hook(last_assistant_message=message)["matches"]
    assert len(matches) == MOST_MATCHES == 20
    offsets = [match["offset"] for match in matches]
    assert offsets == sorted(offsets)
    assert offsets[0] > message.index(GUESS) - 1
    line = hook.log()[-1]
    assert line["counts"]["matches"] > 45
    assert line["milliseconds"] > 0


@pytest.mark.parametrize(("count", "more"), [(4, ""), (9, "and 5 more")])
def test_a_reason_names_four_statements_and_counts_the_rest(
    hook: Hook, count: int, more: str
) -> None:
    hook.configure("thresholds.words_block = 75\n")  # so many words make each of them milder
    hook.start()
    sentences = [
        f"I think the crash of the {name} is probably caused by a race condition {TAIL}."
        for name in SUBJECTS[:count]
    ]
    reason = hook(last_assistant_message="\n\n".join(sentences))["reason"]
    assert len(reason) <= 1000
    assert reason.count('\n- "') == 4
    assert (more in reason, "more" in reason) == (True, bool(more))
    last = ["Give only the corrected statements, not the whole answer again."]
    assert reason.splitlines()[-2:] == [*last, "(User: groundwire why shows what decided.)"]


def test_a_reason_keeps_its_count_when_the_verdicts_are_long(hook: Hook, tmp_path: Path) -> None:
    message = "\n\n".join(f"All tests of the {name} pass {TAIL}." for name in SUBJECTS)
    path = write_turn(tmp_path / "s.jsonl", "go on", message, failed=True)
    reason = hook(last_assistant_message=message, transcript_path=path)["reason"]
    assert (reason.count("1 failed, 7 passed"), reason.count(": likewise.")) == (1, 3)
    assert reason.startswith(f"groundwire: {len(SUBJECTS)} statements not backed by evidence")
    quoted = [line.split('"')[1] for line in reason.splitlines() if line.startswith('- "')]
    assert all(set(one.replace("...", "").split()) <= set(message.split()) for one in quoted)
    assert len(reason) <= 1000
    assert " more of this kind." in reason
