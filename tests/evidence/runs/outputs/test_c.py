"""Real outputs of cmake, ctest, make, ninja, gcc and clang."""

from __future__ import annotations

import pytest

from groundwire.evidence.runs.model import Outcome
from groundwire.evidence.runs.outputs import parse_output
from tests.evidence.runs.outputs.fixture import Row, cases, failed, passed, read, unknown

ROWS: list[Row] = [
    (
        "cmake",
        "cmake/build_failed",
        failed(
            "/home/dev/matrix/src/matrix.c:10:43: error: ‘j’ undeclared (first use in this "
            "function)"
        ),
    ),
    (
        "cmake",
        "cmake/build_failed_ninja",
        failed(
            "/home/dev/matrix/src/matrix.c:10:43: error: ‘j’ undeclared (first use in this "
            "function)"
        ),
    ),
    ("cmake", "cmake/build_passed", passed("[100%] Built target test_slow")),
    (
        "cmake",
        "cmake/configure_failed",
        failed(
            "CMake Error at CMakeLists.txt:13 (find_package): By not providing "
            '"FindNoSuchLibrary.cmake" in CMAKE_MODULE_PATH this'
        ),
    ),
    (
        "cmake",
        "cmake/configure_ninja",
        passed("-- Build files have been written to: /home/dev/matrix/nb"),
    ),
    (
        "cmake",
        "cmake/configure_passed",
        passed("-- Build files have been written to: /home/dev/matrix/build"),
    ),
    (
        "cmake",
        "cmake/no_lists",
        failed(
            'CMake Error: The source directory "/home/dev/matrix/src" does not appear to '
            "contain CMakeLists.txt."
        ),
    ),
    (
        "ctest",
        "ctest/failed",
        failed("0% tests passed, 3 tests failed out of 3", failed=3, total=3),
    ),
    (
        "ctest",
        "ctest/failed_colours",
        failed("0% tests passed, 3 tests failed out of 3", failed=3, total=3),
    ),
    # the list alone; stderr comes first through the pipe
    ("ctest", "ctest/failed_tail", failed("Errors while running CTest")),
    # exit status 0 all the same
    ("ctest", "ctest/no_config", unknown("No test configuration file found!", total=0)),
    (
        "ctest",
        "ctest/not_built",
        failed("0% tests passed, 3 tests failed out of 3", failed=3, total=3),
    ),
    ("ctest", "ctest/nothing_ran", unknown("No tests were found!!!", total=0)),
    (
        "ctest",
        "ctest/passed",
        passed("100% tests passed, 0 tests failed out of 3", failed=0, total=3),
    ),
    # no summary
    ("ctest", "ctest/passed_head", None),
    (
        "ctest",
        "ctest/passed_tail",
        passed("100% tests passed, 0 tests failed out of 3", failed=0, total=3),
    ),
    # silent
    ("ctest", "ctest/quiet_passed", None),
    # skipped tests count as passed in the summary
    (
        "ctest",
        "ctest/skipped",
        passed("100% tests passed, 0 tests failed out of 3", failed=0, skipped=1, total=3),
    ),
    (
        "ctest",
        "ctest/stop_on_failure",
        failed("0% tests passed, 1 tests failed out of 1", failed=1, total=1),
    ),
    # make echoes its commands and says nothing of the result
    ("make", "make/all_passed", None),
    ("make", "make/build_passed", passed("[100%] Built target test_slow")),
    ("make", "make/check_failed", failed("make: *** [Makefile:8: check] Error 1")),
    (
        "make",
        "make/compile_failed",
        failed(
            "/home/dev/matrix/src/matrix.c:10:43: error: ‘j’ undeclared (first use in this "
            "function)"
        ),
    ),
    (
        "make",
        "make/compile_failed_parallel",
        failed(
            "/home/dev/matrix/src/matrix.c:10:43: error: ‘j’ undeclared (first use in this "
            "function)"
        ),
    ),
    (
        "make",
        "make/compile_failed_tail",
        failed("make[1]: *** [CMakeFiles/Makefile2:89: CMakeFiles/matrix.dir/all] Error 2"),
    ),
    # "-command": its failure is no failure
    ("make", "make/ignored_error", None),
    ("make", "make/keep_going", failed("make: *** [Makefile:6: test] Error 1")),
    ("make", "make/killed", failed("make: *** [Makefile:2: all] Killed")),
    (
        "make",
        "make/link_failed",
        failed("test_scale.c:(.text+0x3b): undefined reference to `matrix_scaled'"),
    ),
    (
        "make",
        "make/missing_dependency",
        failed("make: *** No rule to make target 'page.md', needed by 'page.html'.  Stop."),
    ),
    ("make", "make/missing_separator", failed("Makefile:2: *** missing separator.  Stop.")),
    (
        "ninja",
        "make/ninja_build_failed",
        failed(
            "/home/dev/matrix/src/matrix.c:10:43: error: ‘j’ undeclared (first use in this "
            "function)"
        ),
    ),
    ("ninja", "make/ninja_build_failed_tail", failed("ninja: build stopped: subcommand failed.")),
    ("ninja", "make/ninja_build_passed", passed("[8/8] Linking C executable test_slow")),
    (
        "ninja",
        "make/ninja_build_passed_verbose_tail",
        passed(
            "[5/5] : && /usr/bin/cc   CMakeFiles/test_slow.dir/tests/test_slow.c.o -o "
            "test_slow  libmatrix.a && :"
        ),
    ),
    (
        "ninja",
        "make/ninja_no_build_file",
        failed("ninja: error: loading 'build.ninja': No such file or directory"),
    ),
    ("ninja", "make/ninja_unknown_target", failed("ninja: error: unknown target 'nothing'")),
    ("ninja", "make/ninja_up_to_date", passed("ninja: no work to do.")),
    (
        "make",
        "make/no_makefile",
        failed("make: *** No targets specified and no makefile found.  Stop."),
    ),
    ("make", "make/no_rule", failed("make: *** No rule to make target 'tset'.  Stop.")),
    # ran nothing
    ("make", "make/nothing_to_do", unknown("make: Nothing to be done for 'all'.", total=0)),
    ("make", "make/target_failed", failed("make: *** [Makefile:6: test] Error 1")),
    ("make", "make/test_silent", None),
    ("make", "make/tool_missing", failed("make: *** [Makefile:2: all] Error 127")),
    ("make", "make/up_to_date", passed("[100%] Built target test_slow")),
    (
        "gcc",
        "gcc/clang_failed",
        failed("src/matrix.c:10:43: error: use of undeclared identifier 'j'", errors=1),
    ),
    (
        "gcc",
        "gcc/clang_failed_colours",
        failed("src/matrix.c:10:43: error: use of undeclared identifier 'j'", errors=1),
    ),
    ("gcc", "gcc/clang_link_failed", failed("w.c:(.text+0x15): undefined reference to `twice'")),
    ("gcc", "gcc/clang_no_file", failed("clang: error: no such file or directory: 'missing.c'")),
    ("gcc", "gcc/clang_warnings", passed("4 warnings generated.")),
    (
        "gcc",
        "gcc/cpp_failed",
        failed(
            "w.cpp:2:30: error: conversion from ‘double’ to non-scalar type ‘std::string’ "
            "{aka ‘std::__cxx11::basic_string<char>’} requested"
        ),
    ),
    (
        "gcc",
        "gcc/failed",
        failed("src/matrix.c:10:43: error: ‘j’ undeclared (first use in this function)"),
    ),
    (
        "gcc",
        "gcc/failed_colours",
        failed("src/matrix.c:10:43: error: ‘j’ undeclared (first use in this function)"),
    ),
    (
        "gcc",
        "gcc/failed_tail",
        failed("src/matrix.c:10:43: error: ‘j’ undeclared (first use in this function)"),
    ),
    ("gcc", "gcc/link_failed", failed("w.c:(.text+0xa): undefined reference to `twice'")),
    ("gcc", "gcc/no_file", failed("cc1: fatal error: missing.c: No such file or directory")),
    ("gcc", "gcc/no_header", failed("w.c:1:10: fatal error: nothing.h: No such file or directory")),
    # gcc counts nothing: the exit status decides
    ("gcc", "gcc/warnings", None),
    (
        "gcc",
        "gcc/warnings_as_errors",
        failed(
            "w.c:4:14: error: format ‘%d’ expects argument of type ‘int’, but argument 2 "
            "has type ‘char *’ [-Werror=format=]"
        ),
    ),
]


@pytest.mark.parametrize(("tool", "place", "expected"), ROWS)
def test_outcome(tool: str, place: str, expected: Outcome | None) -> None:
    assert parse_output(tool, read(*place.split("/"))) == expected


@pytest.mark.parametrize("folder", ["cmake", "ctest", "gcc", "make"])
def test_every_recorded_case_has_a_row(folder: str) -> None:
    assert {f"{folder}/{case}" for case in cases(folder)} <= {place for _, place, _ in ROWS}
