"""Requests made up from the OpenAPI document against a real server: nothing ends in a 5xx."""

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.admin.databases import database_url, postgres
from tests.admin.server import GROUNDWIRE, AdminServer

__all__ = ["database_url", "postgres"]

pytestmark = pytest.mark.e2e

SCHEMATHESIS = Path(sys.executable).with_name("schemathesis")
NO_FAILURE = "not_a_server_error,status_code_conformance,ignored_auth"
CONFORMANCE = f"{NO_FAILURE},content_type_conformance,response_schema_conformance"
EXAMPLES = 20


@pytest.fixture
def server(home: Path, database_url: str) -> Iterator[AdminServer]:
    """Return a server over SQLite, and then over PostgreSQL."""
    (home.parent / "state").mkdir(exist_ok=True)
    command = [str(GROUNDWIRE), "db", "migrate", "--db", database_url]
    subprocess.run(command, check=True, capture_output=True, env={"HOME": str(home)})
    admin = AdminServer(home, "--rate", "0", "--db", database_url)
    yield admin
    admin.close()


def test_made_up_requests_find_nothing(server: AdminServer, tmp_path: Path) -> None:
    run(server, tmp_path, CONFORMANCE, "--exclude-path-regex", "^/(hook|stop)$")
    # the hook's body is empty where it has nothing to say, which no schema can tell
    run(server, tmp_path, NO_FAILURE, "--include-path", "/hook")
    requests = [line for line in server.lines() if line["event"] == "request"]
    assert len(requests) > 20 * EXAMPLES
    assert not [line for line in server.lines() if line["level"] == "error"]
    assert server.stop() == 0


def run(server: AdminServer, folder: Path, checks: str, *which: str) -> None:
    """Send what schemathesis makes up for the paths in ``which``; fail with its report."""
    command = [
        *(str(SCHEMATHESIS), "run", f"{server.url}/openapi.json", "--no-color"),
        *("--header", f"Authorization: Bearer {server.admin}"),
        *("--checks", checks, "--max-examples", str(EXAMPLES), "--seed", "1", *which),
    ]
    done = subprocess.run(
        command,
        cwd=folder,
        env=server.env,
        capture_output=True,
        text=True,
        timeout=900,
        check=False,
    )
    assert done.returncode == 0, done.stdout[-8000:]
