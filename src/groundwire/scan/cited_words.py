"""Words by which a message reports that a command was run, or quotes what it printed."""

from __future__ import annotations


def _words(table: str) -> frozenset[str]:
    return frozenset(table.split())


def _each(table: str) -> tuple[list[str], ...]:
    return tuple([word] for word in table.split())


#: Verbs of an own run, also in "verified with `pytest`".
RAN = _words("ran reran re-ran executed verified tested checked confirmed validated run")
TOOLS_OF_RUNS = _each("with via using through")
#: May stand between subject and verb, and between verb and command.
ADVERBS = _words(
    "also just again now successfully finally locally manually already only even once twice both "
    "still cleanly fully"
)
#: What was run, when the command follows in brackets: "I ran the full test suite (`make test`)".
OBJECTS = _words("the full whole complete entire command test suite tests all a build linter lint")
#: May stand between what printed, the verb and the quotation.
FILLERS = _words("also just only again even still then finally back out only first me us")
#: A condition, possibility, plan, instruction, negation or example: nothing is reported.
UNREAL = _words(
    "if when whenever once unless until before would could should might may can will shall must "
    "not never no without didn't haven't hasn't wasn't don't doesn't can't cannot couldn't won't "
    "wouldn't to let's please try you your you'll you'd example sample expected expect expects "
    "e.g for instance like such ensure ensures sure so that's want need needs instead rather than "
    "supposed assuming assume hypothetical whether new now how why"
)
#: Behind a command these make its result a condition or a wish.
CONDITIONS = _words("if when whenever unless until should would could may might must")
#: Somebody else, or another time.
ELSEWHERE = _words(
    "ci cd github gitlab jenkins pipeline workflow user they he she hook agent subagent reviewer "
    "earlier previously yesterday last ago originally initially session previous prior old "
    "formerly used upstream production staging author maintainer"
)
#: What follows a command that was run.
OUTCOMES = _each("passed succeeded completed finished printed reported returned exited confirmed")
SHOWN = _each("shows showed confirms gives gave prints")
STATING = _each("no all that zero only every clean everything nothing")

#: What holds output, and what prints it.
RECORDS = _words(
    "log logs output stdout stderr console traceback stacktrace terminal trace transcript"
)
PRINTERS = _words(
    "it command run build suite server script code compiler linter test tests process job program "
    "message error pytest jest cargo npm tsc go make gradle maven mypy eslint which and"
)
SAYINGS = _words(
    "says said shows showed reads read printed reports reported contained contains was logged "
    "states stated"
)
PAST_SAYINGS = _words("said printed reported logged showed read stated was")
ENDED_WITH = tuple([verb, "with"] for verb in ("failed", "crashed", "errored", "died", "aborted"))
#: One of these stands in every line that presents output.
INTRODUCED = (*sorted(SAYINGS), "failed with", "crashed with", "errored with", "died with")
