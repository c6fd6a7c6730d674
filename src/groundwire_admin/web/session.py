"""Who is signed in: the token in a header, or a signed cookie that the token was exchanged for.

The cookie holds a random id, a name and its time, signed with a key derived from the token: a new
token ends every session. Nothing is stored but the ids that signed out before their time.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import secrets
from http.cookies import CookieError, SimpleCookie

from itsdangerous import BadSignature, TimestampSigner

#: Seconds that a session lasts.
LONGEST = 12 * 3600
LONGEST_NAME = 80
_SCHEME = "bearer "
_BETWEEN = ":"
_PURPOSE = b"groundwire admin session"
_MOST_ENDED = 10_000


class Sessions:
    """Checks tokens and cookies of one server; ``secure`` when it is reached by TLS."""

    def __init__(self, token: str, port: int, *, secure: bool) -> None:
        self._token = token.encode("ascii")
        key = hmac.new(self._token, _PURPOSE, hashlib.sha256).digest()
        self._signer = TimestampSigner(key, digest_method=hashlib.sha256)
        self._secure = secure
        self._ended: dict[str, None] = {}
        # browsers send cookies to every port of a host, so each server has a name of its own
        self.cookie = f"groundwire_{port}"

    def is_token(self, text: str) -> bool:
        """Tell whether ``text`` is the token."""
        return hmac.compare_digest(text.strip().encode("utf-8", "replace"), self._token)

    def is_authorised(self, authorization: str) -> bool:
        """Tell whether an Authorization header holds the token."""
        scheme, token = authorization[: len(_SCHEME)], authorization[len(_SCHEME) :]
        return scheme.lower() == _SCHEME and self.is_token(token)

    def begin(self, name: str = "") -> str:
        """Return the Set-Cookie header of a new session; ``name`` is who signs in, for history."""
        name = "".join(char for char in name if char.isprintable()).strip()[:LONGEST_NAME]
        shown = base64.urlsafe_b64encode(name.encode("utf-8", "replace")).decode("ascii")
        value = self._signer.sign(f"{secrets.token_hex(16)}{_BETWEEN}{shown}").decode("ascii")
        return self._header(value, LONGEST)

    def is_signed_in(self, cookies: str) -> bool:
        """Tell whether a Cookie header holds a session that goes on."""
        found = self._content(cookies)[0]
        return bool(found) and found not in self._ended

    def name(self, cookies: str) -> str:
        """Return the name in a Cookie header's session, "" for none."""
        return self._content(cookies)[1]

    def end(self, cookies: str) -> str:
        """End the session in a Cookie header; return the Set-Cookie header that removes it."""
        found = self._content(cookies)[0]
        if found:
            self._ended[found] = None
            while len(self._ended) > _MOST_ENDED:
                del self._ended[next(iter(self._ended))]
        return self._header("", 0)

    def _content(self, cookies: str) -> tuple[str, str]:
        """Return id and name of the session in a Cookie header; two empty ones for none."""
        try:
            morsel = SimpleCookie(cookies).get(self.cookie)
            signed = self._signer.unsign(morsel.value, LONGEST).decode("ascii") if morsel else ""
            found, _, name = signed.partition(_BETWEEN)
            return found, base64.urlsafe_b64decode(name).decode()
        except (BadSignature, CookieError, ValueError):
            return "", ""

    def _header(self, value: str, seconds: int) -> str:
        secure = "; Secure" if self._secure else ""
        return (
            f"{self.cookie}={value}; Path=/; Max-Age={seconds}; HttpOnly; SameSite=Strict{secure}"
        )
