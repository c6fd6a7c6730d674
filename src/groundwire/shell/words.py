"""Shell text as tokens: words without their quotes, operators, redirections.

Forgiving: what is not closed reaches to the end. One pass, every character is looked at once by
each level of reading, and the nesting of levels is bounded.
"""

from __future__ import annotations

WORD, OPERATOR, REDIRECTION = "word", "operator", "redirection"

TYPE_CHECKING = False
if TYPE_CHECKING:
    #: Kind, value and source. Of a word the value has no quotes; of a redirection the source is
    #: its target, and the value its operator with the descriptor before it ("2>", "<<").
    Token = tuple[str, str, str]

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
