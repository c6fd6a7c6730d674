"""What settings do to a session that is under way, and two hooks at the same moment."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.conftest import RUN, Hook
from tests.hook.conftest import Start
from tests.hook.messages import CLEAN, GUESS, LONE, LONE_MATCH, OTHER, THIRD, stop

GROUNDWIRE = Path(sys.executable).with_name("groundwire")
CHANGED = "groundwire: the settings changed; they take effect with the next session."


def user_settings(hook: Hook, text: str) -> None:
    path = hook.home / ".config" / "groundwire" / "config.toml"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


@pytest.mark.parametrize("began_with", [None, "notify = false\n"])
def test_changed_settings_take_effect_with_the_next_session(
    hook: Hook, start: Start, began_with: str | None
) -> None:
    start(began_with)
    user_settings(hook, 'mode = "off"\n')
    first, second, third = (hook(last_assistant_message=m) for m in (GUESS, OTHER, CLEAN))
    assert (first["decision"], second["decision"]) == ("block", "block")
    assert first["systemMessage"] == CHANGED
    assert "systemMessage" not in second
    assert third == {}
    assert start(session_id="next") == {}
    assert hook(last_assistant_message=GUESS, session_id="next") == {}


def test_a_resumed_session_takes_the_settings_of_now(hook: Hook, start: Start) -> None:
    start()
    user_settings(hook, 'mode = "report"\n')
    start(source="resume")
    assert list(hook(last_assistant_message=GUESS)) == ["matches"]


def test_a_compaction_is_no_new_session(hook: Hook, start: Start) -> None:
    start()
    user_settings(hook, 'mode = "report"\n')
    assert start(source="compact")["systemMessage"] == CHANGED
    answer = hook(last_assistant_message=GUESS)
    assert (answer["decision"], "systemMessage" in answer) == ("block", False)


def test_settings_that_come_back_are_no_change(hook: Hook, start: Start) -> None:
    start("notify = false\n")
    user_settings(hook, 'mode = "off"\n')
    hook(last_assistant_message=CLEAN)
    user_settings(hook, "notify = false\n")
    assert "systemMessage" not in hook(last_assistant_message=GUESS)


def test_without_a_session_start_the_first_turn_fixes_the_settings(hook: Hook) -> None:
    assert "decision" in hook(last_assistant_message=GUESS)
    user_settings(hook, 'mode = "off"\n')
    assert hook(last_assistant_message=OTHER)["decision"] == "block"


def project(hook: Hook, text: str) -> Path:
    folder = hook.home / "shop"
    (folder / ".git").mkdir(parents=True, exist_ok=True)
    (folder / "src").mkdir(exist_ok=True)
    (folder / ".groundwire.toml").write_text(text, encoding="utf-8")
    return folder


@pytest.mark.parametrize("place", ["", "src"])
def test_a_project_tightens_freely(hook: Hook, start: Start, place: str) -> None:
    folder = str(project(hook, "thresholds.words_block = 70\n") / place)
    start(cwd=folder)
    assert hook(last_assistant_message=LONE, cwd=folder)["decision"] == "block"


def test_the_folder_of_the_project_counts_more_than_where_the_model_went(
    hook: Hook, start: Start
) -> None:
    hook.env["CLAUDE_PROJECT_DIR"] = str(project(hook, "thresholds.words_block = 70\n"))
    start(cwd=hook.env["CLAUDE_PROJECT_DIR"])
    assert hook(last_assistant_message=LONE, cwd="/")["decision"] == "block"


def test_a_project_loosens_only_after_trust(hook: Hook, start: Start) -> None:
    folder = str(project(hook, 'mode = "off"\n'))
    told = start(cwd=folder)["systemMessage"]
    assert all(word in told for word in (".groundwire.toml", "mode", "off", "groundwire trust"))
    first = hook(last_assistant_message=GUESS, cwd=folder)
    assert (first["decision"], "systemMessage" in first) == ("block", False)
    subprocess.run([GROUNDWIRE, "trust", folder], env=hook.env, capture_output=True, check=True)
    assert start(cwd=folder, session_id="next") == {}
    assert hook(last_assistant_message=GUESS, cwd=folder, session_id="next") == {}
    project(hook, 'mode = "off"\nnotify = true\n')
    assert "changed since" in start(cwd=folder, session_id="last")["systemMessage"]
    answer = hook(last_assistant_message=GUESS, cwd=folder, session_id="last")
    assert answer["decision"] == "block"


def test_an_own_pack_reaches_the_hook(hook: Hook, start: Start, tmp_path: Path) -> None:
    pack = tmp_path / "packs" / "mine.toml"
    pack.parent.mkdir()
    pack.write_text(
        'schema = 1\nkind = "speculation_language"\n[[marker]]\nid = "speculation.own"\n'
        'forms = ["zorbly"]\nstrength = "strong"\nclaim = "guess"\nnote = "n"\nsource = "s"\n'
        'hits = ["It is {zorbly} so."]\nmisses = ["The zorble is here."]\n',
        encoding="utf-8",
    )
    start(f'patterns.folders = ["{pack.parent}"]\n')
    [match] = hook(last_assistant_message="It is zorbly the parser.")["matches"]
    assert match["evidence"] == "zorbly"
    assert hook(last_assistant_message=LONE) == {"matches": [LONE_MATCH]}


def answers_at_once(hook: Hook, data: bytes, count: int = 2) -> list[bytes]:
    """Start so many hooks, give them the event only when all are there, return their answers."""
    processes = [
        subprocess.Popen(
            [sys.executable, "-I", "-S", str(RUN)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env=hook.env,
        )
        for _ in range(count)
    ]
    for process in processes:
        assert process.stdin
        process.stdin.write(data)
        process.stdin.close()
    answers = []
    for process in processes:
        assert process.stdout
        assert process.stderr
        answers.append(process.stdout.read())
        assert process.stderr.read() == b""
        assert process.wait(30) == 0
        process.stdout.close()
        process.stderr.close()
    return answers


def blocks(answers: list[bytes]) -> int:
    return sum(json.loads(answer or b"{}").get("decision") == "block" for answer in answers)


def test_of_two_hooks_at_once_exactly_one_blocks(hook: Hook) -> None:
    rounds = [answers_at_once(hook, stop(session_id=f"s{number}")) for number in range(20)]
    assert [blocks(answers) for answers in rounds] == [1] * 20
    assert len(hook.log()) == 40


def test_of_five_hooks_at_once_exactly_one_blocks(hook: Hook) -> None:
    assert blocks(answers_at_once(hook, stop(), 5)) == 1


def test_while_settings_are_compiled_exactly_one_blocks(hook: Hook, tmp_path: Path) -> None:
    """A large pack takes longer to compile than a hook waits for the other one's lock."""
    pack = tmp_path / "packs" / "large.toml"
    pack.parent.mkdir()
    entries = [
        f'[[marker]]\nid = "speculation.zz-{number:05}"\nforms = ["zq {word}"]\n'
        'strength = "weak"\nclaim = "guess"\nnote = "n"\nsource = "s"\n'
        f'hits = ["{{zq {word}}} x"]\nmisses = ["x"]\n'
        for number, word in enumerate(letters(4_000))
    ]
    pack.write_text('schema = 1\nkind = "speculation_language"\n' + "".join(entries), "utf-8")
    user_settings(hook, f'patterns.folders = ["{pack.parent}"]\n')
    assert blocks(answers_at_once(hook, stop(f"{GUESS} {THIRD}"))) == 1


def letters(count: int) -> list[str]:
    """Return so many different words without digits."""
    return [
        "".join(chr(97 + number // 26**place % 26) for place in range(4)) for number in range(count)
    ]
