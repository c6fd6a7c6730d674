"""What a command is: a test run, a build, of which tool; and what makes two runs the same.

It is ``name|scope|places|filters``: the kind of the run and its tool or program; tasks and
variants; what it covers, "" for the starting folder; what narrows that down.

The tables are ``programs/*.toml``, compiled to ``base/rules/programs.py``; what is not there is
judged by the words of its name.
"""

from __future__ import annotations

from groundwire.base.digest import digest
from groundwire.base.record import Record
from groundwire.base.rules import programs as tables
from groundwire.inputs.shell.commands import SHELLS, program_name, strip_wrappers
from groundwire.inputs.shell.paths import is_code, is_test_file, join
from groundwire.turn.records import INSTALL, LINT, LOOK, OTHER, TEST

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from groundwire.inputs.shell.commands import Command


#: In the scope of a signature: the options are such that nothing is run (``--help``).
NO_RUN = "runs nothing"
_SEPARATOR = "|"
_EVERYTHING = frozenset((".", "./", "./...", "...", "//...", "//:all"))
#: Characters of a signature, and of each part of one that would be longer.
_LONGEST, _LONGEST_PART = 500, 120


def sign(name: str, scope: Iterable[str], places: Iterable[str], filters: Iterable[str]) -> str:
    """Join what tells runs apart, each list sorted."""
    parts = [name, *(",".join(sorted(set(part))) for part in (scope, places))]
    texts = [part.replace(_SEPARATOR, "/") for part in parts]
    texts.append(", ".join(sorted(set(filters))))
    signature = _SEPARATOR.join(texts)
    return signature if len(signature) <= _LONGEST else _SEPARATOR.join(map(_shortened, texts))


def targets(
    meaning: str, plain: Sequence[str], parts: Sequence[str], folder: str, of_tests: bool
) -> tuple[Sequence[str], Sequence[str]]:
    """Return the places that a run covers, as seen from the start, and what narrows it down.

    ``meaning`` is that column of the table; without places a run covers its ``folder``. A folder
    among the paths narrows down tests only, and only below the first level.
    """
    if meaning == "names":
        return (folder,), (*plain, *parts)
    if meaning == "packages" and not plain and of_tests:
        return (folder,), (*parts, "one package")
    if meaning not in ("paths", "packages", "labels"):
        return [join(folder, word) for word in plain if meaning == "free"] or (folder,), parts
    places = [_place(word.removesuffix("/..."), folder) for word in plain]
    folders = of_tests or meaning != "paths"
    narrow = [
        place
        for place, word in zip(places, plain, strict=True)
        if _is_file(word) or (folders and _is_deep(word))
    ]
    return places or (folder,), (*narrow, *parts)


def covers(later: str, earlier: str) -> bool:
    """Tell whether a run with signature ``later`` does all that ``earlier`` did, or the same.

    It does when the tool is the same, the scope too, when its places hold the other's, and when
    nothing narrows it down that did not narrow the other down.
    """
    if later == earlier:
        return True
    new, old = later.split(_SEPARATOR, 3), earlier.split(_SEPARATOR, 3)
    if len(new) < 4 or len(old) < 4 or new[:2] != old[:2]:
        return False
    places, filters = new[2].split(","), old[3].split(", ")
    if not all(any(_holds(place, other) for place in places) for other in old[2].split(",")):
        return False
    return all(
        not text or any(_holds(text, other) for other in filters) for text in new[3].split(", ")
    )


def name_of(signature: str) -> str:
    """Return the kind and the tool or program of a signature."""
    return signature.partition(_SEPARATOR)[0]


def group_of(signature: str) -> str:
    """Return what two signatures must share for one to cover the other: name and scope."""
    return _SEPARATOR.join(signature.split(_SEPARATOR, 2)[:2])


def scope_of(signature: str) -> str:
    """Return the tasks and variants of a signature."""
    return signature.partition(_SEPARATOR)[2].partition(_SEPARATOR)[0]


def _shortened(part: str) -> str:
    """Return a part of a signature, its end replaced by a digest when it is long."""
    if len(part) <= _LONGEST_PART:
        return part
    return f"{part[:_LONGEST_PART]}~{digest(part.encode('utf-8', 'replace'))[:12]}~"


def _holds(place: str, other: str) -> bool:
    return place in ("", other) or (other.startswith(place) and other[len(place)] in "/:[")


def _place(word: str, folder: str) -> str:
    return folder if word in _EVERYTHING else join(folder, word)


def _is_file(word: str) -> bool:
    """Tell whether a path is a file, a test in it, or not known before the shell reads it."""
    if word in _EVERYTHING or "*" in word:
        return False
    return "." in word.rstrip("/").rpartition("/")[2].lstrip(".") or "::" in word or "$" in word


def _is_deep(word: str) -> bool:
    """Tell whether a path is a folder below the first level."""
    path = word.rstrip("/").removeprefix("./")
    return "/" in path and "*" not in path and not path.startswith(("/", "~", ".."))


_NO_RUN = ("--help", "--version", "-V", "--dry-run", "--list", "--collect-only")
#: Before the kinds of a row that go by the names of its tasks; a tool that only the output tells.
_BY_NAME, _ANY_TOOL = "task:", "*"
_INLINE = ("-c", "-e", "--eval", "-p", "--print", "-pe", "-ne", "-r", "-")
_PROJECT_FILES = ("Cargo.toml", "pom.xml", "Makefile")
_MARKS = ":#!+?@"
#: Options that change what is shown and not what is run.
_SHOWING = frozenset("-v -vv -vvv -q -qq -s --verbose --quiet --silent -x -i".split())
_SYSTEM = ("/bin/", "/usr/", "/opt/", "/sbin/")
_SHORT, _LONGEST_NARROW = {"t": TEST, "tst": TEST}, 120


class Classified(Record):
    """What is known of a command before its output is looked at.

    ``tool`` names the parser of its output; ``opaque``: only the output tells which tool ran.
    ``changes``: it changes a state and shows nothing of it; ``silent``: it prints nothing when all
    is well.
    """

    kind: str
    tool: str
    signature: str
    narrow: str = ""
    opaque: bool = False
    changes: bool = False
    silent: bool = False


class Arguments:
    """The arguments of a program, sorted by what they mean for a run.

    ``plain`` words; ``passed_on`` behind "--"; ``parts`` and ``variants``: options, with their
    values, that run a part only, or make it another run; ``no_run``: nothing is run.
    """

    def __init__(self, words: Sequence[str], options: str, folder: str, pass_on: bool) -> None:
        """Sort ``words`` by the marks of ``options``; with ``pass_on`` "--" ends the own ones.

        Of what is behind it the options are read, too: they name a part whoever reads them.
        """
        self.plain: list[str] = []
        self.passed_on: list[str] = []
        self.parts: list[str] = []
        self.variants: list[str] = []
        self.unknown: list[str] = []
        self.folder, self.no_run = folder, False
        lists = {"!": self.parts, "+": self.variants, "": self.unknown}
        marks = {it.rstrip(_MARKS): it[len(it.rstrip(_MARKS)) :] for it in options.split()}
        waiting, target = list(reversed(words)), self.plain
        while waiting:
            word = waiting.pop()
            if word == "--":
                target = self.passed_on if pass_on else target
                continue
            if word[:1] not in ("-", "+") or word == "-":
                target.append(word)
                continue
            name, mark, value = _option(word, marks)
            if waiting and not value and (":" in mark or ("#" in mark and waiting[-1].isdigit())):
                value = waiting.pop()
            effect = mark.strip(":#")
            if effect == "@":
                above, _, last = value.rpartition("/")
                self.folder = join(folder, above if last in _PROJECT_FILES else value)
            elif effect == "?" or (not mark and name in _NO_RUN):
                self.no_run = True
            elif effect or not mark:
                lists[effect].append(f"{name} {value}".strip())


def _option(word: str, marks: dict[str, str]) -> tuple[str, str, str]:
    """Return name, marks and attached value: ``--only=x``, ``-only:x``, ``-xk``, ``-n4``."""
    if word in marks:
        return word, marks[word], ""
    for joint in ("=", ":"):
        name, found, value = word.partition(joint)
        if found and (name in marks or joint == "="):
            return name, marks.get(name, ""), value
    if word[:2] != "--" and not any(len(one) > 3 and one[1] != "-" for one in marks):
        for at, letter in enumerate(word[1:6] if len(word) < 7 else word[1:2], 2):
            if mark := marks.get("-" + letter, ""):
                return "-" + letter, mark, word[at:]
    return word, "", ""


def classify(command: Command) -> Classified | None:
    """Return what ``command`` runs; None when it only prints, moves files or the like."""
    if not command.argv:
        return None
    program, words = program_of(command.argv[0]), command.argv[1:]
    known = _look_up(program, words, command.cwd, "xargs" in command.wrappers)
    if known:
        return known if known.kind else None
    if program in tables.INTERPRETERS:
        has_input = bool(command.input_text) or command.connector == "|"
        return _classify_interpreter(program, words, has_input, command.cwd)
    own = "/" in command.argv[0] and not command.argv[0].startswith(_SYSTEM)
    if program in tables.ONLY_LISTED or (program in tables.TRIVIAL and not own):
        return None
    return _classify_script(command.argv[0], words, command.cwd)


def program_of(word: str) -> str:
    """Return the program that the first word of a command calls, by the name that tables have."""
    name = program_name(word)
    name = tables.SAME_PROGRAM.get(name, name)
    if name in tables.PROGRAMS or name in tables.TRIVIAL:
        return name
    plain = name.rstrip("0123456789.").rstrip("-")  # python3.11, clang-15, go1.22
    return plain if plain in tables.PROGRAMS or plain in tables.INTERPRETERS else name


def _look_up(program: str, words: Sequence[str], folder: str, listed: bool) -> Classified | None:
    """Return what the table has for a program with these arguments, of no kind if it is no run."""
    for number in tables.PROGRAMS.get(program, ()):
        row = tables.ROWS[number]
        if not all(any(one in words for one in several) for several in row[0]):
            continue
        options = f"{tables.SHARED.get(program, '')} {row[4]}"
        args = Arguments(words, options, folder, pass_on=row[1].startswith(_BY_NAME))
        wanted = [several for several in row[0] if several[0][:1] != "-"]
        own = args.plain[: len(wanted)]
        if len(own) < len(wanted) or any(
            word not in several for word, several in zip(own, wanted, strict=True)
        ):
            continue
        del args.plain[: len(own)]
        if program in tables.RUNNERS and args.plain and args.plain[0] not in tables.SCRIPTS:
            argv, _ = strip_wrappers(words[list(words).index(args.plain[0]) :])
            inner = _look_up(program_of(argv[0]), argv[1:], args.folder, listed)
            if inner is not None:  # "yarn jest" is "jest"
                return inner
        return _classify_row(program, row, own, args, listed)
    return None


def _classify_row(
    program: str, row: tables.Row, own: list[str], args: Arguments, listed: bool
) -> Classified:
    _, kind, tool, meaning, _, says, flags = row
    by_name = kind.startswith(_BY_NAME)
    tasks: list[str] = []
    if by_name:
        kind, tasks = _tasks_of(program, own, kind, meaning, says, args)
    if args.no_run and kind:
        kind, tasks = "" if kind == LOOK else OTHER, [*tasks, NO_RUN]
    places, filters = targets(meaning, args.plain, args.parts, args.folder, kind == TEST)
    filters = (*filters, *(("files of a list",) if listed else ()))
    more = own if kind in (OTHER, INSTALL) and not by_name else []
    words = [word for task in tasks for word in name_words(task)]
    return Classified(
        kind=kind,
        tool="" if tool == _ANY_TOOL else tool,
        signature=sign(
            f"{kind} {program if tool in ('', _ANY_TOOL) else tool}",
            (*more, *tasks, *args.variants),
            places,
            filters,
        ),
        narrow=", ".join(filters)[:_LONGEST_NARROW],
        opaque=by_name or tool == _ANY_TOOL,
        changes=not args.no_run and ("changes" in flags or not tables.CHANGING.isdisjoint(words)),
        silent="silent" in flags,
    )


def _tasks_of(
    program: str, own: list[str], kind: str, meaning: str, says: str, args: Arguments
) -> tuple[str, list[str]]:
    """Return kind and names of the tasks among the arguments; what narrows them joins the parts."""
    _, none, unknown = kind.split(":")
    names = [word for word in args.plain if "=" not in word]
    count = {"task": 1, "none": 0}.get(meaning, len(names))
    args.parts += [word for word in args.plain if word.partition("=")[0] in tables.CHOOSING]
    if program == "gradle":
        args.parts += [f"project {one.rpartition(':')[0]}" for one in names if one.rfind(":") > 0]
        names = [one.rpartition(":")[2] for one in names]
    args.parts += [*names[count:], *args.passed_on]
    args.plain.clear()
    tasks = [name for name in names[:count] if name != "clean"]
    if names[:count] and not tasks:
        return "", []  # to clean up is no run
    task = _SHORT.get(own[0], own[0]) if own and meaning == "none" else ""
    tasks = [task] if kind_by_name(task) == TEST else tasks  # npm test, npm t: npm run test
    usual = "" if unknown == OTHER else unknown
    values = [it for text in args.variants for it in text.partition(" ")[2].split(",") if it]
    known = dict(pair.split("=") for pair in says.split())
    kinds = [
        it for name in (*tasks, *values) if (it := known.get(name) or kind_by_name(name) or usual)
    ]
    return TEST if TEST in kinds else kinds[0] if kinds else unknown if tasks else none, tasks


def _classify_interpreter(
    program: str, words: Sequence[str], has_input: bool, folder: str
) -> Classified | None:
    for at, word in enumerate(words):
        if word in ("--version", "-V", "--help", "-h"):
            return None
        if program not in SHELLS and _is_inline(word):
            break
        if word[:1] != "-" and "=" not in word and word not in ("run", "x"):
            known = _look_up(program_of(word), words[at + 1 :], folder, listed=False)
            return known or _classify_script(word, words[at + 1 :], folder)
    if not words and not has_input:
        return None
    # code in the command line: another piece of it is the same run, tried again
    return Classified(OTHER, "", sign(f"{OTHER} {program}", ("inline",), (), ()), opaque=True)


def _is_inline(word: str) -> bool:
    return word in _INLINE or (len(word) < 6 and word[:1] == "-" and word[-1] in "ec")


def _classify_script(path: str, words: Sequence[str], folder: str) -> Classified | None:
    name = program_name(path)
    read = Arguments(words, tables.PASSED_ON, folder, pass_on=False)
    certain = is_code(name) and not name.endswith((".sh", ".bash"))
    kind = kind_by_name(name, certain) or OTHER
    if not name or name[0] in "$-" or (read.no_run and "--dry-run" not in words):
        return None
    filters: list[str] = []
    scope = [*read.plain, *read.parts, *(it for it in read.unknown if it not in _SHOWING)]
    if kind in (TEST, LINT):
        own = [join(folder, path)] if is_test_file(path) else []
        filters = [*own, *read.parts, *(word for word in read.plain if not word.isdigit())]
        scope = []
    return Classified(
        kind=kind,
        tool="",
        signature=sign(f"{kind} {name}", scope, (), filters),
        narrow=", ".join(filters)[:_LONGEST_NARROW],
        opaque=True,
        changes=not tables.CHANGING.isdisjoint(name_words(name)),
    )


def kind_by_name(name: str, certain: bool = False) -> str:
    """Return the kind that the words of a name tell: "test:unit", "run-lint.sh"; else "".

    ``certain`` leaves out words such as "check", which tell a task but hardly a program.
    """
    words = name_words(name)
    for table in (tables.KINDS_BY_WORD, {} if certain else tables.WEAK_KINDS_BY_WORD):
        for word in words:
            if word in table:
                return table[word]
    return ""


def name_words(name: str) -> list[str]:
    """Split a name at signs and at capitals, lower case: "runUnitTests" is run, unit, tests."""
    pieces = "".join(char if char.isalnum() else " " for char in name)
    pairs = zip(" " + pieces, pieces, strict=False)
    return (
        "".join(
            f" {char}" if char.isupper() and before.islower() else char for before, char in pairs
        )
        .lower()
        .split()
    )
