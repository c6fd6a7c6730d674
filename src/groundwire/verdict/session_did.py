"""Whether a call of the session could have done a deed, whatever its result shows.

A deed is a kind of runs (test, build, lint, types). What cannot be read could have done anything.
"""

from __future__ import annotations

from itertools import pairwise

from groundwire.base.rules.programs import TRIVIAL
from groundwire.inputs.shell.commands import program_name, read_script
from groundwire.turn.programs import classify, program_of
from groundwire.turn.records import (  # fmt: skip
    BUILD,
    EDIT_TOOLS,
    FORMAT,
    GIT,
    KNOWN_TOOLS,
    LINT,
    LOOK,
    OTHER,
    SHELL_TOOLS,
    TEST,
    TYPES,
    argument,
)
from groundwire.turn.session import extended
from groundwire.verdict.message_disclosures import counts_failures
from groundwire.verdict.related import ALL, DEEDS, spoken

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from groundwire.base.model import ToolCall
    from groundwire.turn.session import Digest
    from groundwire.turn.timeline import Timeline

#: Kind of a run -> the deeds that it may have done: what is tested was compiled.
_MAY_DO = {
    TEST: frozenset((TEST, BUILD, TYPES)),
    BUILD: frozenset((BUILD, TYPES)),
    TYPES: frozenset((BUILD, TYPES, LINT)),
    LINT: frozenset((LINT, TYPES)),
    FORMAT: frozenset((LINT,)),
}
_NOTHING: frozenset[str] = frozenset()
#: Programs that print what a file holds, and that run what a file says.
_PRINTERS = frozenset("awk bat cat grep head jq less rg sed tail zcat".split())
_BY_FILE = frozenset("bazel buildah docker earthly nix podman".split())
#: Git commands that start hooks, and words of what such a hook prints.
_WITH_HOOKS = ("commit", "push", "merge", "rebase", "am", "cherry-pick", "pull")
_OF_HOOKS = ("hook", "pre-commit", "husky", "lefthook", "lint-staged", "...", "\u2713", "\u2714")
#: Words and signs of success.
_PASSED = frozenset(
    "ok pass passed passes passing success successful successfully green clean done".split()
)
_PASSED_SIGNS = (
    "\u2713",
    "\u2714",
    "\u2705",
    "0 fail",
    "0 error",
    "no error",
    "no issue",
    "all good",
)
#: Words behind a number that counts what a run found.
_COUNTED = frozenset("passed passing failed failing tests errors warnings problems issues".split())
#: Signs of a run's result in what the user or the harness gave.
_PASTED = (
    "passed",
    "passing",
    " failed",
    "0 errors",
    "no error",
    "tests run:",
    "test result:",
    "\u2713",
)


def could_have_done(deed: str, turn: Timeline, past: str = "", apart: Iterable[int] = ()) -> bool:
    """Tell whether a call of the turn could have done ``deed``, those at ``apart`` left out.

    ``past`` is the text of the turns before, which is nothing that a user or the harness told.
    """
    if _was_pasted(turn, past):
        return True
    left_out = frozenset(apart)
    return any(
        deed in deeds_of(call) for at, call in enumerate(turn.calls) if at not in left_out
    ) or any(deed in _MAY_DO.get(run.kind, ()) for run in turn.runs if run.index not in left_out)


def could_pass_after(deed: str, turn: Timeline, index: int) -> bool:
    """Tell whether a call behind the one at ``index`` could have done ``deed`` and passed.

    What printed something without a word of success, such as a part of a failed run, did not.
    """
    return any(
        deed in deeds_of(call) and _may_have_passed(call) for call in turn.calls[index + 1 :]
    )


def _may_have_passed(call: ToolCall) -> bool:
    printed = (call.result or "").strip().lower()
    if not printed or call.background_id:
        return True
    if any(map(counts_failures, printed.split("\n"))):
        return False
    words = set(printed.replace("(", " ").replace(")", " ").replace(":", " ").split())
    return not _PASSED.isdisjoint(words) or any(map(printed.__contains__, _PASSED_SIGNS))


def session_deeds(turn: Timeline, past: str) -> frozenset[str]:
    """Return the deeds that a call of a turn could have done; what was pasted stands for all.

    ``past`` is the text of the turns before, of which the turn was told.
    """
    if turn.partial or _was_pasted(turn, past):
        return ALL
    done: set[str] = set()
    for call in turn.calls:
        if len(done) == len(DEEDS):
            break
        done |= deeds_of(call)
    return frozenset(done)


def with_turn(before: Digest | None, turn: Timeline, prompt: str, cwd: str) -> Digest:
    """Return the digest of a session after ``turn``, with what its calls could have done."""
    digest = extended(before, turn, prompt, cwd)
    deeds = {*digest.deeds, *session_deeds(turn, before.text if before else "")}
    return digest.replace(deeds=tuple(sorted(deeds)))


def _was_pasted(turn: Timeline, past: str) -> bool:
    """Tell whether a text of the user or the harness shows how a run ended."""
    return any(_shows_result(text) for text in turn.texts.told if "\n" in text and text != past)


def _counts_result(text: str) -> bool:
    """Tell whether a text that was read holds the counts of a run: "140 passed"."""
    words = text.lower().replace(",", " ").replace("(", " ").replace(":", " ").split()
    return any(one.isdigit() and two.rstrip(".,;)") in _COUNTED for one, two in pairwise(words))


def _shows_result(text: str) -> bool:
    lowered = text.lower()
    return any(sign in lowered for sign in _PASTED)


def deeds_of(call: ToolCall) -> frozenset[str]:
    """Return the deeds that a call could have done."""
    if call.name in SHELL_TOOLS:
        return _deeds_of_shell(call)
    if call.name in EDIT_TOOLS:
        return _NOTHING
    if call.name in KNOWN_TOOLS and call.name not in ("Skill", "BashOutput"):
        return ALL if _counts_result(call.result or "") else _NOTHING
    told = f"{call.name} {call.input} {call.result or ''}".lower()
    return spoken(told)


def _deeds_of_shell(call: ToolCall) -> frozenset[str]:
    script = read_script(argument(call, "command"))
    if not script.whole:
        return ALL
    done: frozenset[str] = _NOTHING
    for command in script.commands:
        first = command.argv[0] if command.argv else ""
        known = classify(command)
        if first[:1] in ("$", "`") or first in (".", "source", "eval"):
            return ALL
        if known is None:
            if program_name(first) in _PRINTERS and _counts_result(call.result or ""):
                return ALL
            if program_of(first) not in TRIVIAL:  # it may start another: nvm exec 20 npm test
                done |= spoken(command.text.lower())
            continue
        if known.kind == GIT:
            hooked = any(word in _WITH_HOOKS for word in command.argv[1:4])
            hidden = bool(command.pipe_to or command.stdout_file or call.background_id)
            printed = (call.result or "").lower()
            if hooked and (hidden or any(sign in printed for sign in _OF_HOOKS)):
                done |= ALL
            elif hooked:
                done |= spoken(printed.partition("\n")[2])
        elif program_name(first) in _BY_FILE or (known.opaque and known.kind in (OTHER, BUILD)):
            return ALL
        elif known.kind in (OTHER, LOOK):
            told = f"{command.text} {command.input_text} {call.result or ''}"
            done |= spoken(told.lower())
        else:
            done |= _MAY_DO.get(known.kind, _NOTHING)
    return done
