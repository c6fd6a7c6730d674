"""Whose requests are meant for this server: the names in Host, and the pages in Origin.

A page of another site can make a browser send requests here, under its own name for this address
(DNS rebinding) or across origins. Host tells the one, Origin the other.
"""

from __future__ import annotations

import socket
from ipaddress import ip_address

from groundwire_server.admin.options import AdminOptions

_DEFAULT_PORTS = {"http": ":80", "https": ":443"}
_ANY = ("0.0.0.0", "::")  # noqa: S104 - compared with, not listened on


class Hosts:
    """The values of Host and Origin that are taken; compared in lower case."""

    def __init__(self, options: AdminOptions) -> None:
        self._port = f":{options.port}"
        self._scheme = options.scheme
        self._any_address = options.host in _ANY
        names = ["127.0.0.1", "localhost", "[::1]", options.shown_host.lower()]
        if self._any_address:
            names.append(socket.gethostname().lower())
        self._known = {name + self._port for name in names}
        self._further = {name.lower() for name in options.allow_hosts}

    @property
    def known(self) -> tuple[str, ...]:
        """The names with their port, sorted, for messages and for the hook's handler."""
        return tuple(sorted(self._known | self._further))

    def is_ours(self, host: str) -> bool:
        """Tell whether a Host header names this server."""
        host = host.lower()
        if self._port == _DEFAULT_PORTS[self._scheme] and not host.endswith(self._port):
            host += self._port  # browsers leave the usual port out
        if host in self._known or host.removesuffix(self._port) in self._further:
            return True
        return host in self._further or (self._any_address and self._is_address(host))

    def is_our_origin(self, origin: str) -> bool:
        """Tell whether an Origin header is that of this server's own pages."""
        scheme, separator, host = origin.lower().partition("://")
        if not separator or not self.is_ours(host):
            return False
        # behind a proxy that adds TLS, the page's scheme is not the server's
        return scheme == self._scheme or (scheme == "https" and host in self._further)

    def _is_address(self, host: str) -> bool:
        """Tell whether ``host`` is a plain address with our port: no name can be rebound to it."""
        name = host.removesuffix(self._port)
        try:
            ip_address(name.removeprefix("[").removesuffix("]"))
        except ValueError:
            return False
        return name != host
