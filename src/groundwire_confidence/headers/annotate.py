"""Writing and checking score headers: what would change in a file, and whether it is in order."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from groundwire.base.errors import ConfidenceError, FileError
from groundwire.base.files import (
    Skipped,
    TextFile,
    create_text,
    is_data_file,
    read_text_file,
    replace_text,
)
from groundwire.base.record import Record
from groundwire.language.file_patterns import FileScanner
from groundwire_confidence.headers.data_files import (
    KEY,
    SIDECAR,
    check_data_file,
    data_fields,
    is_sidecar,
    metadata_values,
    record_place,
    sidecar_fields,
    sidecar_of,
)
from groundwire_confidence.headers.data_files import MAPPING as WHOLE
from groundwire_confidence.headers.data_files import SUFFIXES as DATA_SUFFIXES
from groundwire_confidence.headers.front_matter import (
    created_values,
    validated_values,
    with_metadata,
)
from groundwire_confidence.headers.headers import STYLES, check_header, with_header
from groundwire_confidence.headers.json_header import confidence_of, is_object, with_confidence
from groundwire_confidence.headers.milestones import find_patterns
from groundwire_confidence.headers.score import Score, header_problem, json_fields, modifier_names
from groundwire_confidence.reinforcement.ageing import Date, read_date, show_date
from groundwire_confidence.reinforcement.formulas import (
    CODE_REFACTOR_PER_FILE,
    NON_MD_PER_FILE,
    Modifiers,
)
from groundwire_confidence.reinforcement.milestones import milestone

LINK = "a symbolic link; --follow writes to what it leads to"
SUFFIXES = (*STYLES, ".json", ".csv")


class Options(Record):
    """What is known of the files from elsewhere; the automaton's part comes from the scan.

    ``milestone`` "" takes the highest one with a pattern in the file. ``validated`` is the day on
    which a person validated the data files, None when nobody did.
    """

    today: Date
    base: float | None = None
    evidence: float = 0.0
    observation: float = 0.0
    validation: bool = False
    integration: bool = False
    refactored: int = 0
    created: bool = False
    milestone: str = ""
    validated: Date | None = None
    content_suffixes: tuple[str, ...] = (".md",)


class Plan(Record):
    """What writing would do to one file: ``target`` gets ``text``.

    ``file`` is the present target, None when it does not exist yet.
    """

    path: Path
    target: Path
    text: str
    file: TextFile | None = None

    @property
    def changes(self) -> bool:
        """Whether anything would change."""
        return self.file is None or self.file.text != self.text

    def write(self, follow: bool = False) -> None:
        """Write the target; through a link only with ``follow``. Raises FileError."""
        if self.target.is_symlink() and not follow:
            raise FileError(f"{self.target}: {LINK}")
        if self.file is None:
            create_text(self.target, self.text)
        elif self.changes:
            replace_text(self.file, self.text)


def plan(path: Path, options: Options, scanner: FileScanner) -> Plan | Skipped:
    """Return what writing would do to one file, or why it is passed over.

    Raises ConfidenceError for options out of range.
    """
    file = _readable(path)
    if isinstance(file, Skipped):
        return file
    try:
        if is_data_file(path) and path.suffix.lower() in DATA_SUFFIXES:
            return _plan_data(file, options)
        return _plan_header(file, options, scanner)
    except FileError as error:
        return Skipped(path, str(error))


def _readable(path: Path) -> TextFile | Skipped:
    if is_sidecar(path):
        return Skipped(path, "holds the score of another file")
    if path.suffix.lower() not in SUFFIXES:
        return Skipped(path, no_writer(path))
    return read_text_file(path)


def no_writer(path: Path) -> str:
    """Return why a file of this type gets no header."""
    return f"no header for {path.suffix or 'such'} files"


def _plan_header(file: TextFile, options: Options, scanner: FileScanner) -> Plan:
    score = score_of(file, options, scanner)
    updated = show_date(options.today)
    style = STYLES.get(file.path.suffix.lower())
    if style:
        text = with_header(file.text, style, score, updated, file.line_end)
        return Plan(file.path, file.path, text, file)
    if file.path.suffix.lower() == ".json" and is_object(file.text):
        fields = _kept_day(confidence_of(file.text), json_fields(score, updated))
        text = with_confidence(file.text, fields, file.line_end)
        return Plan(file.path, file.path, text, file)
    return _plan_sidecar(
        file.path, _kept_day(sidecar_fields(file.path), json_fields(score, updated))
    )


def score_of(file: TextFile, options: Options, scanner: FileScanner) -> Score:
    """Return the score of a file: the options, and whether it holds milestone patterns."""
    hits, _ = find_patterns(file, scanner)
    highest = max((hit.pattern.milestone for hit in hits), default="M1")
    penalised = options.created and file.path.suffix.lower() not in options.content_suffixes
    modifiers = Modifiers(
        validation=options.validation,
        aho_corasick=bool(hits),
        code_refactor=CODE_REFACTOR_PER_FILE * options.refactored,
        vv_integration=options.integration,
        non_md_penalty=NON_MD_PER_FILE if penalised else 0.0,
    )
    name = milestone(options.milestone or highest).name
    return Score(options.base, options.evidence, options.observation, modifiers, name)


def _kept_day(old: dict[str, Any] | None, new: dict[str, Any]) -> dict[str, Any]:
    """Return ``new`` with the old date when nothing else differs."""
    if old and {**old, "last_updated": ""} == {**new, "last_updated": ""}:
        return old
    return new


def _plan_sidecar(path: Path, fields: dict[str, Any]) -> Plan:
    target = sidecar_of(path)
    if target.exists():
        file = read_text_file(target)
        if isinstance(file, Skipped):
            raise FileError(f"{target.name}: {file.reason}")
        return Plan(path, target, with_confidence(file.text, fields, file.line_end), file)
    return Plan(path, target, json.dumps({"_confidence": fields}, indent=2) + "\n")


def _plan_data(file: TextFile, options: Options) -> Plan | Skipped:
    where = record_place(file)
    if where not in (KEY, SIDECAR):
        values = metadata_values(file, where)
        if options.validated is not None:
            created = (values or {}).get("created", "")
            new = validated_values(_day(created), options.validated)
        elif values is None and options.created:
            new = created_values(options.today)
        else:
            return _unchanged(file, values is not None)
        text = with_metadata(file.text, new, file.line_end, whole=where == WHOLE)
        return Plan(file.path, file.path, text, file)
    fields = confidence_of(file.text) if where == KEY else sidecar_fields(file.path)
    new_fields = _data_fields(fields, options)
    if new_fields is None:
        return _unchanged(file, fields is not None)
    if where == SIDECAR:
        return _plan_sidecar(file.path, new_fields)
    return Plan(file.path, file.path, with_confidence(file.text, new_fields, file.line_end), file)


def _unchanged(file: TextFile, has_record: bool) -> Plan | Skipped:
    """Return a plan that changes nothing; without a record only a person can make one."""
    if has_record:
        return Plan(file.path, file.path, file.text, file)
    text = "no validation record; --validated DATE: a person validated, --created: it is new"
    return Skipped(file.path, text)


def _data_fields(fields: dict[str, Any] | None, options: Options) -> dict[str, Any] | None:
    """Return the fields of a data file: validated anew, or its score brought up to date."""
    old = fields or {}
    if options.validated is not None:
        return data_fields(_day(old.get("created")), options.validated, options.today)
    if fields is None and options.created:
        return data_fields("", options.today, options.today, by_person=False)
    if old.get("human_validated") is not True:
        return None
    try:
        validated = read_date("validated", old.get("validated", old.get("created")))
        return {**old, "score": data_fields("", validated, options.today)["score"]}
    except ConfidenceError as error:
        raise FileError(str(error)) from None


def _day(value: object) -> str:
    """Return a date as it stands; "" when it is none."""
    try:
        return show_date(read_date("created", value))
    except ConfidenceError:
        return ""


def check(path: Path, today: Date) -> tuple[str, ...] | Skipped:
    """Return what is wrong with the header or validation record of a file; () when in order."""
    file = _readable(path)
    if isinstance(file, Skipped):
        return file
    suffix = path.suffix.lower()
    if is_data_file(path) and suffix in DATA_SUFFIXES:
        checked = check_data_file(path, today)
        if isinstance(checked, Skipped):
            return checked
        return (*checked.problems, *([checked.stale] if checked.stale else []))
    if suffix in STYLES:
        problem = check_header(file.text, STYLES[suffix])
        return (problem,) if problem else ()
    try:
        in_file = suffix == ".json" and is_object(file.text)
        fields = confidence_of(file.text) if in_file else sidecar_fields(path)
    except FileError as error:
        return (str(error),)
    return _check_fields(fields)


def _check_fields(fields: dict[str, Any] | None) -> tuple[str, ...]:
    if fields is None:
        return ("has no score",)
    numbers = {}
    for key in ("score", "base", "evidence", "observation", *modifier_names()):
        value = fields.get(key)
        if not isinstance(value, int | float) or isinstance(value, bool):
            return (f"{key}: value {value!r:.40}: allowed: a number",)
        numbers[key] = float(value)
    try:
        read_date("last_updated", fields.get("last_updated"))
        milestone(fields.get("milestone"))
    except ConfidenceError as error:
        return (str(error),)
    problem = header_problem(numbers)
    return (problem,) if problem else ()
