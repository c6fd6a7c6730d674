"""Shell text as tokens: words without their quotes, operators, redirections.

Forgiving: what is not closed reaches to the end. One pass, every character is looked at once by
each level of reading, and the nesting of levels is bounded.
"""

from __future__ import annotations

from groundwire.base.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    Token = tuple[str, str, str]


WORD, OPERATOR, REDIRECTION = "word", "operator", "redirection"


#: Longest first, so that the first that fits is the right one.
_OPERATORS = ("&&", "||", ";;", "|&", ";", "|", "&", "(", ")")
_REDIRECTIONS = ("&>>", "&>", "<<<", "<<-", "<<", "<&", "<>", "<", ">>", ">&", ">|", ">")
_BLANKS = " \t\r"
_WORD_ENDS = frozenset(" \t\r\n;&|()<>")
_SPECIAL = frozenset("'\"\\$`")
_STOPS = _WORD_ENDS | _SPECIAL
_ESCAPES = {"n": "\n", "t": "\t", "r": "\r", "e": "\x1b"}
_DEEPEST = 20


def tokens(text: str, most: int) -> list[Token]:
    """Split ``text`` into tokens; a line end is the operator ";", comments are left out.

    Behind so many as ``most`` nothing more is read; a here-document is a part of its token.
    """
    tokens_read: list[Token] = []
    waiting: list[int] = []  # positions of here-document redirections without their text
    at = 0
    while at < len(text) and len(tokens_read) < most:
        char = text[at]
        if char in _BLANKS:
            at += 1
        elif char == "\n":
            tokens_read.append((OPERATOR, ";", "\n"))
            at = _here_documents(text, at + 1, tokens_read, waiting)
        elif char == "#":
            at = _line_end(text, at)
        elif text.startswith("\\\n", at):
            at += 2
        elif char in "<>" or text.startswith("&>", at):
            at = _redirection(text, at, "", tokens_read, waiting)
        elif char in ";&|()":
            operator = next(one for one in _OPERATORS if text.startswith(one, at))
            tokens_read.append((OPERATOR, operator, operator))
            at += len(operator)
        else:
            value, end = _word(text, at)
            if value.isdigit() and text[end : end + 1] in ("<", ">"):
                at = _redirection(text, end, value, tokens_read, waiting)
            else:
                tokens_read.append((WORD, value, text[at:end]))
                at = end
    return tokens_read


def substitution(word: str) -> str:
    """Return the commands inside a word that is one ``$(...)``, else ""."""
    if not word.startswith("$(") or word.startswith("$(("):
        return ""
    end = _closing_parenthesis(word, 2)
    return word[2 : end - 1] if end == len(word) and word.endswith(")") else ""


def _line_end(text: str, at: int) -> int:
    end = text.find("\n", at)
    return len(text) if end < 0 else end


def _redirection(text: str, at: int, fd: str, tokens_read: list[Token], waiting: list[int]) -> int:
    if text.startswith(("<(", ">("), at):  # a process in the place of a file
        end = _closing_parenthesis(text, at + 2)
        tokens_read.append((WORD, text[at:end], text[at:end]))
        return end
    operator = next(one for one in _REDIRECTIONS if text.startswith(one, at))
    at += len(operator)
    while at < len(text) and text[at] in _BLANKS:
        at += 1
    target, end = _word(text, at)
    if operator in ("<<", "<<-"):
        waiting.append(len(tokens_read))
    tokens_read.append((REDIRECTION, fd + operator, target))
    return end


def _here_documents(text: str, at: int, tokens_read: list[Token], waiting: list[int]) -> int:
    """Put the texts of the waiting here-documents into their tokens; return what follows them."""
    for index in waiting:
        kind, operator, delimiter = tokens_read[index]
        body, at = _here_document(text, at, delimiter)
        tokens_read[index] = (kind, operator, body)
    waiting.clear()
    return at


def _here_document(text: str, at: int, delimiter: str) -> tuple[str, int]:
    start = at
    while at < len(text):
        end = _line_end(text, at)
        if text[at:end].strip() == delimiter:
            return text[start:at], end + 1
        at = end + 1
    return text[start:], len(text)


def _word(text: str, at: int) -> tuple[str, int]:
    """Read the word that begins at ``at``; return its value and its end."""
    pieces: list[str] = []
    while at < len(text) and text[at] not in _WORD_ENDS:
        char = text[at]
        if char not in _SPECIAL:
            end = at + 1
            while end < len(text) and text[end] not in _STOPS:
                end += 1
            pieces.append(text[at:end])
        else:
            piece, end = _quoted_piece(text, at, char)
            pieces.append(piece)
        at = end
        if text.startswith("(", at) and pieces[-1].endswith("="):  # a list: name=(a b)
            end = _closing_parenthesis(text, at + 1)
            pieces.append(text[at:end])
            at = end
    return "".join(pieces), at


def _quoted_piece(text: str, at: int, char: str) -> tuple[str, int]:
    if char == "'":
        end = _find_or_end(text, "'", at + 1)
        return text[at + 1 : end], end + 1
    if char == '"':
        return _double_quoted(text, at + 1)
    if char == "`":
        end = _unescaped_end(text, at + 1, "`")
        return text[at:end], end
    if char == "\\":
        following = text[at + 1 : at + 2]
        return "" if following == "\n" else following, at + 2
    if text.startswith("$'", at):
        end = _unescaped_end(text, at + 2, "'")
        return _unescape(text[at + 2 : end].removesuffix("'")), end
    if text.startswith('$"', at):
        return _double_quoted(text, at + 2)
    return _expansion(text, at)


def _expansion(text: str, at: int, depth: int = 0) -> tuple[str, int]:
    """``$(...)`` and ``${...}`` stay as they are written, as one opaque piece."""
    if text.startswith("$(", at):
        end = _closing_parenthesis(text, at + 2, depth)
        return text[at:end], end
    if text.startswith("${", at):
        end = min(_find_or_end(text, "}", at) + 1, len(text))
        return text[at:end], end
    return "$", at + 1


def _double_quoted(text: str, at: int, depth: int = 0) -> tuple[str, int]:
    """Return what stands in double quotes from ``at`` on, and the position behind them."""
    pieces: list[str] = []
    while at < len(text) and text[at] != '"':
        char = text[at]
        if char == "\\":
            following = text[at + 1 : at + 2]
            pieces.append(following if following in '"\\$`' else "\\" + following)
            end = at + 2
        elif char == "$":
            piece, end = _expansion(text, at, depth)
            pieces.append(piece)
        elif char == "`":
            end = _unescaped_end(text, at + 1, "`")
            pieces.append(text[at:end])
        else:
            end = at + 1
            while end < len(text) and text[end] not in '"\\$`':
                end += 1
            pieces.append(text[at:end])
        at = end
    return "".join(pieces), at + 1


def _closing_parenthesis(text: str, at: int, depth: int = 0) -> int:
    """Return the position behind the ``)`` that closes what was opened before ``at``."""
    if depth > _DEEPEST:
        return len(text)
    arithmetic = text.startswith("(", at)
    opened = 1
    while at < len(text):
        char = text[at]
        if char == "'":
            at = _find_or_end(text, "'", at + 1) + 1
        elif char == '"':
            at = _double_quoted(text, at + 1, depth + 1)[1]
        elif char == "`":
            at = _unescaped_end(text, at + 1, "`")
        elif char == "\\":
            at += 2
        elif char == "<" and text.startswith("<<", at) and not arithmetic:
            at = _skip_here_document(text, at)
        elif char == "#" and text[at - 1] in " \t\n":
            at = _line_end(text, at)
        else:
            at += 1
            opened += (char == "(") - (char == ")")
            if not opened:
                return at
    return len(text)


def _skip_here_document(text: str, at: int) -> int:
    """Pass over ``<<EOF ...`` inside a substitution, whose text may hold odd quotes and brackets.

    What stands behind the word on its line is passed over, too.
    """
    if text.startswith("<<<", at):
        return at + 3
    at += 3 if text.startswith("<<-", at) else 2
    while at < len(text) and text[at] in _BLANKS:
        at += 1
    delimiter, end = _word(text, at)
    return _here_document(text, _line_end(text, end) + 1, delimiter)[1]


def _find_or_end(text: str, char: str, at: int) -> int:
    end = text.find(char, at)
    return len(text) if end < 0 else end


def _unescaped_end(text: str, at: int, char: str) -> int:
    """Return the position behind the next ``char`` that has no backslash before it."""
    while at < len(text):
        if text[at] == char:
            return at + 1
        at += 2 if text[at] == "\\" else 1
    return len(text)


def _unescape(text: str) -> str:
    first, *rest = text.split("\\")
    pieces, literal = [first], False
    for piece in rest:
        if literal or piece:
            pieces.append(piece if literal else _ESCAPES.get(piece[0], piece[0]) + piece[1:])
        else:  # two backslashes in a row
            pieces.append("\\")
        literal = not literal and not piece
    return "".join(pieces)


_DEEPEST_NESTING = 20
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
        if self.depth > _DEEPEST_NESTING:
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
