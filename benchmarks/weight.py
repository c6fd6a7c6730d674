"""Lines of code and modules of each package: ``python -m benchmarks.weight [FOLDER ...]``.

A line of code is a line with a token that is no comment, docstring or line end. Only files that git
knows count, so compiled ones do not.
"""

from __future__ import annotations

import ast
import io
import subprocess
import sys
import tokenize
from collections import Counter
from pathlib import Path

_SPACE = (tokenize.DEDENT, tokenize.ENDMARKER, tokenize.INDENT, tokenize.NEWLINE, tokenize.NL)


def lines_of_code(text: str) -> int:
    """Return the number of lines of a module that hold code."""
    lines: set[int] = set()
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type not in (tokenize.COMMENT, *_SPACE):
            lines.update(range(token.start[0], token.end[0] + 1))
    documented = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, documented) and ast.get_docstring(node) is not None:
            first = node.body[0]
            lines.difference_update(range(first.lineno, (first.end_lineno or 0) + 1))
    return len(lines)


if __name__ == "__main__":
    for root in map(Path, sys.argv[1:] or ["src"]):
        lines, modules = Counter[str](), Counter[str]()
        known = subprocess.check_output(["git", "ls-files", f"{root}/*.py"], text=True)
        for path in filter(Path.is_file, map(Path, known.split())):
            package = ".".join(path.relative_to(root).parent.parts[:2]) or "."
            lines[package] += lines_of_code(path.read_text(encoding="utf-8"))
            modules[package] += 1
        for package in sorted(lines):
            print(f"{package:40} {lines[package]:7,} {modules[package]:5}")
        print(f"{root!s:40} {lines.total():7,} {modules.total():5}")
