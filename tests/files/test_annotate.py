"""Annotating whole files: a writer for each type, data files, checks, scans that stay the same."""

import json
from pathlib import Path

from groundwire.base.files import Skipped
from groundwire.base.rules.file_patterns import shipped_file_patterns
from groundwire.language.file_patterns import FileScanner
from groundwire_confidence.headers.annotate import Options, Plan, check, plan
from groundwire_confidence.headers.data_files import DataFile, check_data_file
from groundwire_confidence.headers.milestones import FileScan, scan_file
from tests.files.put import put
from tests.support.tables import rows, table, tables

TABLES = tables(__file__)
SCANNER = FileScanner(shipped_file_patterns())
TODAY = (2026, 6, 20)
#: What the header of the requirement is made of, without the automaton's part.
OPTIONS = Options(TODAY, 0.707, 0.08, 0.05, validation=True, integration=True)
VALIDATED = OPTIONS.replace(validated=(2026, 3, 20))


def planned(path: Path, options: Options = OPTIONS) -> Plan:
    found = plan(path, options, SCANNER)
    assert isinstance(found, Plan), found
    return found


def reason(path: Path, options: Options = OPTIONS) -> str:
    found = plan(path, options, SCANNER)
    assert isinstance(found, Skipped), found
    return found.reason


@table
def test_type(name: str, content: str, start: str, tmp_path: Path) -> None:
    path = put(tmp_path, name, content)
    before = scan_file(path, SCANNER)
    assert check(path, TODAY) != ()
    planned(path).write()
    written = path.read_text(encoding="utf-8")
    assert written.startswith(start)
    assert check(path, TODAY) == ()
    assert not planned(path).changes
    assert not planned(path, OPTIONS.replace(today=(2027, 1, 1))).changes
    after = scan_file(path, SCANNER)
    assert isinstance(before, FileScan)
    assert isinstance(after, FileScan)
    assert after.sums == before.sums  # a header never raises the next score
    planned(path, OPTIONS.replace(evidence=0.5)).write()
    code = path.suffix.lower() in (".py", ".rb", ".sh", ".js", ".ts")  # says nothing of evidence
    assert (path.read_text(encoding="utf-8") == written) == code
    planned(path).write()
    assert path.read_text(encoding="utf-8") == written


def test_the_mark_and_the_line_ends_stay(tmp_path: Path) -> None:
    path = put(tmp_path, "a.md", b"\xef\xbb\xbfa\r\nb")
    planned(path).write()
    data = path.read_bytes()
    assert data.startswith(b"\xef\xbb\xbf<!--\r\n")
    assert data.endswith(b"-->\r\na\r\nb")
    assert data.count(b"\n") == data.count(b"\r\n")


@table
def test_a_data_file(name: str, content: str, where: str, tmp_path: Path) -> None:
    path = put(tmp_path, name, content)
    missing = check_data_file(path, TODAY)
    assert isinstance(missing, DataFile)
    assert missing.problems
    planned(path, VALIDATED).write()
    data = check_data_file(path, TODAY)
    assert isinstance(data, DataFile)
    assert (data.where, data.validated, data.problems) == (where, "2026-03-20", ())
    assert data.age is not None
    assert (data.age.months, data.age.confidence, data.age.action) == (3, 0.997, "None")
    assert check(path, TODAY) == ()
    assert not planned(path, VALIDATED).changes
    assert not planned(path).changes  # nobody validated it again
    kept = iter(path.read_text(encoding="utf-8").replace("}, ", "}\n{").splitlines())
    assert all(line in kept for line in content.splitlines())  # in their order


GOOD = TABLES["good"]


def checked(name: str, content: str, said: str, *, tmp_path: Path) -> bool:
    return said in str(check(put(tmp_path, name, content), TODAY))


test_row = rows(
    __file__,
    passed_over=lambda name, content, said, *, tmp_path: (
        said in reason(put(tmp_path, name, content.encode("latin-1")))
    ),
    a_record_that_is_not_in_order=lambda changed, said, *, tmp_path: checked(
        "_data/a.json", json.dumps({"_confidence": {**GOOD, **changed}}), said, tmp_path=tmp_path
    ),
    json_without_a_score_in_order=checked,
)
