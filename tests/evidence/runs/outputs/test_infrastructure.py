"""Real outputs of terraform, docker build and LaTeX."""

from __future__ import annotations

import pytest

from groundwire.evidence.runs.model import Outcome
from groundwire.evidence.runs.outputs import parse_output
from tests.evidence.runs.outputs.fixture import Row, cases, failed, passed, read, unknown

ROWS: list[Row] = [
    ("terraform", "terraform/apply_cancelled", failed("Apply cancelled.")),
    (
        "terraform",
        "terraform/apply_changed",
        passed("Apply complete! Resources: 0 added, 1 changed, 0 destroyed."),
    ),
    ("terraform", "terraform/apply_failed", failed("Error: local-exec provisioner error")),
    ("terraform", "terraform/apply_failed_colours", failed("Error: local-exec provisioner error")),
    (
        "terraform",
        "terraform/apply_no_changes",
        passed("Apply complete! Resources: 0 added, 0 changed, 0 destroyed."),
    ),
    (
        "terraform",
        "terraform/apply_passed",
        passed("Apply complete! Resources: 1 added, 0 changed, 0 destroyed."),
    ),
    ("terraform", "terraform/destroy_passed", passed("Destroy complete! Resources: 2 destroyed.")),
    ("terraform", "terraform/empty_folder", failed("Error: No configuration files")),
    # names of files, no verdict
    ("terraform", "terraform/fmt_check", None),
    ("terraform", "terraform/init_passed", passed("Terraform has been successfully initialized!")),
    ("terraform", "terraform/plan_changes", passed("Plan: 1 to add, 0 to change, 0 to destroy.")),
    # the note below the plan says nothing
    ("terraform", "terraform/plan_changes_tail", None),
    ("terraform", "terraform/plan_failed", failed("Error: Reference to undeclared input variable")),
    (
        "terraform",
        "terraform/plan_no_changes",
        passed("No changes. Your infrastructure matches the configuration."),
    ),
    ("terraform", "terraform/syntax_error", failed("Error: Unclosed configuration block")),
    # a plan with a warning
    ("terraform", "terraform/target_warning", passed("Plan: 1 to add, 0 to change, 0 to destroy.")),
    (
        "terraform",
        "terraform/test_failed",
        failed("Failure! 1 passed, 1 failed.", passed=1, failed=1),
    ),
    (
        "terraform",
        "terraform/test_passed",
        passed("Success! 2 passed, 0 failed.", passed=2, failed=0),
    ),
    (
        "terraform",
        "terraform/validate_failed",
        failed("Error: Reference to undeclared input variable"),
    ),
    (
        "terraform",
        "terraform/validate_failed_colours",
        failed("Error: Reference to undeclared input variable"),
    ),
    # the heading "Error:" is cut off
    ("terraform", "terraform/validate_failed_tail", None),
    ("terraform", "terraform/validate_json", passed('"valid": true,')),
    ("terraform", "terraform/validate_passed", passed("Success! The configuration is valid.")),
    (
        "docker build",
        "docker_build/build_cached",
        passed("#7 naming to registry.example.com/page done"),
    ),
    (
        "docker build",
        "docker_build/build_failed",
        failed(
            "executor failed running [/bin/busybox sh -c /bin/busybox grep -c goodbye "
            "/page.txt]: exit code: 1"
        ),
    ),
    (
        "docker build",
        "docker_build/build_failed_tail",
        failed(
            "executor failed running [/bin/busybox sh -c /bin/busybox grep -c goodbye "
            "/page.txt]: exit code: 1"
        ),
    ),
    (
        "docker build",
        "docker_build/build_failed_terminal",
        failed(
            "executor failed running [/bin/busybox sh -c /bin/busybox grep -c nobody "
            "/page.txt]: exit code: 1"
        ),
    ),
    (
        "docker build",
        "docker_build/build_missing_file",
        failed('failed to compute cache key: "/missing.txt" not found: not found'),
    ),
    (
        "docker build",
        "docker_build/build_no_file",
        failed(
            "failed to solve with frontend dockerfile.v0: failed to read dockerfile: open "
            "/var/lib/docker/tmp/buildkit-mount522137533/Missing.Dockerfile: no such file "
            "or directory"
        ),
    ),
    (
        "docker build",
        "docker_build/build_passed",
        passed("#7 naming to registry.example.com/page done"),
    ),
    (
        "docker build",
        "docker_build/build_passed_tail",
        passed("#7 naming to registry.example.com/page done"),
    ),
    ("docker build", "docker_build/build_quiet", None),
    (
        "docker build",
        "docker_build/build_syntax",
        failed(
            "failed to solve with frontend dockerfile.v0: failed to create LLB definition: "
            "dockerfile parse error line 5: unknown instruction: RUNN"
        ),
    ),
    (
        "docker build",
        "docker_build/buildx_failed",
        failed(
            'ERROR: failed to build: failed to solve: process "/bin/sh -c apt-get update '
            '-qq     && apt-get install -qq -y --no-install-recommends curl" did not '
            "complete successfully: exit code: 100"
        ),
    ),
    (
        "docker build",
        "docker_build/buildx_no_file",
        failed(
            "ERROR: failed to solve: failed to read dockerfile: open "
            "/var/lib/docker/tmp/buildkit-mount3021091166/Dockerfile: no such file or "
            "directory"
        ),
    ),
    (
        "docker build",
        "docker_build/legacy_failed",
        failed(
            "The command '/bin/busybox sh -c /bin/busybox grep -c goodbye /page.txt' "
            "returned a non-zero code: 1"
        ),
    ),
    ("docker build", "docker_build/legacy_passed", passed("Successfully tagged page:latest")),
    (
        "docker build",
        "docker_build/no_daemon",
        failed(
            "Cannot connect to the Docker daemon at unix:///var/run/docker.sock. Is the "
            "docker daemon running?"
        ),
    ),
    ("latex", "latex/emergency_stop", failed("! File ended while scanning use of \\@xdblarg.")),
    ("latex", "latex/failed", failed("! Undefined control sequence.")),
    ("latex", "latex/failed_halt", failed("./paper.tex:4: Undefined control sequence.")),
    ("latex", "latex/failed_latexmk", failed("! Undefined control sequence.")),
    (
        "latex",
        "latex/failed_latexmk_tail",
        failed("Collected error summary (may duplicate other messages):"),
    ),
    # the file is written in spite of the errors above
    ("latex", "latex/failed_tail", None),
    ("latex", "latex/missing_file_latexmk", failed("Latexmk: Could not find file 'missing.tex'.")),
    (
        "latex",
        "latex/missing_package",
        failed("! LaTeX Error: File `nosuchpackage.sty' not found."),
    ),
    ("latex", "latex/no_file", failed("! I can't find file `missing.tex'.")),
    ("latex", "latex/no_pages", unknown("No pages of output.", total=0)),
    ("latex", "latex/passed", passed("LaTeX Warning: There were undefined references.")),
    # resolved in the last run
    ("latex", "latex/passed_latexmk", passed("Latexmk: All targets () are up-to-date")),
    # the same lines as after errors
    ("latex", "latex/passed_tail", None),
    # exit status 0; the line tells it
    (
        "latex",
        "latex/undefined_references",
        passed("LaTeX Warning: There were undefined references."),
    ),
    (
        "latex",
        "latex/undefined_references_latexmk",
        passed("Latex failed to resolve 1 citation(s)"),
    ),
    ("latex", "latex/up_to_date", passed("Latexmk: All targets () are up-to-date")),
]


@pytest.mark.parametrize(("tool", "place", "expected"), ROWS)
def test_outcome(tool: str, place: str, expected: Outcome | None) -> None:
    assert parse_output(tool, read(*place.split("/"))) == expected


@pytest.mark.parametrize("folder", ["docker_build", "latex", "terraform"])
def test_every_recorded_case_has_a_row(folder: str) -> None:
    assert {f"{folder}/{case}" for case in cases(folder)} <= {place for _, place, _ in ROWS}
