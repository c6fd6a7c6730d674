"""Whether the resident server runs, where the hook is registered for it."""

from __future__ import annotations

from collections.abc import Iterator

from groundwire.base.errors import InstallError, ServerError
from groundwire.base.version import __version__
from groundwire.commands import settings_file
from groundwire.commands.checks.finding import BROKEN, NOTE, OK, WARNING, Examined, Finding
from groundwire.commands.checks.registration import Registration
from groundwire.commands.registration import (
    Resident,
    asks_resident,
    registered_token,
    resident_port,
)
from groundwire.hook.resident import connected
from groundwire_server.resident.client import free_port, is_taken, running_version
from groundwire_server.resident.token import known_token

AREA = "server"


def resident_findings(known: Examined) -> Iterator[Finding]:
    """Yield, for each port that is registered, whether our server answers there."""
    place, entries = known.place, known.registrations
    if any(asks_resident(one.handler) for one in entries):
        connection = connected(place.env)
        if connection:
            connection.close()
        runs = "answers" if connection else "does not run; the next turn starts it"
        yield Finding(AREA, OK if connection else NOTE, f"the resident hook {runs}")
    ports = {port: one for one in entries if (port := resident_port(one.handler))}
    if not ports:
        return
    try:
        token = known_token(place.env)
    except ServerError as error:
        yield Finding(AREA, BROKEN, str(error), "groundwire install --http")
        return
    for port, one in ports.items():
        yield from _token_findings(one, token)
        yield _answer_finding(port, token)
        url = Resident(port, token).url
        general = settings_file.obstacles(place.env, place.folder)
        for line in settings_file.obstacles(place.env, place.folder, url):
            if line not in general:
                yield Finding(AREA, BROKEN, line, "change that line in that file")


def _token_findings(registration: Registration, token: str) -> Iterator[Finding]:
    try:
        text = settings_file.read(registration.path) or "{}"
        registered = registered_token(text.removeprefix("\ufeff"))
    except InstallError:
        return  # told with the registration
    if not token or registered != token:
        text = f"the token in {registration.path} is not the server's: turns end unchecked"
        yield Finding(AREA, BROKEN, text, "groundwire install --http, then restart Claude Code")


def _answer_finding(port: int, token: str) -> Finding:
    try:
        version = running_version(port, token) if token else ""
    except ServerError as error:
        return Finding(AREA, WARNING, str(error), "groundwire doctor again, a little later")
    if version == __version__:
        return Finding(AREA, OK, f"the resident server answers at port {port}, version {version}")
    if version:
        text = f"the server at port {port} is version {version}, not {__version__}"
        return Finding(
            AREA,
            WARNING,
            text,
            f"groundwire serve --stop --port {port}; the next session starts it",
        )
    if is_taken(port):
        text = f"port {port} is taken by another program: turns end unchecked"
        remedy = f"groundwire install --http --port {free_port(port + 1)}"
        return Finding(AREA, BROKEN, text, remedy)
    text = f"the resident server does not run at port {port}: turns end unchecked until it does"
    return Finding(AREA, BROKEN, text, f"groundwire serve --port {port}, or start a new session")
