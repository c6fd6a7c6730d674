"""New inputs from old ones: as text, as JSON, or line by line; the same seed, the same inputs."""

import json
from pathlib import Path
from random import Random
from typing import Any

_WORDS = json.loads(Path(__file__).with_name("words.json").read_text("ascii"))
#: What readers of text stumble over: ends of lines, direction marks, controls, half pairs, numbers.
ODD: tuple[str, ...] = tuple(_WORDS["odd"])
VALUES: tuple[Any, ...] = (
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
        self._shape = shape
        self._words = words

    def __call__(self, data: bytes, other: bytes) -> bytes:
        """Return ``data`` with one to four changes, some of them pieces of ``other``."""
        for _ in range(self.random.choice((1, 1, 2, 4))):
            data = self._changed(data, other)
        return data

    def _changed(self, data: bytes, other: bytes) -> bytes:
        chance = self.random.random()
        if self._shape == "json" and chance < 0.9:
            return self._json(data, other)
        if self._shape == "lines" and chance < 0.95:
            return self._lines(data, other)
        return _bytes(self.text(_text(data), _text(other)))

    def text(self, text: str, other: str = "") -> str:
        """Return a text with one change."""
        random = self.random
        at, end = sorted((random.randint(0, len(text)), random.randint(0, len(text))))
        end = min(end, at + random.choice((1, 8, 40, 200)))
        if random.randrange(_RARELY) == 0:
            piece = text[at : at + random.choice((1, 2, 5, 20, 60))] or random.choice(self._words)
            return (text[:at] + piece * (random.randint(1, LARGE) // len(piece)) + text[at:])[
                :LARGE
            ]
        way = random.randrange(8)
        if way == 0:
            text = text[:at] + text[end:]
        elif way == 1:
            text = text[:end] + text[at:]
        elif way == 2:
            start = random.randint(0, len(other))
            text = text[:at] + other[start : start + random.randint(1, 60)] + text[end:]
        elif way == 3:
            text = text[:at] + random.choice(ODD) + text[at:]
        elif way == 4:
            text = text[:at] + random.choice(ODD) + text[at + 1 :]
        else:
            space = random.choice((" ", "", " ", "\n"))
            text = f"{text[:at]}{space}{random.choice(self._words)}{space}{text[at:]}"
        return text[:LONGEST] if len(text) < LARGE // 2 else text

    def _json(self, data: bytes, other: bytes) -> bytes:
        try:
            value, donor = json.loads(data), json.loads(other)
        except (ValueError, RecursionError):
            return _bytes(self.text(_text(data), _text(other)))
        places = _places(value)
        if not places:
            return other
        holder, key = max(  # what is said matters more than what is noted beside it
            (self.random.choice(places) for _ in range(3)),
            key=lambda place: len(place[0][place[1]]) if isinstance(place[0][place[1]], str) else 0,
        )
        self._change_place(holder, key, donor)
        try:
            return json.dumps(value, ensure_ascii=self.random.random() < 0.9).encode()
        except (UnicodeEncodeError, RecursionError):
            return data

    def _change_place(self, holder: Any, key: Any, donor: Any) -> None:
        random, old = self.random, holder[key]
        way = random.randrange(10)
        if isinstance(old, str) and way < 6:
            said = [d[k] for d, k in _places(donor) if isinstance(d[k], str)]
            holder[key] = self.text(old, random.choice(said) if said else "")
        elif way == 6:
            del holder[key]
        elif way == 7:
            holder[key] = random.choice(VALUES)
        elif way == 8 and isinstance(holder, list):
            holder.insert(random.randint(0, len(holder)), json.loads(json.dumps(old)))
        else:
            places = [d[k] for d, k in _places(donor) if type(d[k]) is type(old)]
            holder[key] = random.choice(places) if places else random.choice(VALUES)

    def _lines(self, data: bytes, other: bytes) -> bytes:
        random = self.random
        lines, others = data.split(b"\n"), other.split(b"\n")
        at, way = random.randrange(len(lines)), random.randrange(12)
        if way == 0:
            del lines[at]
        elif way == 1:
            lines.insert(random.randint(0, len(lines)), lines[at])
        elif way == 2:
            lines.insert(at, random.choice(others))
        elif way == 3:
            lines[at] = lines[at][: random.randint(0, len(lines[at]))]
        else:
            lines[at] = self._json(lines[at], random.choice(others))
        return b"\n".join(lines[:60])


def _places(value: Any) -> list[tuple[Any, Any]]:
    """Return each place in ``value`` as what holds it and its key there."""
    found: list[tuple[Any, Any]] = []
    left = [value] if isinstance(value, (dict, list)) else []
    while left:
        holder = left.pop()
        keys = list(holder) if isinstance(holder, dict) else range(len(holder))
        for key in keys:
            found.append((holder, key))
            if isinstance(holder[key], (dict, list)):
                left.append(holder[key])
    return found


def _text(data: bytes) -> str:
    return data.decode("utf-8", "surrogateescape")


def _bytes(text: str) -> bytes:
    return text.encode("utf-8", "surrogateescape" if _is_escaped(text) else "surrogatepass")


def _is_escaped(text: str) -> bool:
    return not any("\ud800" <= one < "\udc80" or "\udcff" < one <= "\udfff" for one in text)
