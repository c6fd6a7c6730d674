"""Writing the bundle: all modules of the hook in one file, compiled for this interpreter.

The hook imports some hundred small modules. Looking for each, opening it and decoding it by itself
costs more than starting a bare interpreter. The file stands in the ``__pycache__`` of the package,
is as trusted as the byte code beside it, and may be missing.

``python -I -S .../groundwire/hook/bundle.py`` writes it: eight digits, the length of the head; the
marshalled head: the code of ``reader`` and what its ``BundleFinder`` takes; the groups, each
in marshalled pieces.
"""

from __future__ import annotations
import __future__

import ast
import copy
import functools
import importlib.util
import marshal
import os
import sys
from pathlib import Path

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from types import CodeType

PACKAGE = Path(os.path.abspath(__file__)).parent.parent
#: What is loaded together: all that every turn needs; what reads a turn with tool calls; what
#: judges claims of runs; what judges claims of the state of the work. Any other module is a group
#: of its own.
GROUPS = (
    ("bisect", "groundwire.hook.answer", "groundwire.service.hook"),
    (
        "groundwire.evidence.turn.facts",
        "groundwire.evidence.reference.known",
        "groundwire.evidence.verdict",
        "groundwire.evidence.message.wording",
    ),
    ("groundwire.evidence.passed.by_run",),
    ("groundwire.evidence.work.status",),
)
#: Modules of this package are also imported by computed names: parsers, and judges of claims.
DYNAMIC = "groundwire.evidence"
READER = "groundwire.hook.reader"
#: Libraries in machine code that the hook may import; with their paths no folder is searched.
LIBRARIES = ("_bisect", "_blake2", "_json", "ahocorasick", "fcntl", "math", "select")
#: The memory of a piece this long is used again for the next one; a long one is fetched from the
#: system page by page, which costs as much as decoding half of it.
_PIECE = 80_000


def bundle_path() -> Path:
    """Return the path of the bundle for this interpreter."""
    version = f"{sys.implementation.cache_tag}-{sys.hexversion:x}"
    return PACKAGE / "__pycache__" / f"hook.{version}.bundle"


def write_bundle() -> Path:
    """Compile the modules and replace the bundle as a whole. Raises OSError and SyntaxError."""
    target = bundle_path()
    target.parent.mkdir(exist_ok=True)
    part = target.with_suffix(f".{os.getpid()}.part")
    try:
        part.write_bytes(bundle())
        part.replace(target)
    finally:
        part.unlink(missing_ok=True)
    return target


def bundle() -> bytes:
    """Return the content of a bundle."""
    groups = list(grouped(modules_of_the_hook()))
    stamps = [tuple(stamp(source_of(name)) for name in group) for group in groups]
    blobs = [packed([(name, compiled(source_of(name))) for name in group]) for group in groups]
    numbers = {name: number for number, group in enumerate(groups) for name in group}
    libraries = {name: stamp(path) for name, path in library_files().items()}
    table = (numbers, stamps, [list(map(len, pieces)) for pieces in blobs], libraries)
    reader = source_of(READER)
    head = marshal.dumps((compiled(reader), stamp(reader), *table))
    return b"".join((b"%08d" % len(head), head, *(part for pieces in blobs for part in pieces)))


def packed(modules: list[tuple[str, CodeType]]) -> list[bytes]:
    """Return the modules of a group, marshalled in pieces of about ``_PIECE`` bytes."""
    pieces: list[list[tuple[str, CodeType]]] = [[]]
    size = 0
    for module in modules:
        if size > _PIECE:
            pieces.append([])
            size = 0
        pieces[-1].append(module)
        size += len(marshal.dumps(module))
    return [marshal.dumps(piece) for piece in pieces]


def stamp(path: Path) -> tuple[str, int, int]:
    """Return path, change time in nanoseconds and size, which tell whether a file is the same.

    Paths of the package are relative to it, so that it can be moved.
    """
    status = path.stat()
    if path.is_relative_to(PACKAGE):
        path = path.relative_to(PACKAGE)
    return str(path), status.st_mtime_ns, status.st_size


def library_files() -> dict[str, Path]:
    """Return the files of those libraries that are not built into the interpreter."""
    found = {}
    for name in LIBRARIES:
        spec = importlib.util.find_spec(name)
        if spec and spec.origin and spec.has_location and not spec.origin.endswith(".py"):
            found[name] = Path(spec.origin)
    return found


def modules_of_the_hook() -> list[str]:
    """Return all modules that the hook can import, each behind those that it imports."""
    files = sorted(source_of(DYNAMIC).parent.rglob("[!_]*.py"))
    dynamic = (_name_of(path) for path in files)
    return in_order((*GROUPS[0], *dynamic), lazy=True)


def _name_of(path: Path) -> str:
    return ".".join(path.relative_to(PACKAGE.parent).with_suffix("").parts)


def grouped(names: list[str]) -> Iterator[list[str]]:
    """Yield the groups, each in the order in which its modules can run."""
    left = dict.fromkeys(names)
    for roots in GROUPS:
        group = [name for name in in_order(roots, lazy=False) if name in left]
        for name in group:
            del left[name]
        yield group
    for name in left:
        yield [name]


def in_order(roots: Iterable[str], *, lazy: bool) -> list[str]:
    """Return ``roots`` and what they import, with ``lazy`` also inside functions.

    Each module comes behind those that it imports.
    """
    found: dict[str, None] = {}
    begun: set[str] = set()

    def visit(name: str) -> None:
        package = name.rpartition(".")[0]
        if package:
            visit(package)
        if name not in begun and source_of(name).is_file():
            begun.add(name)
            for other in imported(parsed(source_of(name)), lazy):
                visit(other)
            found[name] = None

    for root in roots:
        visit(root)
    return list(found)


def imported(node: ast.AST, lazy: bool) -> Iterator[str]:
    """Yield the dotted names of groundwire that ``node`` imports, except for type checkers."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.ImportFrom) and (child.module or "").startswith("groundwire"):
            yield from (f"{child.module}.{alias.name}" for alias in child.names)
        elif isinstance(child, ast.If) and _is_for_checkers(child.test):
            yield from (name for other in child.orelse for name in imported(other, lazy))
        elif lazy or not isinstance(child, ast.FunctionDef):
            yield from imported(child, lazy)


def _is_for_checkers(test: ast.expr) -> bool:
    return isinstance(test, ast.Name) and test.id == "TYPE_CHECKING"


@functools.cache
def parsed(path: Path) -> ast.Module:
    """Return the syntax tree of a module."""
    return ast.parse(path.read_bytes(), str(path))


def source_of(name: str) -> Path:
    """Return the file of a module; of a name that is none, one that is not there."""
    if not name.startswith("groundwire"):
        return Path(os.__file__).with_name(f"{name}.py")
    path = PACKAGE.parent.joinpath(*name.split("."))
    return path / "__init__.py" if path.is_dir() else path.with_suffix(".py")


class _Lean(ast.NodeTransformer):
    """Takes out what no run needs: the annotations of functions, and the import that allows them.

    Records are laid out here, and get a constructor of their own, which takes a third of the time;
    it needs them without the guard against assignments, which the modules keep up.
    """

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        node.returns = None
        for argument in ast.walk(node.args):
            if isinstance(argument, ast.arg):
                argument.annotation = None
        return self.generic_visit(node)

    def visit_ImportFrom(self, node: ast.ImportFrom) -> ast.AST | None:
        return None if node.module == "__future__" else node

    def visit_ClassDef(self, node: ast.ClassDef) -> ast.AST:
        if node.name == "Record":
            node.body = [part for part in node.body if not _is_guard(part)]
        elif [ast.unparse(base) for base in node.bases] == ["Record"]:
            node.body = _laid_out(node.body)
        return self.generic_visit(node)


def _is_guard(node: ast.stmt) -> bool:
    return isinstance(node, ast.FunctionDef) and node.name == "__setattr__"


def _laid_out(body: list[ast.stmt]) -> list[ast.stmt]:
    """Return the body of a record with what ``RecordMeta`` and ``Record`` would make of it."""
    fields = {
        ast.unparse(part.target): ast.unparse(part.value) if part.value else ""
        for part in body
        if isinstance(part, ast.AnnAssign)
    }
    defaults = {name: value for name, value in fields.items() if value}
    arguments = ", ".join(f"{name}={value}" if value else name for name, value in fields.items())
    lines = [
        f"__slots__ = _fields = {tuple(fields)}",
        f"def __init__(self, {arguments}): {'; '.join(f'self.{f} = {f}' for f in fields)}",
        f"_defaults = dict(zip({tuple(defaults)}, __init__.__defaults__ or ()))",
    ]
    rest = [part for part in body if not isinstance(part, ast.AnnAssign)]
    return [*ast.parse("\n".join(lines)).body, *rest]


def compiled(path: Path) -> CodeType:
    """Return the code of a module, without docstrings, annotations and line numbers."""
    tree = ast.fix_missing_locations(_Lean().visit(copy.deepcopy(parsed(path))))
    flags = __future__.annotations.compiler_flag
    code: CodeType = compile(tree, str(path), "exec", flags, dont_inherit=True, optimize=2)
    return _without_lines(code)


def _without_lines(code: CodeType) -> CodeType:
    """Nobody sees a traceback of the hook, and the tables are a quarter of all code."""
    constants = tuple(
        _without_lines(constant) if isinstance(constant, type(code)) else constant
        for constant in code.co_consts
    )
    return code.replace(co_linetable=b"", co_consts=constants)


def main() -> int:
    """Write the bundle; the exit status says whether that worked."""
    sys.path[:0] = [str(PACKAGE.parent), *libraries()]
    try:
        write_bundle()
    except (OSError, SyntaxError) as error:
        sys.stderr.write(f"groundwire: no bundle: {error}\n")
        return 1
    return 0


def libraries() -> list[str]:
    """Return the folder of the installed libraries, which ``-S`` leaves out."""
    version = f"python{sys.version_info.major}.{sys.version_info.minor}"
    prefix = Path(sys.executable).parent.parent
    return [str(prefix / "lib" / version / "site-packages")]


if __name__ == "__main__":
    sys.exit(main())
