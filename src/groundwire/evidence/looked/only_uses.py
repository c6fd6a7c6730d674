"""What is said to be used in one place only, and what is said not to be in a built thing."""

from __future__ import annotations

from groundwire.evidence.message.named import named_things
from groundwire.evidence.runs.wrappers import base_name
from groundwire.evidence.turn.calls import OTHERS, shell_calls
from groundwire.model import NOT_CHECKABLE, QUALIFIED, SUPPORTED, UNSUPPORTED, Verdict

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from groundwire.evidence.message.claims import Claim
    from groundwire.evidence.runs.shell import Command
    from groundwire.evidence.turn.facts import Facts

#: Parts of a command that searches; blanks keep them from being parts of names.
_SEARCHING = (
    "grep ", "rg ", "ag ", "ack ", "select-string ", "findstr ", "sls ", "git log -s", "ripgrep",
    "ast-grep", "semgrep", "ctags", "cscope", "gopls ", "codequery",
)  # fmt: skip
#: Options that keep a search to some files.
_NARROWING = ("--include", "--type", "-t ", "-g ", "--glob", "-ig ", "--exclude")
_NARROWING_INPUTS = ("glob", "type")
_SHORTEST = 4
#: Programs that open, list or search a built thing, and where such things lie.
_OPENING = frozenset(
    "grep egrep rg ag strings unzip zipinfo tar jar nm otool objdump readelf ls find du cat head "
    "docker podman dive syft trivy aapt bundletool source-map-explorer webpack-bundle-analyzer "
    "select-string findstr wc python3 python node bloaty cargo-bloat".split()
)
_CONTAINERS = ("docker", "podman")
_PACKING = ("pack --dry-run", "npm pack", "cargo package", "gem contents", "-l ")
_BUILT = (
    "dist", "build/", "out/", ".next", "target/", "bundle", "image", ".jar", ".war", ".whl", ".apk",
    ".ipa", ".aab", "static/", "public/", "release", "assets", "bin/", ".output", "docker",
    "artifact", "artefact", "_site", "www/", "_build", "chunks", ".gem", ".tgz", ".crate",
)  # fmt: skip
#: Words of a conclusion that nobody is harmed.
_SAFETY = frozenset(
    "affect affected affects exploitable exposed exposes impacted impacts reachable risk safe "
    "vulnerable".split()
)
#: Words of a thing that is seen as a whole where it stands, and of one that is left out by rule.
_LOCAL = ("variable", "local", "private", "parameter", "argument", "loop", "this file", "same file")
_LEFT_OUT = ("dev dep", "devdep", "dev-dep", "dev-only", "dockerignore", "exclud", "test-only")
_NO_SEARCH = Verdict(UNSUPPORTED, "no search of this turn looked for other uses of it")
_WRITTEN = Verdict(NOT_CHECKABLE, "it was written in this turn")
_NOT_OPENED = Verdict(UNSUPPORTED, "nothing that was built was opened or searched in this turn")
_UNSEARCHED = Verdict(QUALIFIED, "nothing that was built was searched in this turn")


def only_uses_verdict(claim: Claim, facts: Facts) -> Verdict:
    """Judge "X is only called by Y": a search for one of them that was not kept to some files."""
    names = named_things(claim.wording) if claim.wording else []
    narrowed = None
    for pattern, result, is_narrow, call_id in _searches(facts):
        if names and not _is_about(pattern, result, names):
            continue
        if not is_narrow:
            return Verdict(SUPPORTED if names else QUALIFIED, "it was searched for", call_id)
        narrowed = Verdict(QUALIFIED, "the search for it was kept to some files", call_id)
    if narrowed:
        return narrowed
    if facts.others_looked:
        return OTHERS
    if any(name in text for text in _own_texts(facts) for name in names):
        return _WRITTEN
    is_local = any(word in claim.text for word in _LOCAL)
    is_sure = facts.seen.whole and not is_local
    return _NO_SEARCH if is_sure else _NO_SEARCH.replace(status=QUALIFIED)


def unshipped_verdict(claim: Claim, facts: Facts) -> Verdict:
    """Judge "it is not in the image, so nobody is affected": the image has to be opened."""
    for _, call, text in shell_calls(facts):
        if any(_opens_built(one) for one in facts.looks.commands(text)):
            return Verdict(QUALIFIED, "something that was built was looked at", call.id)
    if facts.others_looked:
        return OTHERS
    words = {word.strip(".,:;!*()") for word in claim.text.split()}
    is_by_rule = any(word in claim.text for word in _LEFT_OUT)
    return _UNSEARCHED if is_by_rule or _SAFETY.isdisjoint(words) else _NOT_OPENED


def _opens_built(command: Command) -> bool:
    """Tell whether a command looks into something that was built."""
    text = command.text.lower()
    if any(words in text for words in _PACKING):
        return True
    if any(wrapper.startswith(_CONTAINERS) for wrapper in command.wrappers):
        return True
    name = base_name(command.argv[0]).lower() if command.argv else ""
    return name in _OPENING and any(word in text for word in _BUILT)


def _searches(facts: Facts) -> Iterator[tuple[str, str, bool, str]]:
    """Yield pattern, result, whether it was kept to some files, and the call of each search."""
    for call in facts.calls:
        pattern = call.input.get("pattern")
        if call.name == "Grep" and isinstance(pattern, str) and call.result is not None:
            is_narrow = any(call.input.get(name) for name in _NARROWING_INPUTS)
            yield pattern, call.result, is_narrow, call.id
    for _, call, text in shell_calls(facts):
        lowered = f"{text.lower()} "
        if any(words in lowered for words in _SEARCHING):
            is_narrow = any(words in lowered for words in _NARROWING)
            yield text, call.result or "", is_narrow, call.id


def _is_about(pattern: str, result: str, names: list[str]) -> bool:
    """Tell whether a search was for a name, or for a part of it, or showed where it stands."""
    parts = "".join(one if one.isalnum() or one == "_" else " " for one in pattern).split()
    long_parts = [part for part in parts if len(part) >= _SHORTEST]
    return any(
        name in pattern or name in result or any(part in name for part in long_parts)
        for name in names
    )


def _own_texts(facts: Facts) -> Iterator[str]:
    """Yield what the turn wrote into files."""
    for edit in facts.actions.edits:
        for key in ("content", "new_string"):
            text = facts.calls[edit.index].input.get(key)
            if edit.succeeded and isinstance(text, str):
                yield text
