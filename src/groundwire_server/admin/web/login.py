"""The login page: the token of the admin against a session cookie. Plain HTML, no script."""

from __future__ import annotations

from html import escape
from urllib.parse import parse_qs

from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse, RedirectResponse, Response
from starlette.exceptions import HTTPException

from groundwire_server.admin.web.guard import LOGIN, PAGES
from groundwire_server.admin.web.limits import Rate
from groundwire_server.admin.web.session import Sessions

LOGOUT = "/logout"
_PAGE = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="icon" href="data:,">
<title>Sign in - groundwire</title>
<style>
:root {{ color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif; }}
body {{ margin: 0; min-height: 100vh; display: grid; place-items: center; }}
main {{ width: min(26rem, calc(100vw - 3rem)); }}
h1 {{ font-size: 1.5rem; margin: 0 0 .5rem; }}
label {{ display: block; margin: 1.5rem 0 .25rem; font-weight: 600; }}
input, button {{ font: inherit; width: 100%; box-sizing: border-box; padding: .6rem .75rem;
  border-radius: .4rem; }}
input {{ border: 1px solid GrayText; }}
button {{ margin-top: 1rem; border: 0; background: #1f5fbf; color: #fff; cursor: pointer; }}
button:focus-visible, input:focus-visible {{ outline: 3px solid #6aa3f5; outline-offset: 2px; }}
[role=alert] {{ border-left: 4px solid #c62828; padding-left: .75rem; }}
code {{ overflow-wrap: anywhere; }}
</style>
</head>
<body>
<main>
<h1>groundwire</h1>
<p>Enter the token from the file <code>{place}</code>.</p>
{error}<form method="post" action="/login">
<input type="hidden" name="next" value="{next}">
<label for="token">Token</label>
<input id="token" name="token" type="password" autocomplete="current-password" required autofocus>
<label for="name">Your name <small>(optional, shown in the history)</small></label>
<input id="name" name="name" autocomplete="nickname" maxlength="80" value="{name}">
<button>Sign in</button>
</form>
</main>
</body>
</html>
"""
_ALERT = '<p role="alert">{}</p>\n'
#: Wrong tokens that one peer may try; the right one is never refused.
_WRONG_A_SECOND = 0.5
_WRONG_AT_ONCE = 20


def login_router(sessions: Sessions, token_file: str) -> APIRouter:
    """Return the routes to sign in and out; ``token_file`` is shown to the user."""
    router = APIRouter(include_in_schema=False)
    wrong = Rate(_WRONG_A_SECOND, _WRONG_AT_ONCE)

    def page(target: str, status: int = 200, name: str = "", error: str = "") -> HTMLResponse:
        alert = _ALERT.format(error) if error else ""
        shown = {"place": token_file, "next": target, "name": name}
        text = _PAGE.format(error=alert, **{key: escape(value) for key, value in shown.items()})
        return HTMLResponse(text, status)

    @router.get(LOGIN)
    async def show(request: Request) -> Response:
        target = local_path(request.query_params.get("next", ""))
        if sessions.is_signed_in(request.headers.get("cookie", "")):
            return RedirectResponse(target, 303)
        return page(target)

    @router.post(LOGIN)
    async def sign_in(request: Request) -> Response:
        fields = parse_qs((await request.body()).decode("utf-8", "replace"), max_num_fields=4)
        target = local_path(fields.get("next", [""])[0])
        name = fields.get("name", [""])[0]
        if not sessions.is_token(fields.get("token", [""])[0]):
            try:
                wrong.take(request.client.host if request.client else "")
            except HTTPException as error:
                retry = dict(error.headers or {})
                wait = f"wait {retry['Retry-After']} s, or enter the right one."
                answer = page(target, error.status_code, name, f"Too many wrong tokens; {wait}")
                answer.headers.update(retry)
                return answer
            return page(target, 401, name, "Wrong token.")
        return RedirectResponse(target, 303, {"Set-Cookie": sessions.begin(name)})

    @router.post(LOGOUT)
    async def sign_out(request: Request) -> Response:
        ended = sessions.end(request.headers.get("cookie", ""))
        return RedirectResponse(LOGIN, 303, {"Set-Cookie": ended})

    return router


def local_path(target: str) -> str:
    """Return ``target`` when it is a path of this server, else the start page."""
    safe = target.startswith("/") and not target.startswith(("//", "/\\", LOGIN))
    return target if safe and target.isprintable() and target.isascii() else f"{PAGES}/"
