"""Who is signed in: the token in a header, or a signed cookie that the token was exchanged for.

The cookie holds a random id and its time, signed with a key derived from the token: a new token
ends every session. Ids and names of those who are signed in are kept in a file of the state folder,
so that a restart ends none; without the token nobody can make a cookie of them.
"""

from __future__ import annotations

import contextlib
import hashlib
import hmac
import json
import os
import secrets
import time
from collections.abc import Mapping
from http.cookies import CookieError, SimpleCookie

from itsdangerous import BadSignature, TimestampSigner

from groundwire.base.paths import replace_file, state_folder
from groundwire_server.resident.token import ADMIN_TOKEN, Token

#: Seconds that a session lasts.
LONGEST = 12 * 3600
LONGEST_NAME = 80
_PURPOSE = b"groundwire admin session"
_MOST_OPEN = 10_000


class Sessions:
    """Checks tokens and cookies of one server; ``secure`` when it is reached by TLS.

    ``env`` says where the token's file is; a new one ends every session.
    """

    def __init__(
        self, token: str, port: int, *, secure: bool, env: Mapping[str, str] | None = None
    ) -> None:
        self._token = Token(env or {}, token, ADMIN_TOKEN)
        self._signed_by = ""
        self._secure = secure
        folder = state_folder(env or {})
        self._path = os.path.join(folder, f"admin-sessions-{port}.json") if folder else ""
        self._open = self._kept()  # id, with name and time of sign-in, the oldest first
        # browsers send cookies to every port of a host, so each server has a name of its own
        self.cookie = f"groundwire_{port}"
        self._renew()

    def _renew(self) -> None:
        """Make the key of the token; another token than before ends all sessions."""
        token = self._token.current()
        if token != self._signed_by:
            key = hmac.new(token.encode("ascii"), _PURPOSE, hashlib.sha256)
            self._signer = TimestampSigner(key.digest(), digest_method=hashlib.sha256)
            if self._signed_by:
                self._open.clear()
                self._keep()
            self._signed_by = token

    def _kept(self) -> dict[str, tuple[str, float]]:
        """Return the sessions of a server of before at this port."""
        try:
            with open(self._path, "rb") as file:
                rows = json.loads(file.read())
            return {str(one): (str(name), float(at)) for one, (name, at) in rows.items()}
        except (OSError, ValueError, TypeError, AttributeError):
            return {}

    def _keep(self) -> None:
        """Keep the sessions for the next server; without a folder they end with this one."""
        oldest = time.time() - LONGEST
        self._open = {one: row for one, row in self._open.items() if row[1] > oldest}
        if self._path:
            with contextlib.suppress(OSError):
                replace_file(self._path, json.dumps(self._open).encode("ascii"))

    def is_token(self, text: str) -> bool:
        """Tell whether ``text`` is the token."""
        return self._token.equals(text.strip())

    def is_authorised(self, authorization: str) -> bool:
        """Tell whether an Authorization header holds the token."""
        return self._token.is_in(authorization)

    def begin(self, name: str = "") -> str:
        """Return the Set-Cookie header of a new session; ``name`` is who signs in, for history."""
        self._renew()
        name = "".join(char for char in name if char.isprintable()).strip()[:LONGEST_NAME]
        session = secrets.token_hex(16)
        self._open[session] = (name.encode("utf-8", "replace").decode(), time.time())
        while len(self._open) > _MOST_OPEN:
            del self._open[next(iter(self._open))]
        self._keep()
        return self._header(self._signer.sign(session).decode("ascii"), LONGEST)

    def is_signed_in(self, cookies: str) -> bool:
        """Tell whether a Cookie header holds a session that goes on."""
        return self._id(cookies) in self._open

    def name(self, cookies: str) -> str:
        """Return the name of a Cookie header's session, "" for none."""
        return self._open.get(self._id(cookies), ("", 0.0))[0]

    def end(self, cookies: str) -> str:
        """End the session in a Cookie header; return the Set-Cookie header that removes it."""
        if self._open.pop(self._id(cookies), None):
            self._keep()
        return self._header("", 0)

    def _id(self, cookies: str) -> str:
        self._renew()
        try:
            morsel = SimpleCookie(cookies).get(self.cookie)
            return self._signer.unsign(morsel.value, LONGEST).decode("ascii") if morsel else ""
        except (BadSignature, CookieError, ValueError):
            return ""

    def _header(self, value: str, seconds: int) -> str:
        secure = "; Secure" if self._secure else ""
        return (
            f"{self.cookie}={value}; Path=/; Max-Age={seconds}; HttpOnly; SameSite=Strict{secure}"
        )
