"""A stop that is understood, contested and learnt from: hook, log and commands in one home."""

import json
import tomllib
from pathlib import Path
from typing import Any

import pytest

from groundwire.calibrate.samples import read_samples
from groundwire.cli import slash
from tests.cli.command import Command
from tests.cli.test_commands import on_terminal
from tests.conftest import Hook
from tests.support.inside import run_inside
from tests.support.transcripts import Session

CLAIM = "All tests pass: 42 passed in 1.2s. The log is short."
AGAIN = "The whole test suite passes now."
FAILED = "3 failed, 39 passed in 1.31s"


class Shop:
    """A session that Claude Code works on, with the hook at the end of its turns."""

    def __init__(self, cli: Command) -> None:
        self.cli, self.hook = cli, Hook(cli.home)
        self.session = Session(cwd=str(cli.folder))
        self.path = cli.home / ".claude/projects/-shop/session.jsonl"
        self.path.parent.mkdir(parents=True)
        self.hook.start(cwd=str(cli.folder), session_id=self.session.session_id)
        self.prompts = 0

    def ask(self, prompt: str = "mend it") -> None:
        self.session.prompt(prompt)
        self.session.bash("pytest -q", FAILED, exit_code=1)
        self.prompts += 1

    def say(self, text: str, **event: Any) -> dict[str, Any]:
        """End the turn with ``text`` and return what the hook answers; a stop is fed back."""
        self.session.say(text)
        self.session.write(self.path)
        answer = self.hook(
            session_id=self.session.session_id,
            prompt_id=f"p{self.prompts}",
            cwd=str(self.cli.folder),
            transcript_path=str(self.path),
            last_assistant_message=text,
            **event,
        )
        if "reason" in answer:
            self.session.feedback(answer["reason"])
        return answer


@pytest.fixture
def shop(cli: Command) -> Shop:
    return Shop(cli)


def test_why_reads_the_stopped_turn_again_and_not_the_one_that_followed(shop: Shop) -> None:
    shop.ask()
    assert "reason" in shop.say(CLAIM)
    assert "reason" in shop.say(AGAIN, stop_hook_active=True)
    shop.say("3 tests fail.", stop_hook_active=True)
    shown = shop.cli.out("why")
    assert shown.startswith("Stopped 20")
    assert "note: settings" not in shown  # as the hook saw it, earlier stops of the prompt included
    for part in (AGAIN, "behavior.tests.suite-passes", "failed_open ", "  page  ", "#1 Bash"):
        assert part in shown
    assert f"  | {FAILED}" in shown
    assert CLAIM[:15] not in shown
    assert shop.cli.out("why", shop.session.session_id[:6]) == shown


def test_why_without_the_transcript_or_with_other_settings(shop: Shop, cli: Command) -> None:
    shop.ask()
    shop.say(CLAIM)
    for memory in (shop.hook.state / "sessions").glob("*.json"):
        memory.unlink()
    cli.settings("[features]\nfailed_open = 2.0\n")
    shown = cli.out("why")
    assert "note: the settings of that session are not kept any more" in shown
    assert 'settings or groundwire changed since: "' in shown
    Path(shop.path).unlink()
    shown = cli.out("why")
    assert "note: the transcript is gone" in shown
    assert 'ungrounded_behavioral_assertion  "' in shown
    assert "contradicted (toolu_" in shown
    assert "no stop of a session nope" in cli.refused("why", "nope")


HERE = ".groundwire.toml"
ALLOWED = [
    (["--phrase"], {"allow"}, "../.config/groundwire/config.toml"),
    (["--marker", "--everywhere"], {"markers"}, "../.config/groundwire/config.toml"),
    (["--kind", "--here"], {"kinds"}, HERE),
]


@pytest.mark.parametrize(("options", "tables", "name"), ALLOWED, ids=str)
def test_what_is_allowed_passes_with_the_next_turn(
    shop: Shop, cli: Command, options: list[str], tables: set[str], name: str
) -> None:
    mine = '# mine\nmode = "enforce" # as shipped\n'
    cli.write(name, mine)
    shop.hook.start(cwd=str(cli.folder), session_id=shop.session.session_id)
    shop.ask()
    shop.say(AGAIN)
    printed = cli.out("allow", "last", *options)
    assert "it holds from the next turn of that session on" in printed
    text = (cli.folder / name).read_text(encoding="utf-8")
    assert text.startswith(mine)
    assert set(tomllib.loads(text)) == {"mode", *tables}
    assert text.removeprefix(mine).strip() in printed
    if "still be stopped" in printed:  # another marker of the sentence
        printed = cli.out("allow", "last", *options)
    assert "that turn would not be stopped now" in printed
    assert "is no finding now" in cli.out("why")
    shop.say("3 tests fail.", stop_hook_active=True)
    shop.ask()
    assert shop.say(AGAIN) == {}  # and nothing is said of changed settings
    shop.ask()
    assert ("reason" in shop.say("Every test is green.")) == ("--kind" not in options)


def test_a_project_that_loosens_more_has_to_be_trusted_first(shop: Shop, cli: Command) -> None:
    shop.ask()
    shop.say(CLAIM)
    path = cli.write(HERE, "[kinds]\ncausality_language = false\n")
    said = cli.refused("allow", "--here")
    assert f"run groundwire trust {path} first" in said
    assert path.read_text() == "[kinds]\ncausality_language = false\n"
    cli.out("trust", "--yes")
    cli.out("allow", "--here")
    assert cli.out("trust", "--list") == f"{path}: trusted\n"


def test_a_model_cannot_allow_itself_anything(shop: Shop, cli: Command) -> None:
    shop.ask()
    shop.say(CLAIM)
    assert "a model could switch off" in cli.refused("allow", env={"CLAUDECODE": "1"})
    assert "choose one" in cli.refused("allow", "--kind", "--marker")
    cli.settings("allow = [] # none\n")
    assert "by hand" in cli.refused("allow")
    assert cli.settings("mode = 3\n").exists()
    assert "mode" in cli.refused("allow")


@pytest.mark.parametrize("text", ["--no-text", "--keep-text"])
def test_a_wrong_stop_is_a_label_that_calibrate_reads(shop: Shop, cli: Command, text: str) -> None:
    shop.ask()
    shop.say(AGAIN)
    shop.say("3 tests fail.", stop_hook_active=True)
    shop.ask()
    shop.say("3 tests fail.")
    assert f'not to be challenged: "{AGAIN}"' in cli.out("wrong", "last", text)
    path = cli.home / ".config/groundwire/labels/stops.jsonl"
    assert (AGAIN in path.read_text("utf-8")) == (text == "--keep-text")
    [sample] = read_samples(path)
    assert (sample.message.text, sample.turn.message) == (AGAIN, AGAIN)
    assert [FAILED in str(call.result) for call in sample.turn.calls] == [True]
    assert (sample.message.flag(1), sample.message.labels[1].answered) == (0, True)
    cli.out("wrong", "last", text)  # the same label again
    assert len(path.read_text("utf-8").splitlines()) == 1
    shop.path.unlink()
    said = cli.refused("quality", path)
    kept = "1 session; to leave one out needs two" in said
    assert kept == (text == "--keep-text")
    assert kept or "kept without text: left out" in said
    assert "nothing to keep: the transcript is gone" in cli.refused("wrong", "last")


def test_a_session_has_its_own_mode_and_a_status_line(shop: Shop, cli: Command) -> None:
    def line(**status: Any) -> str:
        return cli.out("statusline", stdin=json.dumps(status)).strip()

    known = {"session_id": shop.session.session_id}
    assert line(**known) == "groundwire: 0 stops, 0 reports"
    shop.ask()
    shop.say(CLAIM)
    assert "from the next" in cli.out("session", "report")
    assert "reason" not in shop.say(AGAIN, stop_hook_active=True)
    assert line(**known) == "groundwire: 1 stop, 1 report (report in this session)"
    assert cli.out("why").startswith("Not stopped (mode is report) 20")
    cli.out("session", "on", shop.session.session_id)
    shop.ask()
    assert "reason" in shop.say(CLAIM[1:])
    assert line(session_id="other") == "groundwire: no turn of this session checked"
    assert line() == cli.out("statusline", stdin="x").strip() == "groundwire: no session on stdin"
    assert "not known" in cli.refused("session", "off", "nope")
    assert "a model could" in cli.refused("session", "off", env={"CLAUDECODE": "1"})


@pytest.mark.parametrize("words", ["", "last", "{session}"])
def test_a_slash_command_is_answered_in_place_of_the_model(shop: Shop, words: str) -> None:
    shop.ask()
    shop.say(CLAIM)
    event = {
        "hook_event_name": "UserPromptExpansion",
        "session_id": shop.session.session_id,
        "command_name": "groundwire:allow",
        "command_args": f"{words} --kind".format(session=shop.session.session_id),
    }
    env = {**shop.cli.env, "CLAUDECODE": "1"}
    for name in ("allow", "other"):
        data = json.dumps({**event, "command_name": f"groundwire:{name}"}).encode()
        printed = run_inside(slash.main, ["slash"], data, env, shop.cli.folder).stdout
        answer = json.loads(printed or "{}")
        assert ("wrote to" in answer.get("reason", "")) == (name == "allow")
        assert ("decision" in answer) == (name == "allow")


def test_a_trial_reports_its_turns_and_tells_how_it_went(shop: Shop, cli: Command) -> None:
    printed = cli("install", "--trial", "3")
    assert b"the next 3 turns are only reported" in printed.stdout
    told = []
    for text in ("3 tests fail.", CLAIM, AGAIN):
        shop.ask()
        answer = shop.say(text)
        assert "reason" not in answer
        told.append(answer.get("systemMessage", ""))
    assert told[0] == ""
    assert "(trial, turn 2 of 3: this would have been stopped)" in told[1]
    assert "\n" not in told[1]
    assert "the trial is over: 2 of 3 turns would have been stopped" in told[2].splitlines()[1]
    shop.ask()
    assert "reason" in shop.say(CLAIM)
    cli("install", "--trial")
    assert "(trial, 0 of 20 turns)" in cli.out(
        "statusline", stdin=json.dumps({"session_id": shop.session.session_id})
    )
    cli("install", "--trial", "0")
    shop.ask()
    assert "reason" in shop.say("Every test is green.")


@pytest.mark.parametrize(("typed", "turns"), [(b"\n", "20"), (b"7\n", "7"), (b"0\n", "")])
def test_an_installation_on_a_terminal_asks_for_a_trial(
    cli: Command, typed: bytes, turns: str
) -> None:
    shown = on_terminal(cli, ["install"], typed)
    assert (f"the next {turns} turns are only reported" in shown) == bool(turns)
    assert (cli.home / ".local/state/groundwire/trial").exists() == bool(turns)
    assert "turns that are only reported" not in on_terminal(cli, ["install"], b"")
    cli("uninstall")
    assert not (cli.home / ".local/state/groundwire/trial").exists()


PROFILES = """[[profile]]
match = { agent = "rev*" }
mode = "enforce"
[[profile]]
match = { agent = "main", project = "shop", model = "claude-*" }
thresholds = { block = 100, message_block = 100, words_block = 100 }
"""


def test_a_profile_holds_for_its_agent_model_and_project(shop: Shop, cli: Command) -> None:
    cli.settings(PROFILES)
    shop.hook.start(cwd=str(cli.folder), session_id=shop.session.session_id)
    shop.ask()
    assert "reason" not in shop.say(AGAIN)
    path = Session(cwd=str(cli.folder), agent=True).play(
        [["prompt", "review it"], ["bash", "pytest -q", FAILED], ["say", AGAIN]]
    )
    event = {
        "hook_event_name": "SubagentStop",
        "agent_transcript_path": path.write(shop.path.with_name("agent-a1.jsonl")),
        "last_assistant_message": AGAIN,
        "cwd": str(cli.folder),
    }
    assert "reason" in shop.hook(**event, agent_type="reviewer", agent_id="1")
    assert "reason" not in shop.hook(**event, agent_type="coder", agent_id="2")
    shown = cli("config", "show", "--origin", "--for", "agent=main", "--for", "model=claude-x")
    assert b"profiles that hold: 2, of 2" in shown.stderr
    assert b"block = 100  # profile 2" in shown.stdout
    assert tomllib.loads(shown.stdout.decode())["profile"][0]["match"] == {"agent": "rev*"}
    assert "allowed: agent=..." in cli.refused("config", "show", "--for", "colour=red")


@pytest.mark.parametrize(
    ("profile", "ignored"),
    [
        ('match = { agent = "r" }\nthresholds = { block = 30 }', False),
        ('match = { agent = "r" }\nthresholds = { block = 45 }', True),  # the user's says 40
        ('match = { agent = "r" }\nkinds = { causality_language = false }', True),
        ('match = { agent = "r" }\nmode = "report"', True),
    ],
)
def test_a_profile_of_a_project_may_only_be_stricter(
    cli: Command, profile: str, ignored: bool
) -> None:
    cli.settings('[[profile]]\nmatch = { agent = "r*" }\nthresholds = { block = 40 }\n')
    cli.write(HERE, f"[[profile]]\n{profile}\n")
    shown = cli("config", "show", "--for", "agent=r").stderr.decode()
    assert ("it loosens and it is not trusted" in shown) == ignored
    assert f"of {1 if ignored else 2}\n" in shown
    cli("trust", "--yes")
    assert (
        "profiles that hold: 1, 2, of 2"
        in cli("config", "show", "--for", "agent=r").stderr.decode()
    )


def test_what_was_wrong_twice_is_proposed_and_written_when_confirmed(
    shop: Shop, cli: Command
) -> None:
    others = ("On Linux the suite passes.", "With both formats the suite passes.")
    for text in (AGAIN, "The whole test suite passes here.", *others):
        shop.ask()
        assert "reason" in shop.say(text)
        cli.out("wrong", "last", "--no-text")
        shop.say("3 tests fail.", stop_hook_active=True)
    replay = ["learn", "--since", "2020-01-01"]
    printed = cli.out(*replay)
    assert "wrong findings and 0 right among the labels" in printed
    assert '[[allow]]\nphrase = "suite passes"' in printed
    assert '[markers]\n"completeness.scope.bare-whole" = false' in printed
    assert printed.endswith("nothing was written; --yes writes it\n")
    assert "wrote to" in cli.out(*replay, "--yes")
    settings = cli.home / ".config/groundwire/config.toml"
    written = settings.read_text("utf-8")
    assert "bare-whole" in written
    assert 'phrase = "suite passes"' in written
    assert "bare-whole" not in cli.out(*replay)
    assert "allowed" in cli.refused("learn", "--since", "nope")


def test_a_threshold_is_proposed_above_wrong_stops_and_below_right_ones(
    shop: Shop, cli: Command
) -> None:
    path = cli.home / ".config/groundwire/labels/stops.jsonl"
    for text in ("All unit tests pass.", AGAIN, CLAIM):
        shop.ask()
        assert "reason" in shop.say(text)
        cli.out("wrong", "last", "--no-text")
    rows = path.read_text("utf-8").splitlines()
    rows[-1] = rows[-1].replace('"flag": 0', '"flag": 1')
    path.write_text("\n".join(rows), encoding="utf-8")
    printed = cli.out("learn", "--since", "2020-01-01", "--yes")
    settings = tomllib.loads((cli.home / ".config/groundwire/config.toml").read_text("utf-8"))
    assert 60 < settings["thresholds"]["block"] <= 100
    first, *_, last = [line for line in printed.splitlines() if " among the labels" in line]
    assert "3 of 3 replayed turns stopped" in first
    assert "would be: 0 wrong findings" in last
    assert "1 of 3 replayed turns stopped" in last
