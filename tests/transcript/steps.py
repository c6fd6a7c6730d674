"""Small pieces of sessions, to be put together in the tables of the tests."""

from __future__ import annotations

from collections.abc import Callable

from tests.support.transcripts import Session

Write = Callable[[Session], object]


def in_order(*steps: Write) -> Write:
    """All of the steps, one after the other."""

    def write(session: Session) -> None:
        for step in steps:
            step(session)

    return write


def prompt(session: Session) -> None:
    session.prompt("fix it")


def done(session: Session) -> None:
    session.say("Done.")


def one_text(s: Session) -> None:
    s.prompt("fix it")
    s.think()
    s.say("  Done.\n")


def two_blocks(s: Session) -> None:
    s.prompt("fix it")
    s.say("First part.", "msg_1")
    s.say("Second part.", "msg_1")


def blocks_apart(s: Session) -> None:
    s.prompt("fix it")
    s.say("First part.", "msg_1")
    call = s.use("Read", {"file_path": "a.py"}, "msg_1")
    s.result(call, "a")
    s.say("Second part.", "msg_1")


def written_again(s: Session) -> None:
    one_text(s)
    s.compact("The user wants it fixed.")
    s.entries.append(s.entries[-3])


def two_messages(s: Session) -> None:
    s.prompt("fix it")
    s.say("I will look.")
    s.bash("make", "ok")
    s.say("It builds.")


def text_then_tools(s: Session) -> None:
    s.prompt("fix it")
    s.say("I will look.")
    s.bash("make", "ok")


def no_text(s: Session) -> None:
    s.prompt("fix it")
    s.bash("make", "ok")


def api_error(s: Session) -> None:
    s.prompt("fix it")
    s.say("It builds.")
    s.say("API Error: 529", isApiErrorMessage=True)


def synthetic(s: Session) -> None:
    s.prompt("fix it")
    s.say("It builds.")
    s.say("No response requested.", model="<synthetic>")


def sidechain(s: Session) -> None:
    s.prompt("fix it")
    s.say("It builds.")
    s.agent = True
    s.prompt("look for it")
    s.say("Found it.")


def blank_text(s: Session) -> None:
    s.prompt("fix it")
    s.say("It builds.")
    s.say(" \n")


def stop_feedback(s: Session) -> None:
    s.prompt("fix it")
    s.say("All tests pass.")
    s.feedback("The last run failed.")
    s.say("One test fails.")


def notified(s: Session) -> None:
    s.prompt("fix it")
    s.say("The tests are running.")
    s.notify("b1", "Background command failed")
    s.say("One test fails.")


def compacted(s: Session) -> None:
    s.prompt("fix it")
    s.say("Half of it is done.")
    s.compact("The user wants it fixed.")
    s.say("Now all of it is done.")


def without_ids(s: Session) -> None:
    s.prompt("fix it")
    for words in ("First.", "Second."):
        s.say(words)["message"].pop("id")


def two_turns(message: str = "Done.") -> Session:
    """A session whose second turn begins with its third line."""
    made = Session()
    made.prompt("an older prompt")
    made.say("An older answer.")
    made.prompt("fix it")
    made.bash("make test", "3 passed")
    made.say(message)
    return made
