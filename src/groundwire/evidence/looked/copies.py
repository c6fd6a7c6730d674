"""That two texts or files are the same: a comparison or a checksum shows it, or the copying."""

from __future__ import annotations

from groundwire.evidence.looked.reads import opened_files
from groundwire.evidence.turn.calls import OTHERS, programs, shell_calls
from groundwire.model import QUALIFIED, SUPPORTED, UNSUPPORTED, Verdict

TYPE_CHECKING = False
if TYPE_CHECKING:
    from groundwire.evidence.message.claims import Claim
    from groundwire.evidence.turn.facts import Facts

_COMPARING = frozenset(
    "cmp diff sdiff colordiff comm md5 md5sum sha1sum sha256sum sha512sum shasum cksum b2sum b3sum "
    "crc32 xxhsum get-filehash compare-object fc certutil compare rsync pixelmatch".split()
)
_COPYING = frozenset("cp copy copy-item mv move-item install ditto robocopy xcopy".split())
#: Parts of a command, or of a script in it, that compare.
_IN_SCRIPTS = (
    "git hash-object", "git ls-tree", "git cherry", "patch-id", "range-diff", "merge-tree",
    "hashlib", "sha256", "sha1", "md5", "filecmp", "difflib", "allclose", "array_equal",
    "createhash", "deepequal", "assert_frame_equal", "assertequal", "assert_eq", " == ", " === ",
    " != ", " !== ", ".equals(", "sequenceequal",
)  # fmt: skip
#: What a result says that compared something.
_TOLD = ("identical", "same content", "no differences", "are the same", "match: true", "diff: 0")
_DIFFERS = ("differ", "not identical", "mismatch")
#: Words of a sentence that tells of a check, and of one that the writer made.
_OWN_CHECK = ("i verified", "i've verified", "i checked", "i compared", "i confirmed", "i diffed")
_CHECKED = ("verified", "confirmed", "checked", "proven")
#: Characters of what the harness writes for an output that is empty.
_SILENT = 60
_NOT_COMPARED = Verdict(UNSUPPORTED, "nothing was compared in this turn")


def copy_verdict(claim: Claim, facts: Facts) -> Verdict:
    """Judge "a byte-identical copy" by what compared or copied something, the last one first.

    A sentence that tells of its check ("verified as byte-identical") is judged by that word.
    """
    found = compared = None
    for _, call, text in reversed(list(shell_calls(facts))):
        names = programs(facts, text)
        printed = (call.result or "").lower()
        if not _COMPARING.isdisjoint(names) or _diffs_with_git(facts, text):
            is_silent = "cmp" in names  # it prints only where both differ
            status = _status(call.is_error, printed, is_silent)
            if compared is None or status == SUPPORTED:
                compared = Verdict(status, "it was compared", call.id)
            if compared.status == SUPPORTED or any(words in printed for words in _DIFFERS):
                return compared
        if found is None and not _COPYING.isdisjoint(names):
            found = Verdict(QUALIFIED, "something was copied", call.id)
        in_script = any(words in text.lower() for words in _IN_SCRIPTS)
        if found is None and (in_script or any(words in printed for words in _TOLD)):
            found = Verdict(QUALIFIED, "a command of this turn may have compared it", call.id)
    if looked := compared or found:
        return looked
    if facts.others_looked or facts.partial:
        return OTHERS
    if len(opened_files(facts)) > 1:
        return Verdict(QUALIFIED, "files were read, and no command compared them")
    told = any(word in claim.text for word in _CHECKED) and not any(
        words in claim.text for words in _OWN_CHECK
    )
    return _NOT_COMPARED.replace(status=QUALIFIED) if told else _NOT_COMPARED


def _status(is_error: bool, printed: str, is_silent: bool) -> str:
    """A comparison is silent, or says that both are the same."""
    if is_error or any(words in printed for words in _DIFFERS):
        return QUALIFIED
    same = any(words in printed for words in _TOLD) or len(printed) <= _SILENT
    return SUPPORTED if same or is_silent else QUALIFIED


def _diffs_with_git(facts: Facts, text: str) -> bool:
    """Tell whether git compared two things: "git diff old.txt", and not the whole tree at a glance.

    "git diff --stat" alone tells what was changed, not that something is as it was.
    """
    return any(
        one.argv[:2] == ("git", "diff")
        and any(not word.startswith("-") or word == "--no-index" for word in one.argv[2:])
        for one in facts.looks.commands(text)
    )
