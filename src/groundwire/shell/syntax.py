"""From shell tokens to a tree of lists, pipelines, groups and simple commands."""

from __future__ import annotations

from groundwire.record import Record
from groundwire.shell.words import OPERATOR, REDIRECTION, WORD

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from groundwire.shell.words import Token

_DEEPEST = 20
_BETWEEN = frozenset((";", ";;", "&", "&&", "||", "|", "|&"))
#: Words that open a group, with those that end one of its parts; the last one ends the group.
_CLOSERS = {
    "{": ("}",),
    "if": ("then", "elif", "else", "fi"),
    "while": ("do", "done"),
    "until": ("do", "done"),
    "for": ("do", "done"),
    "select": ("do", "done"),
    "case": ("in", "esac"),
}
_WITHOUT_COMMANDS = ("for", "select", "case")
_CONDITIONS = ("if", "elif", "while", "until")
_STRAY = frozenset(("then", "else", "elif", "fi", "do", "done", "esac", "}"))
_NOTHING: Token = (OPERATOR, "", "")


class Exit(Record):
    """How the result of a command shows; see ``Command`` for the fields."""

    hidden: str = ""
    status_text: str = ""
    on_success: str = ""
    on_failure: str = ""


class Node:
    """A simple command (``kind`` "": ``words`` as value and source) or a group of lists."""

    __slots__ = ("exit", "kind", "parts", "redirections", "words")

    def __init__(self) -> None:
        self.kind = ""
        self.words: list[tuple[str, str]] = []
        self.redirections: list[tuple[str, str]] = []  # operator and target
        self.parts: list[tuple[bool, list[Item]]] = []  # whether it is a condition, and its list
        self.exit = Exit()


class Item:
    """One pipeline of a list, with the operator that joins it to the one before."""

    __slots__ = ("background", "connector", "members", "negated")

    def __init__(self, connector: str, members: list[Node], negated: bool) -> None:
        self.connector = connector
        self.members = members
        self.negated = negated
        self.background = False


class Parser:
    """Builds items from tokens by looking at one token at a time; never raises."""

    def __init__(self, source: list[Token]) -> None:
        self.source = source
        self.at = 0
        self.depth = 0

    def items(self, closers: Sequence[str] = ()) -> list[Item]:
        """Read a list up to one of ``closers`` (not taken) or to the end."""
        pipelines: list[Item] = []
        connector = ""
        self.depth += 1
        while self.at < len(self.source):
            kind, value, written = self.source[self.at]
            if kind == OPERATOR and value in _BETWEEN:
                if value == "&" and pipelines:
                    pipelines[-1].background = True
                if written != "\n" or connector not in ("&&", "||"):
                    connector = ";" if value == ";;" else value
            elif kind == OPERATOR and value == ")":
                if ")" in closers:
                    break
                if pipelines and "esac" in closers:
                    pipelines.pop()  # a pattern of case
            elif kind == WORD and written in closers:
                break
            elif kind != WORD or written not in _STRAY:
                pipelines.append(Item(connector, *self.pipeline()))
                connector = ";"
                continue
            self.at += 1
        self.depth -= 1
        return pipelines

    def pipeline(self) -> tuple[list[Node], bool]:
        """Read commands joined by ``|``, and whether ``!`` turns their status round."""
        members: list[Node] = []
        negated = False
        while self.current()[:2] == (WORD, "!"):
            negated = not negated
            self.at += 1
        while True:
            members.append(self.member())
            if not self.is_operator("|", "|&"):
                return members, negated
            self.at += 1
            while self.current()[2] == "\n":
                self.at += 1

    def member(self) -> Node:
        """Read a group or a simple command; takes at least one token if it is not an operator."""
        node = Node()
        kind, value, written = self.current()
        if self.depth > _DEEPEST:
            self.at += 1
        elif kind == OPERATOR and value == "(":
            node.kind = "("
            self.at += 1
            node.parts.append((False, self.items((")",))))
            self.at += 1
            self.redirections(node)
        elif kind == WORD and written in _CLOSERS:
            self.group(node, written)
            self.redirections(node)
        elif kind == WORD and written == "function":
            self.at += 2
        else:
            self.simple(node)
        return node

    def group(self, node: Node, keyword: str) -> None:
        """Read the parts of ``if``, ``for``, ``{`` ... from their first word to their last."""
        node.kind = keyword
        closers = _CLOSERS[keyword]
        word = keyword
        while self.at < len(self.source):
            self.at += 1
            if word in _WITHOUT_COMMANDS:
                while self.at < len(self.source) and self.current()[2] != closers[0]:
                    self.at += 1
            else:
                node.parts.append((word in _CONDITIONS, self.items(closers)))
            word = self.current()[2]
            if word == closers[-1]:
                self.at += 1
                return

    def simple(self, node: Node) -> None:
        """Read words and redirections up to an operator; ``[[ ... ]]`` is one command."""
        bracket = self.current()[2] == "[["
        while self.at < len(self.source):
            kind, value, written = self.source[self.at]
            if kind == WORD:
                node.words.append((value, written))
                bracket = bracket and written != "]]"
            elif kind == REDIRECTION:
                node.redirections.append((value, written))
            elif not bracket:
                break
            self.at += 1
        if self.is_operator("(") and len(node.words) == 1:  # the head of a function
            node.words.clear()
            self.at += 1
            if self.is_operator(")"):
                self.at += 1

    def redirections(self, node: Node) -> None:
        """Read the redirections behind a group."""
        while self.current()[0] == REDIRECTION:
            node.redirections.append(self.current()[1:])
            self.at += 1

    def current(self) -> Token:
        """Return the token at hand; behind the last one an operator without a name."""
        return self.source[self.at] if self.at < len(self.source) else _NOTHING

    def is_operator(self, *values: str) -> bool:
        """Tell whether the token at hand is one of these operators."""
        return self.current()[0] == OPERATOR and self.current()[1] in values
