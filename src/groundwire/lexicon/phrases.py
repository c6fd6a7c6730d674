"""The words of another language that readers of English know: ``patterns/CODE/words.toml``.

``[words]`` holds, for an English word or phrase, what the language says for it; "" stands for words
that are left out. ``decimal`` is the mark of decimals.
"""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from groundwire.errors import LexiconError
from groundwire.rules import DECIMAL


class _File(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)

    schema_: Annotated[Literal[1], Field(alias="schema")]
    mode: Literal["words"]
    decimal: Literal[".", ","] = "."
    words: dict[str, list[str]]


def load_words(path: Path) -> dict[str, str]:
    """Return phrase -> English; raises LexiconError with all problems of the file, a line each."""
    try:
        parsed = _File.model_validate(tomllib.loads(path.read_text(encoding="utf-8")))
    except (OSError, ValueError, ValidationError) as error:
        raise LexiconError(f"{path}: -: {error}") from None
    meanings: dict[str, str] = {}
    errors = []
    for english, phrases in parsed.words.items():
        wrong = [one for one in (english, *phrases) if one != one.strip().lower()]
        errors += [f"{path}: {english}: {one!r} is no phrase in lower case" for one in wrong]
        twice = [one for one in phrases if not one or meanings.setdefault(one, english) != english]
        errors += [f"{path}: {english}: {one!r} is empty or stands elsewhere" for one in twice]
    if errors:
        raise LexiconError("\n".join(errors))
    return meanings | ({DECIMAL: ""} if parsed.decimal == "," else {})
