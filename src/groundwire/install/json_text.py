"""Edits of a JSON text that leave every other byte as it is.

A text is parsed into nodes that know their place; one edit returns the new text. Added values take
over the indentation, line ends and spacing that they find around them.
"""

from __future__ import annotations

import json
import re
from typing import Any, NoReturn

from groundwire.errors import InstallError
from groundwire.record import Record

_SPACE = re.compile(r"[ \t\r\n]*")
_CLOSING = {"{": "}", "[": "]"}


class Node(Record):
    """One JSON value: ``text[start:end]``, decoded in ``data``.

    ``children`` are the values of an object or array; in an object, ``keys`` and ``starts`` hold
    the key of each and where it begins (in an array ``starts`` is where the child begins).
    """

    start: int
    end: int
    data: Any
    children: tuple[Node, ...] = ()
    starts: tuple[int, ...] = ()
    keys: tuple[str, ...] = ()

    def member(self, key: str) -> Node | None:
        """The value under ``key``, if there is one."""
        return self.children[self.keys.index(key)] if key in self.keys else None


def line_of(text: str, offset: int) -> int:
    """The line number, from 1, of ``offset``."""
    return text.count("\n", 0, offset) + 1


def refuse(text: str, offset: int, message: str) -> NoReturn:
    """Raise InstallError naming the line of ``offset``."""
    raise InstallError(f"line {line_of(text, offset)}: {message}")


def _refuse_constant(name: str) -> NoReturn:
    raise InstallError(f"not valid JSON: {name} is no JSON value")


_DECODER = json.JSONDecoder(parse_constant=_refuse_constant)


def parse(text: str) -> Node:
    """Parse a whole JSON text. Raises InstallError naming the line of what is wrong."""
    start = _skip(text, 0)
    try:
        _DECODER.decode(text)
        return _node(text, start)
    except json.JSONDecodeError as error:
        hint = " (comments are not allowed)" if text[error.pos : error.pos + 1] == "/" else ""
        refuse(text, error.pos, f"not valid JSON: {error.msg}{hint}")
    except RecursionError:
        raise InstallError("not valid JSON: nested too deeply") from None


def _skip(text: str, at: int) -> int:
    space = _SPACE.match(text, at)
    return space.end() if space else at


def _node(text: str, start: int) -> Node:
    """The node at ``start`` of a text that is known to be valid."""
    closing = _CLOSING.get(text[start])
    if closing is None:
        data, end = _DECODER.raw_decode(text, start)
        return Node(start, end, data)
    children: list[Node] = []
    starts: list[int] = []
    keys: list[str] = []
    at = _skip(text, start + 1)
    while text[at] != closing:
        starts.append(at)
        if closing == "}":
            key, at = _DECODER.raw_decode(text, at)
            if key in keys:
                refuse(text, starts[-1], f'the key "{key}" stands here a second time')
            keys.append(key)
            at = _skip(text, _skip(text, at) + 1)
        children.append(_node(text, at))
        at = _skip(text, children[-1].end)
        at = _skip(text, at + 1) if text[at] == "," else at
    values = [child.data for child in children]
    data = dict(zip(keys, values, strict=True)) if closing == "}" else values
    return Node(start, at + 1, data, tuple(children), tuple(starts), tuple(keys))


def _line_end(text: str) -> str:
    return "\r\n" if "\r\n" in text else "\n"


def _indent_of(text: str, offset: int) -> str:
    """The white space at the beginning of the line of ``offset``."""
    line = text[text.rfind("\n", 0, offset) + 1 : offset]
    return line[: len(line) - len(line.lstrip(" \t"))]


def _unit(text: str) -> str:
    """One step of the text's indentation: the first indented line has it."""
    first = re.search(r"\n([ \t]+)\S", text)
    return first.group(1) if first else "  "


def _is_minified(text: str) -> bool:
    return bool(re.search(r'":\S', text)) and not re.search(r'":[ \t]', text)


def _one_line(text: str, value: Any) -> str:
    separators = (",", ":") if _is_minified(text) else (", ", ": ")
    return json.dumps(value, ensure_ascii=False, separators=separators)


def _lines(text: str, value: Any, indent: str) -> str:
    """``value`` over several lines, those after the first indented by ``indent``."""
    rendered = json.dumps(value, ensure_ascii=False, indent=_unit(text))
    return rendered.replace("\n", _line_end(text) + indent)


def _child_indent(text: str, parent: Node) -> str | None:
    """The indentation for a new child of ``parent``; None when children share one line."""
    if not parent.children:
        on_one_line = "\n" not in text.strip() and text.strip() != "{}"
        return None if on_one_line else _indent_of(text, parent.start) + _unit(text)
    before = parent.children[-2].end if len(parent.children) > 1 else parent.start + 1
    space = text[before : parent.starts[-1]]
    return space[space.rfind("\n") + 1 :] if "\n" in space else None


def _add(text: str, parent: Node, key: str | None, value: Any) -> str:
    indent = _child_indent(text, parent)
    if indent is None:
        shown, before, after = _one_line(text, value), "", ""
    else:
        shown, before = _lines(text, value, indent), _line_end(text) + indent
        after = _line_end(text) + _indent_of(text, parent.start)
    if key is not None:
        colon = ":" if _is_minified(text) else ": "
        shown = json.dumps(key, ensure_ascii=False) + colon + shown
    if not parent.children:
        return text[: parent.start + 1] + before + shown + after + text[parent.end - 1 :]
    space = before or ("" if _is_minified(text) else " ")
    last = parent.children[-1].end
    return text[:last] + "," + space + shown + text[last:]


def add_member(text: str, parent: Node, key: str, value: Any) -> str:
    """Add a member at the end of the object ``parent``."""
    return _add(text, parent, key, value)


def add_item(text: str, parent: Node, value: Any) -> str:
    """Add an item at the end of the array ``parent``."""
    return _add(text, parent, None, value)


def replace(text: str, node: Node, value: Any) -> str:
    """Put ``value`` in the place of ``node``, on as many lines as before."""
    if "\n" in text[node.start : node.end]:
        shown = _lines(text, value, _indent_of(text, node.start))
    else:
        shown = _one_line(text, value)
    return text[: node.start] + shown + text[node.end :]


def remove(text: str, parent: Node, index: int) -> str:
    """Take out the child ``index`` of ``parent`` with its comma; the last one leaves it empty."""
    if len(parent.children) == 1:
        start, end = parent.start + 1, parent.end - 1
    elif index == 0:
        start, end = parent.starts[0], parent.starts[1]
    else:
        start, end = parent.children[index - 1].end, parent.children[index].end
    return text[:start] + text[end:]
