"""Who is signed in: the token in a header, or a signed cookie that the token was exchanged for.

The cookie holds a random id, a name and its time, signed with a key derived from the token: a new
token ends every session. Nothing is stored but the ids that signed out before their time.
"""

from __future__ import annotations

import hashlib
import hmac
import os
import secrets
from collections.abc import Mapping
from http.cookies import CookieError, SimpleCookie

from itsdangerous import BadSignature, TimestampSigner

from groundwire.server.token import Token

#: Seconds that a session lasts.
LONGEST = 12 * 3600
LONGEST_NAME = 80
_SCHEME = "bearer "
_PURPOSE = b"groundwire admin session"
_MOST_OPEN = 10_000


class Sessions:
    """Checks tokens and cookies of one server; ``secure`` when it is reached by TLS.

    ``env`` says where the token's file is; a new one ends every session.
    """

    def __init__(
        self, token: str, port: int, *, secure: bool, env: Mapping[str, str] | None = None
    ) -> None:
        self._token = Token(env or {}, token)
        self._signed_by = ""
        self._secure = secure
        self._open: dict[str, str] = {}  # id and name, the oldest first
        # browsers send cookies to every port of a host, so each server has a name of its own
        self.cookie = f"groundwire_{port}"
        self._renew()

    def _renew(self) -> None:
        """Begin anew, with a key of this process, when the token is another one."""
        token = self._token.current()
        if token != self._signed_by:
            self._signed_by = token
            key = hmac.new(token.encode("ascii"), _PURPOSE + os.urandom(32), hashlib.sha256)
            self._signer = TimestampSigner(key.digest(), digest_method=hashlib.sha256)
            self._open.clear()

    def is_token(self, text: str) -> bool:
        """Tell whether ``text`` is the token."""
        known = self._token.current().encode("ascii")
        return hmac.compare_digest(text.strip().encode("utf-8", "replace"), known)

    def is_authorised(self, authorization: str) -> bool:
        """Tell whether an Authorization header holds the token."""
        scheme, token = authorization[: len(_SCHEME)], authorization[len(_SCHEME) :]
        return scheme.lower() == _SCHEME and self.is_token(token)

    def begin(self, name: str = "") -> str:
        """Return the Set-Cookie header of a new session; ``name`` is who signs in, for history."""
        self._renew()
        name = "".join(char for char in name if char.isprintable()).strip()[:LONGEST_NAME]
        session = secrets.token_hex(16)
        self._open[session] = name.encode("utf-8", "replace").decode()
        while len(self._open) > _MOST_OPEN:
            del self._open[next(iter(self._open))]
        return self._header(self._signer.sign(session).decode("ascii"), LONGEST)

    def is_signed_in(self, cookies: str) -> bool:
        """Tell whether a Cookie header holds a session that goes on."""
        return self._id(cookies) in self._open

    def name(self, cookies: str) -> str:
        """Return the name of a Cookie header's session, "" for none."""
        return self._open.get(self._id(cookies), "")

    def end(self, cookies: str) -> str:
        """End the session in a Cookie header; return the Set-Cookie header that removes it."""
        self._open.pop(self._id(cookies), None)
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
