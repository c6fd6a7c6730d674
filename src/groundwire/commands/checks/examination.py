"""The whole examination, area by area. It reads, asks and starts the hook, and changes nothing."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from groundwire.base.extras import extras
from groundwire.commands.checks.activity import Activity, activity_findings, folder_findings
from groundwire.commands.checks.configuration import (
    accuser_findings,
    load_settings,
    program_findings,
    settings_findings,
)
from groundwire.commands.checks.finding import BROKEN, Examined, Finding, Surroundings
from groundwire.commands.checks.other_hosts import host_findings, registered_hosts
from groundwire.commands.checks.registration import find_registrations, registration_findings


def examine(place: Surroundings) -> list[Finding]:
    """Return all findings, in the order of the areas; what fails is a finding of its own."""
    registered, problems = find_registrations(place)
    loaded = load_settings(place)
    activity = Activity(place)
    settings = loaded.settings
    is_registered = bool(registered)
    areas: dict[str, Iterable[Finding]] = {
        "program": program_findings(place),
        "hook": registration_findings(
            place, registered, problems, elsewhere=any(registered_hosts(place))
        ),
        "hosts": host_findings(place),
        "settings": settings_findings(place, loaded),
        "accusers": accuser_findings(place),
        "log": activity_findings(place, activity, is_registered=is_registered),
        "folders": folder_findings(place, settings.log),
    }
    known = Examined(place, settings, registered, activity.recent)
    areas |= {name: check(known) for name, check in extras("doctor_checks").items()}
    return [finding for name, area in areas.items() for finding in _guarded_findings(name, area)]


def _guarded_findings(name: str, findings: Iterable[Finding]) -> Iterator[Finding]:
    try:
        yield from findings
    except Exception as failure:  # the other areas are examined all the same
        text = f"cannot be examined: {type(failure).__name__}: {failure}"
        yield Finding(name, BROKEN, text, "please report it with this line")
