"""Labels that a writer puts at statements: ``[VERIFIED: command]``, ``[INFERRED]`` and the like.

A ``VERIFIED`` is held against the turn: where one of its commands surely did not run, or failed
last, the label is contradicted. The others disclose that nothing shows a statement, and spare it.
"""

from __future__ import annotations

from bisect import bisect_right
from itertools import pairwise

from groundwire.evidence.admitted import tells_failure
from groundwire.evidence.claims import SURE, Claim
from groundwire.evidence.programs import classify, kind_by_name, program_of
from groundwire.evidence.records import (
    FAILED,
    GIT,
    LOOK,
    SHELL_TOOLS,
    Fact,
    argument,
)  # fmt: skip
from groundwire.evidence.session import KEPT
from groundwire.evidence.signature import group_of, name_of, scope_of
from groundwire.evidence.told import shown_by
from groundwire.evidence.weigh import weigh
from groundwire.model import CONTRADICTED, Marker, Match, Suppressed
from groundwire.record import Record
from groundwire.rules.programs import INTERPRETERS, PROGRAMS, ROWS
from groundwire.shell.commands import SHELLS, read_commands, read_script
from groundwire.shell.places import file_name, is_code, is_test_file
from groundwire.text.fold import is_word
from groundwire.text.hidden import without_secrets

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from groundwire.analysis import Evidence
    from groundwire.evidence.programs import Classified
    from groundwire.evidence.records import Run
    from groundwire.evidence.timeline import Timeline
    from groundwire.model import Analysis
    from groundwire.scan.filters import Sentence
    from groundwire.scan.find import Findings
    from groundwire.settings import Settings
    from groundwire.shell.commands import Command

VERIFIED = "VERIFIED"
NAMES = (VERIFIED, "INFERRED", "ASSUMED", "UNVERIFIED")
MARKER = Marker(
    "certainty.label-verified",
    "certainty_language",
    "certainty",
    "verified",
    note="A label names the command that shows its statement, as it ran in this turn.",
)
#: Filter of what a label discloses, and its reason.
SPARED = ("label", "a label says that nothing shows it")
#: Characters of a label that are read.
_LONGEST = 200
#: What stands between the commands of a label, and what begins a comment on one.
_JOINTS = ("&&", "||", ";", "|", ", ", " and ", " then ", " + ", " plus ")
_COMMENTS = ("->", "=>", "\u2192", "\u21d2", ": ", " \u2013 ", " \u2014 ", " - ", "#")
#: Words of a comment that tell of a failure, and what denies them when it stands before.
_FAILING = frozenset("fail fails failed failing failure failures error errors red broken".split())
_DENYING = frozenset("0 no zero without".split())
#: Words with which a statement tells what a failure shows, beside those that the scan knows.
_SHOWN_BY_FAILURE = frozenset(
    "reproduce reproduces reproduced red raises rejects rejected refuses refused denied denies "
    "cannot can't missing absent conflict conflicts down unavailable incomplete".split()
)
#: Programs whose name alone is no word of prose.
_NO_PROSE = frozenset(
    "eslint flake8 jest mocha mypy phpunit pylint pyright pytest rspec rubocop ruff tox tsc "
    "vitest".split()
)
#: Programs with a name of plain prose: another plain word behind one makes no command.
_PROSE = frozenset(
    "act ant black build cap cross flow forge hub just next pants play prove rush sail sam stack "
    "standard surge swift tap task trial trunk turbo ward".split()
)
#: Signs between a package and its version.
_VERSIONS = (">=", "==", "<=", "~=", "@")
#: Folders that a plain word behind a program means.
_FOLDERS = frozenset("src test tests spec lib app apps packages".split())
#: Ends of files that hold settings, which a label names when they were read.
_SETTINGS = (".json", ".toml", ".ini", ".cfg", ".yml", ".yaml", ".xml", ".md", ".txt")
#: Tools of the client that show what a command of an earlier turn printed.
_LATER_OUTPUT = ("BashOutput", "TaskOutput")
#: Programs that show what ran elsewhere, or run what a file of the project names.
_REMOTE = ("gh", "glab")
_BY_FILE = ("docker", "buildah", "lint-staged", "pre-commit")
#: Words of a prompt with which a user tells of a run of their own.
_USER_RAN = ("ran ", "passed", "failed", "output", "<bash-", "```", "$ ")


class _Named(Record):
    """A command that a label names: as written, as read, and what is known of it."""

    text: str
    command: Command
    known: Classified | None
    words: tuple[str, ...]
    sure: bool


class _Shell(Record):
    """What the shell was asked in a turn: all texts, all results, and the commands.

    ``clear``: nothing among them could have run what it does not name.
    """

    text: str
    output: str
    commands: tuple[tuple[Command, Classified | None], ...]
    clear: bool


def with_labels(
    analysis: Analysis, findings: Findings, settings: Settings, evidence: Evidence
) -> Analysis:
    """Return the analysis with the labels taken into account; matches stay sorted by offset."""
    starts = [one.start for one in findings.sentences]
    labels = list(_labels(findings))
    spans = {_span_at(findings, starts, start) for name, _, start, _ in labels if name != VERIFIED}
    kept, spared = _denied_matches(labels, starts, findings, settings, evidence), []
    places = [start for _, _, start, _ in labels]
    for match in analysis.matches:
        at = bisect_right(places, match.offset) - 1
        if match.sentence in spans:
            spared.append(
                Suppressed(match.kind, match.evidence, match.offset, match.marker, *SPARED)
            )
        elif at < 0 or match.offset >= labels[at][3]:
            kept.append(match)  # the word VERIFIED of a label is no statement
    kept.sort(key=lambda match: match.offset)
    return analysis.replace(matches=tuple(kept), suppressed=(*analysis.suppressed, *spared))


def _denied_matches(
    labels: Sequence[tuple[str, str, int, int]],
    starts: Sequence[int],
    findings: Findings,
    settings: Settings,
    evidence: Evidence,
) -> list[Match]:
    """Return a match for each ``[VERIFIED: command]`` that the turn contradicts, in order.

    What cannot be told contradicts nothing. Labels that ``watch`` has no time for are left out.
    """
    turn = evidence.turn
    off = MARKER.kind in settings.kinds_off or MARKER.id in settings.markers_off
    if turn is None or turn.partial or off:
        return []
    matches = []
    original = findings.folded.original
    reader = _Reader(turn, evidence)
    for name, label_text, start, end in labels:
        if name != VERIFIED:
            continue
        if evidence.watch.is_over("the last labels"):
            break
        fact = evidence.watch.attempt("a label", reader.fact, None, label_text)
        if fact is None:
            continue
        span = _span_at(findings, starts, start)
        text = original[slice(*span)]
        feature = "not_done" if fact.shown is None else "failed_open"
        if fact.shown is not None and _is_of_failure(findings, starts, start, label_text):
            continue
        claim = Claim(0, frozenset((SURE,)), frozenset(("verified",)), text, text.lower(), "")
        weighed = weigh(claim, (MARKER,), {feature: fact}, settings)
        verdict = weighed.verdict.replace(status=CONTRADICTED)
        parts = (weighed.confidence, MARKER, span, weighed.factors, verdict)
        matches.append(Match(MARKER.kind, original[start:end], start, *parts))
    return matches


def _is_of_failure(findings: Findings, starts: Sequence[int], at: int, label_text: str) -> bool:
    """Tell whether a label or its statement tells the failure that its command shows."""
    comment = ["", *_bare_words(label_text)]
    if any(word in _FAILING and before not in _DENYING for before, word in pairwise(comment)):
        return True
    number = _sentence_of(findings, starts, at)
    sentences = (findings.sentences[one] for one in {number, _sentence_at(findings, starts, at)})
    return any(
        tells_failure(one, findings.folded)
        or not _SHOWN_BY_FAILURE.isdisjoint(_bare_words(one.text[one.start : one.end]))
        for one in sentences
    )


def _bare_words(text: str) -> list[str]:
    return [word.strip(".,:;()[]`\"'") for word in text.lower().split()]


class _Reader:
    """Holds labels against one turn."""

    def __init__(self, turn: Timeline, evidence: Evidence) -> None:
        self._turn, self._digest, self._watch = turn, evidence.digest, evidence.watch
        self._facts: dict[str, Fact | None] = {}
        self._read_shell: _Shell | None = None
        self._runs: list[tuple[Run, set[str]]] | None = None

    def fact(self, label_text: str) -> Fact | None:
        """Return how the turn contradicts that the commands of a label show something."""
        if label_text not in self._facts:
            self._facts[label_text] = self._fact(label_text)
        return self._facts[label_text]

    def _fact(self, label_text: str) -> Fact | None:
        missing: Fact | None = None
        if self._runs is None:
            self._runs = [(run, _words_of(run.command)) for run in self._turn.runs]
        for named in _named_in(label_text, self._turn):
            runs = [run for run, words in self._runs if _is_of(run, words, named)]
            if runs:
                last = runs[-1]
                if last.outcome.status == FAILED and last in self._turn.failures:
                    return shown_by(1.0, last, "failed last")
            elif missing is None and named.sure and self._is_absent(named):
                says = f"the label names `{named.text}`, which was not run in this turn"
                missing = Fact(1.0, None, says)
        return missing

    def _is_absent(self, named: _Named) -> bool:
        """Tell whether a command surely did not run, in this turn or an earlier one."""
        turn, known = self._turn, named.known
        if known is None or turn.others or self._is_earlier(named, known):
            return False
        if any(call.name in _LATER_OUTPUT for call in turn.calls):
            return False
        shell = self._shell()
        return shell.clear and not _may_hold(shell, named, known) and not self._is_told(named)

    def _is_earlier(self, named: _Named, known: Classified) -> bool:
        """Tell whether an earlier turn of the session ran the command, or may have."""
        digest = self._digest
        if digest is None:
            return not self._turn.texts.whole
        if digest.used and (not digest.whole or known.kind not in KEPT):
            return True
        return any(
            group_of(run.signature) == group_of(known.signature)
            or _holds(_words_of(run.command), named.words)
            for run in digest.runs
        )

    def _is_told(self, named: _Named) -> bool:
        """Tell whether the harness or the user tells of a run of the program."""
        program = file_name(named.command.argv[0])
        prompt, *others = self._turn.texts.told
        if any(_stands(text, program) for text in others):
            return True
        return _stands(prompt, program) and any(map(prompt.lower().count, _USER_RAN))

    def _shell(self) -> _Shell:
        if self._read_shell is None:
            self._read_shell = self._look()
        return self._read_shell

    def _look(self) -> _Shell:
        calls = [call for call in self._turn.calls if call.name in SHELL_TOOLS]
        texts = [argument(call, "command") for call in calls]
        commands: list[tuple[Command, Classified | None]] = []
        clear = all(texts)
        for text in texts:
            script = read_script(without_secrets(text))
            if not script.whole or self._watch.is_over("the last labels"):
                clear = False
                break
            commands += [(command, classify(command)) for command in script.commands]
        clear = clear and not any(_hides(*one) for one in commands)
        output = "\n".join(call.result or "" for call in calls)
        return _Shell("\n".join(texts), output, tuple(commands), clear)


def _is_of(run: Run, words: set[str], named: _Named) -> bool:
    """Tell whether a run is of the command that a label names, options aside."""
    if named.known and named.known.kind in KEPT and run.signature == named.known.signature:
        return True
    if not _holds(words, named.words):
        return False
    program = program_of(named.command.argv[0])
    return any(program_of(one.argv[0]) == program for one in read_commands(run.command))


def _hides(command: Command, known: Classified | None) -> bool:
    """Tell whether a command may have run others that its text does not name."""
    program = program_of(command.argv[0])
    if program[:1] in tuple("$`"):
        return True
    if program in (".", "source"):
        return not any("activate" in word or "env" in word for word in command.argv[1:])
    if known is None:
        return False
    if program in _BY_FILE or (known.kind == LOOK and program in _REMOTE):
        return True
    if scope_of(known.signature) == "inline":  # all of it can be seen, unless it comes by a pipe
        return command.connector == "|" and (len(command.argv) < 3 or program in SHELLS)
    return known.opaque


def _may_hold(shell: _Shell, named: _Named, known: Classified) -> bool:
    """Tell whether the shell may have run a command, in whatever spelling."""
    name, program = file_name(named.command.argv[0]), program_of(named.command.argv[0])
    same = [
        (command, other)
        for command, other in shell.commands
        if program_of(command.argv[0]) == program
        or (other and name_of(other.signature) == name_of(known.signature))
    ]
    if any(not _differs(*other, named, known) for other in same):
        return True
    alike = [ran for ran, other in shell.commands if other and other.kind == known.kind]
    if any(known.opaque or _is_task(ran, known.kind) for ran in alike):
        return True  # "php artisan test" is phpunit, and "npm run types" may be tsc
    plain = [word for word in named.words if word != named.command.argv[0]]
    if _stands(shell.text, name) and (not same or all(_stands(shell.text, it) for it in plain)):
        return True
    return _stands(shell.output, plain[0] if same and plain else name)


def _is_task(command: Command, kind: str) -> bool:
    """Tell whether the first arguments of a command name the kind of its run."""
    words = (word for word in command.argv[1:3] if "/" not in word and "." not in word)
    return any(kind_by_name(word) == kind for word in words)


def _differs(command: Command, known: Classified | None, named: _Named, wanted: Classified) -> bool:
    """Tell whether a command is surely not the one of a label, though of its program."""
    if known is None or known.opaque or wanted.opaque:
        return False
    if known.kind != wanted.kind:
        return True
    ran, told = _test_files(command.argv[1:]), _test_files(named.command.argv[1:])
    return bool(ran and told) and ran.isdisjoint(told)


def _test_files(words: Sequence[str]) -> set[str]:
    """Return the names of test files among words; none when one of them is something else."""
    paths = [word.partition("::")[0] for word in words if word[:1] != "-"]
    if not all(is_test_file(path) and path.isprintable() for path in paths):
        return set()
    names = {file_name(path) for path in paths}
    return names if not any(map("".join(names).count, "*{$?[")) else set()


def _named_in(label_text: str, turn: Timeline) -> Iterator[_Named]:
    """Yield the commands that a label names; what only comments on them is left out."""
    codes = label_text.split("`")[1::2]
    parts = [one for code in codes for one in _parts(code)] or _parts(label_text)
    for number, part in enumerate(parts):
        for command in read_commands(part) if part.strip() else ():
            known = classify(command)
            words = [word for text in command.argv for word in text.split()]
            plain = tuple(word for word in words if word[0] != "-")
            sure = known is not None and _is_sure(command, known, turn, bool(codes))
            sure = sure and not any(map(part.split()[0].count, _VERSIONS))
            if plain and (sure or not number):
                yield _Named(part.strip(), command, known, plain, sure)


def _parts(label_text: str) -> list[str]:
    """Split a label at what joins commands, outside of quotes; comments are left out."""
    parts, piece, at, quoted, comment, depth = [], "", 0, "", False, 0
    while at < len(label_text):
        char = label_text[at]
        joint = next((it for it in _JOINTS if label_text.startswith(it, at)), "")
        if quoted:
            quoted = "" if char == quoted else quoted
        elif char in "'\"" and label_text.find(char, at + 1) > 0:
            quoted = char
        elif char == "(" and label_text[at - 1 : at] in ("", " "):
            depth += 1
        elif char == ")" and depth:
            depth -= 1
            at += 1
            continue
        elif joint and not depth:
            parts.append(piece)
            piece, comment, at = "", False, at + len(joint)
            continue
        elif any(label_text.startswith(it, at) for it in _COMMENTS):
            comment = True
        if not comment and not depth:
            piece += char
        at += 1
    return [*parts, piece]


def _is_sure(command: Command, known: Classified, turn: Timeline, in_code: bool) -> bool:
    """Tell whether words are surely a command: a known program, and behind it no plain prose.

    What git tells of the state is told by the client, too. A number or a version is no argument.
    """
    first, rest = command.argv[0], command.argv[1:]
    program = program_of(first)
    if known.kind in ("", GIT) or any("..." in word and "/" not in word for word in rest):
        return False
    if program in INTERPRETERS:
        return any(word[:1] == "-" or is_code(word) for word in rest)
    if program not in PROGRAMS:
        return first.startswith("./") and not turn.texts.knows_path(first)
    if not rest:
        return in_code or bool(command.wrappers) or program in _NO_PROSE
    if program in _PROSE and not in_code and all(map(str.isalpha, rest)):
        return False
    rows = (ROWS[number][0] for number in PROGRAMS[program])
    own = {word for row in rows for several in row for word in several}
    for before, word in pairwise(("", *rest)):
        if not word.isascii() or word.endswith(_SETTINGS):
            return False
        is_plain = word.isalpha() or word[:1].isdigit()
        if not is_plain or before[:1] == "-" or word in own or word in _FOLDERS:
            continue
        if not (known.opaque and kind_by_name(word)):
            return False
    return True


def _words_of(text: str) -> set[str]:
    """Return the words of a command, without quotes and ends of paths."""
    argv = [word for command in read_commands(text) for word in command.argv]
    words = [*text.split(), *(word for whole in argv for word in whole.split())]
    return {word.rstrip("/") for word in words}


def _holds(there: set[str], words: Sequence[str]) -> bool:
    """Tell whether the words of a label stand in a command, in any order, ends of paths aside."""
    return all(word.rstrip("/") in there for word in words)


def _stands(text: str, name: str) -> bool:
    """Tell whether a name stands in a text as a word of its own; a number may follow."""
    at = text.find(name) if name else -1
    while at >= 0:
        behind = text[at + len(name) : at + len(name) + 1]
        if not is_word(text[at - 1 : at] or " ") and not behind.isalpha():
            return True
        at = text.find(name, at + len(name))
    return False


def _labels(findings: Findings) -> Iterator[tuple[str, str, int, int]]:
    """Yield name, text, start and end of each label in the prose of a message, in order."""
    original, masked = findings.folded.original, findings.folded.masked
    at = -1
    while (at := original.find("[", at + 1)) >= 0:
        end = original.find("]", at, at + _LONGEST)
        name, _, label_text = original[at + 1 : max(end, at + 1)].partition(":")
        if name in NAMES and masked[at] == "[" and original[end + 1 : end + 2] != "(":
            yield name, label_text, at, end + 1


def _sentence_at(findings: Findings, starts: Sequence[int], at: int) -> int:
    return max(0, bisect_right(starts, findings.folded.position(at)) - 1)


def _sentence_of(findings: Findings, starts: Sequence[int], at: int) -> int:
    """Return the number of the sentence that a label is of: the one before a lone label."""
    sentences, number = findings.sentences, _sentence_at(findings, starts, at)
    is_lone = number > 0 and _is_label(sentences[number])
    return number - (is_lone and sentences[number - 1].block == sentences[number].block)


def _span_at(findings: Findings, starts: Sequence[int], at: int) -> tuple[int, int]:
    """Return where the sentence stands that a label is of."""
    one = findings.sentences[_sentence_of(findings, starts, at)]
    return findings.folded.span(one.start, one.end)


def _is_label(sentence: Sentence) -> bool:
    said = sentence.text[sentence.start : sentence.end]
    inside, _, behind = said.partition("]")
    return inside.startswith("[") and not any(map(is_word, behind))
