"""New inputs from old ones: as text, as JSON, or line by line; the same seed, the same inputs."""

import json
from collections.abc import Iterable
from pathlib import Path
from random import Random
from typing import Any

WORDS: dict[str, Any] = json.loads(Path(__file__).with_name("words.json").read_text("ascii"))
#: What readers of text stumble over: ends of lines, direction marks, controls, half pairs, numbers.
_ODD: list[str] = WORDS["odd"]
_VALUES: tuple[Any, ...] = (
    *(None, True, False, 0, -1, 1.5, 10**20, "", " ", "\n", "x", "\ud800", [], {}, [[]], [{}]),
    *({"": {}}, ["x"], [None], {"type": "text", "text": "I think so."}, "x" * 500),
)
#: Characters of what one input may grow to, and of one that repeats a piece of itself.
LONGEST, LARGE = 500, 40_000
#: One of so many changes makes a large input.
_RARELY = 1_000


class Mutator:
    """Changes inputs of one ``shape``: "text", "json" or "lines" of JSON; inserts ``words``."""

    def __init__(self, seed: int, shape: str, words: tuple[str, ...]) -> None:
        self.random = Random(seed)
        self._change = {"text": self._text, "json": self._json, "lines": self._lines}[shape]
        self._words = words

    def __call__(self, data: bytes, other: bytes) -> bytes:
        """Return ``data`` with one to four changes, some of them pieces of ``other``."""
        for _ in range(self.random.choice((1, 1, 2, 4))):
            change = self._change if self.random.random() < 0.9 else self._text
            data = change(data, other)
        return data

    def _text(self, data: bytes, other: bytes) -> bytes:
        texts = (one.decode("utf-8", "surrogateescape") for one in (data, other))
        return _bytes(self._changed(*texts))

    def _changed(self, text: str, other: str) -> str:
        random, size = self.random, len(text)
        at, end = sorted((random.randint(0, size), random.randint(0, size)))
        word, odd = random.choice(self._words), random.choice(_ODD)
        if random.randrange(_RARELY) == 0:
            piece = text[at : at + random.choice((1, 2, 5, 20, 60))] or word
            piece *= random.randint(1, LARGE) // len(piece)
            return f"{text[:at]}{piece}{text[at:]}"[:LARGE]
        end = min(end, at + random.choice((1, 8, 40, 200)))
        start, space = random.randint(0, len(other)), random.choice((" ", "", " ", "\n"))
        piece, end = random.choice(
            (
                ("", end),
                (text[at:end] * 2, end),
                (other[start : start + random.randint(1, 60)], end),
                (odd, at),
                (odd, at + 1),
                *[(f"{space}{word}{space}", at)] * 3,
            )
        )
        text = text[:at] + piece + text[end:]
        return text[:LONGEST] if len(text) < LARGE // 2 else text

    def _json(self, data: bytes, other: bytes) -> bytes:
        try:
            value, donor = json.loads(data), _places(json.loads(other))
            places = _places(value)
            if not places:
                return other
            holder, key = max(  # what is said matters more than what is noted beside it
                (self.random.choice(places) for _ in range(3)),
                key=lambda place: isinstance(old := place[0][place[1]], str) and len(old),
            )
            self._change_place(holder, key, [held[name] for held, name in donor])
            return json.dumps(value, ensure_ascii=self.random.random() < 0.9).encode()
        except (ValueError, RecursionError):  # also of half pairs
            return self._text(data, other)

    def _change_place(self, holder: Any, key: Any, donor: list[Any]) -> None:
        random, old = self.random, holder[key]
        alike = [one for one in donor if type(one) is type(old)] or _VALUES
        way = random.randrange(10)
        if isinstance(old, str) and way < 6:
            holder[key] = self._changed(old, str(random.choice(alike)))
        elif way == 6:
            del holder[key]
        elif way == 7:
            holder[key] = random.choice(_VALUES)
        elif way == 8 and isinstance(holder, list):
            holder.insert(random.randint(0, len(holder)), json.loads(json.dumps(old)))
        else:
            holder[key] = random.choice(alike)

    def _lines(self, data: bytes, other: bytes) -> bytes:
        random, lines, others = self.random, data.split(b"\n"), other.split(b"\n")
        at = random.randrange(len(lines))
        line, given = lines[at], random.choice(others)
        cut, changed = line[: random.randint(0, len(line))], self._json(line, given)
        if random.randrange(12) == 0:
            lines.insert(random.randint(0, len(lines)), line)
        else:
            lines[at : at + 1] = random.choice(([], [given, line], [cut], *[[changed]] * 8))
        return b"\n".join(lines[:60])


def _places(value: Any) -> list[tuple[Any, Any]]:
    """Return each place in ``value`` as what holds it and its key there."""
    found = [(value, key) for key in _keys(value)]
    for holder, key in found:  # which grows
        found += [(holder[key], below) for below in _keys(holder[key])]
    return found


def _keys(value: Any) -> Iterable[Any]:
    return value if isinstance(value, dict) else range(len(value) if isinstance(value, list) else 0)


def _bytes(text: str) -> bytes:
    try:
        return text.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError:  # half pairs that stand for no byte
        return text.encode("utf-8", "surrogatepass")
