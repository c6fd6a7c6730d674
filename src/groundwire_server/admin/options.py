"""What ``groundwire serve --admin`` was asked for, checked before a port is opened."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from ipaddress import ip_address
from pathlib import Path

from groundwire.base.errors import ServerError
from groundwire.hook.entry import HOST

#: Requests a second that one address may send on average, and how many at once.
RATE = 50.0
BURST_SECONDS = 4.0


@dataclass(frozen=True)
class AdminOptions:
    """Where the server listens, who may ask, and where its data is.

    ``token`` is the admin's. ``database`` is a URL, "" for the file in the state folder.
    ``allow_hosts`` are further names (``name`` or ``name:port``) that browsers reach the server by.
    ``rate`` is requests a second and address; 0 means no limit.
    """

    port: int
    token: str
    host: str = HOST
    database: str = ""
    certificate: Path | None = None
    key: Path | None = None
    insecure: bool = False
    allow_hosts: tuple[str, ...] = ()
    rate: float = RATE
    env: Mapping[str, str] = field(default_factory=lambda: dict(os.environ))

    @property
    def scheme(self) -> str:
        """``https`` when there is a certificate."""
        return "https" if self.certificate else "http"

    @property
    def shown_host(self) -> str:
        """The host as it stands in an address."""
        return f"[{self.host}]" if ":" in self.host else self.host

    @property
    def url(self) -> str:
        """The address of the start page."""
        return f"{self.scheme}://{self.shown_host}:{self.port}/"

    def check(self) -> None:
        """Raise ServerError for a combination that would expose the server unprotected."""
        if (self.certificate is None) != (self.key is None):
            raise ServerError("--tls-cert and --tls-key: give both or neither")
        for name, path in (("--tls-cert", self.certificate), ("--tls-key", self.key)):
            if path is not None and not path.is_file():
                raise ServerError(f"{name}: {path}: allowed: a readable PEM file")
        if not (is_loopback(self.host) or self.certificate or self.insecure):
            raise ServerError(
                f"--host {self.host} can be reached from other machines: allowed with "
                "--tls-cert and --tls-key, or with --insecure behind a proxy that adds TLS"
            )


def is_loopback(host: str) -> bool:
    """Tell whether ``host`` is reached from this machine only."""
    if host == "localhost":
        return True
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return False
