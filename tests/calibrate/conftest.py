"""The command, and a small labelled set, for the tests of this folder."""

from pathlib import Path

import pytest

from groundwire_lab.fit import Case, read_cases
from groundwire_lab.runtime import shipped_runtime
from groundwire_lab.samples import Sample, read_samples
from tests.calibrate.synthetic import write_set
from tests.cli.command import Command


@pytest.fixture(scope="package")
def samples(tmp_path_factory: pytest.TempPathFactory) -> list[Sample]:
    return read_samples(write_set(tmp_path_factory.mktemp("set")))


@pytest.fixture(scope="package")
def cases(samples: list[Sample]) -> list[Case]:
    return read_cases(samples, shipped_runtime())


@pytest.fixture
def gold(cli: Command) -> Path:
    folder = cli.folder / "gold"
    write_set(folder)
    return folder
