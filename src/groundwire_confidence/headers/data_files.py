"""Scores beside files that cannot hold one: ``data.csv`` has ``data.csv.confidence.json``."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from groundwire.base.errors import ConfidenceError, FileError
from groundwire.base.files import Skipped, TextFile, read_text_file
from groundwire.base.record import Record
from groundwire_confidence.headers.front_matter import (
    front_matter_span,
    is_mapping,
    metadata_of,
    metadata_problems,
)
from groundwire_confidence.headers.json_header import confidence_of, is_object
from groundwire_confidence.reinforcement.ageing import (
    DECAY_PER_MONTH,
    Age,
    Date,
    data_age,
    next_review,
    read_date,
    show_date,
)

SUFFIX = ".confidence.json"


def sidecar_of(path: Path) -> Path:
    """Return the path of the sidecar of a file."""
    return path.with_name(path.name + SUFFIX)


def is_sidecar(path: Path) -> bool:
    """Tell whether a file is the sidecar of another."""
    return path.name.endswith(SUFFIX)


#: Where the record of a data file stands.
FRONT_MATTER, MAPPING, KEY, SIDECAR = "front matter", "top-level key", "_confidence", "sidecar"
SUFFIXES = (".md", ".txt", ".yml", ".yaml", ".json", ".csv")


class DataFile(Record):
    """One data file: its age, and what is wrong with its record.

    ``stale`` says that the score written down is not that of today, as time makes it.
    """

    path: Path
    where: str
    validated: str = ""
    age: Age | None = None
    problems: tuple[str, ...] = ()
    stale: str = ""


def record_place(file: TextFile) -> str:
    """Return where the record of a data file stands or belongs; raises FileError."""
    suffix = file.path.suffix.lower()
    if suffix == ".md":
        return FRONT_MATTER
    if suffix in (".yml", ".yaml") and is_mapping(file.text):
        return MAPPING
    if suffix == ".json" and is_object(file.text):
        return KEY
    return SIDECAR


def check_data_file(path: Path, today: Date) -> DataFile | Skipped:
    """Read the record of one data file and hold it against ``today``."""
    if is_sidecar(path):
        return Skipped(path, "holds the score of another file")
    file = read_text_file(path)
    if isinstance(file, Skipped):
        return file
    where = ""
    try:
        where = record_place(file)
        if where in (FRONT_MATTER, MAPPING):
            return _from_metadata(file, where, today)
        fields = confidence_of(file.text) if where == KEY else sidecar_fields(path)
    except FileError as error:
        return DataFile(path, where, problems=(str(error),))
    if fields is None:
        return DataFile(path, where, problems=(f"no validation record ({where})",))
    return _from_fields(path, where, fields, today)


def sidecar_fields(path: Path) -> dict[str, Any] | None:
    """Return what the sidecar of a file says, None without one; raises FileError."""
    beside = sidecar_of(path)
    if not beside.exists():
        return None
    file = read_text_file(beside)
    if isinstance(file, Skipped):
        raise FileError(f"{beside.name}: {file.reason}")
    try:
        fields = confidence_of(file.text) if is_object(file.text) else None
    except FileError as error:
        raise FileError(f"{beside.name}: {error}") from None
    if fields is None:
        raise FileError(f"{beside.name}: allowed: an object with the key _confidence")
    return fields


def metadata_values(file: TextFile, where: str) -> dict[str, str] | None:
    """Return the values of ``data_metadata``, None without it; raises FileError."""
    region = (0, len(file.text)) if where == MAPPING else front_matter_span(file.text)
    metadata = metadata_of(file.text, region) if region else None
    return metadata.values if metadata else None


def _from_metadata(file: TextFile, where: str, today: Date) -> DataFile:
    values = metadata_values(file, where)
    if values is None:
        return DataFile(file.path, where, problems=(f"no data_metadata ({where})",))
    problems = tuple(metadata_problems(values, today))
    validated = values.get("validated") or values.get("created", "")
    return _aged(DataFile(file.path, where, validated, None, problems), today)


def _from_fields(path: Path, where: str, fields: dict[str, Any], today: Date) -> DataFile:
    problems = fields_problems(fields)
    validated = str(fields.get("validated", fields.get("created", "")))
    data = _aged(DataFile(path, where, validated, None, tuple(problems)), today)
    if data.age and fields.get("score") != data.age.confidence:
        score = fields.get("score")
        data = data.replace(stale=f"score: value {score!r:.40}: {data.age.confidence:g} today")
    return data


def _aged(data: DataFile, today: Date) -> DataFile:
    try:
        return data.replace(age=data_age(read_date("validated", data.validated), today))
    except ConfidenceError as error:
        known = any(problem.startswith("validated") for problem in data.problems)
        if known or not data.validated:
            return data
        return data.replace(problems=(*data.problems, str(error)))


def fields_problems(fields: dict[str, Any]) -> list[str]:
    """Return what is wrong with ``_confidence`` of a data file; [] when it is in order."""
    problems = []
    for key in ("created", "validated", "next_review"):
        if key == "validated" and key not in fields:
            continue
        try:
            read_date(key, fields.get(key))
        except ConfidenceError as error:
            problems.append(str(error) if key in fields else f"{key} is missing")
    if fields.get("decay_rate") != DECAY_PER_MONTH:
        problems.append(f"decay_rate: value {fields.get('decay_rate')!r:.40}: allowed: 0.001")
    if fields.get("human_validated") is not True:
        problems.append("human_validated: allowed: true, set by a person")
    return problems


def data_fields(
    created: str, validated: Date, today: Date, *, by_person: bool = True
) -> dict[str, Any]:
    """Return ``_confidence`` of data that a person validated on a day; ``created`` may be "".

    Data that is new that day counts the same, but says that no person validated it.
    """
    day = show_date(validated)
    fields: dict[str, Any] = {
        "score": data_age(validated, today).confidence,
        "created": created or day,
        "next_review": show_date(next_review(validated)),
        "decay_rate": DECAY_PER_MONTH,
        "human_validated": by_person,
    }
    if fields["created"] != day:
        fields["validated"] = day
    return fields
