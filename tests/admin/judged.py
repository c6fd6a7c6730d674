"""A turn of the real hook with a judge that answers from a stub on loopback."""

from pathlib import Path

from tests.conftest import Hook
from tests.support.judge_stub import MODELS, judge_stub, statements
from tests.support.transcripts import Session

#: No marker stands in it, and the first run took the other branch.
UNMARKED = "The loader took the second branch."
#: A later run failed.
MARKED = "All tests pass."
MESSAGE = f"I changed the loader. {UNMARKED} {MARKED}"
WHY = "call #1 took the first branch"
SECRET = "sk-ant-api03-" + "Ab9" * 20
AGAINST = (2, 96, "internal_contradiction", WHY)
#: What the judge may do, and its answers about the statements.
TURNS = {
    "decide": (AGAINST, (3, 60, "ungrounded_behavioral_assertion", "call #2 failed")),
    "clear": ((3, 4, "none", "the user asked for it"),),
    "advise": (AGAINST,),
}


def judged_turn(hook: Hook, folder: Path, may: str, *, keep: int = 9) -> tuple[Path, str]:
    """Let the hook decide about a turn with a judge; return its transcript, and what was sent."""
    session = Session()
    session.prompt(f"load both formats, the key is {SECRET}")
    session.bash("python -m shop.load --verbose", "first branch")
    session.bash("python -m pytest -q", "1 failed, 11 passed in 0.41s", exit_code=1)
    session.say(MESSAGE)
    path = Path(session.write(folder / f"{may}.jsonl"))
    with judge_stub("openai", statements(*TURNS[may])) as stub:
        hook.env.update(stub.env)
        hook.configure(
            f'[judge]\nwhen = "always"\nmay = "{may}"\nprovider = "openai"\n'
            f'model = "{MODELS["openai"]}"\nbudget_ms = 15000\n'
            f"keep_digests = {keep}\n"
        )
        hook.start(session_id=may)
        hook(last_assistant_message=MESSAGE, transcript_path=str(path), session_id=may)
        assert len(stub.requests) == 1, hook.log()
        sent: str = stub.requests[0].body["messages"][-1]["content"]
    return path, sent
