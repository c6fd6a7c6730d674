"""Visits of the admin pages as text; each is a test in a browser.

``== name`` begins a visit. A line is a verb, an element, and behind `` = `` a value:

- ``open /path``, the first time with a sign-in; ``tab name`` goes on in another tab; ``reload``;
  ``back``; ``at`` an address; ``type j`` presses a key; ``choose label = option``; ``width 400``;
- ``click``, ``fill ... = text``, ``press ... = ArrowLeft 20``;
- ``see``, ``see no``, ``see 3``: the element is visible, is not there, is there three times;
  ``says`` holds a text, ``reads`` is its whole text, and each other verb is one of ``CHECKS``;
- ``write path = JSON`` puts a text in a file of the server's home, and ``holds path = JSON`` is its
  whole text; ``stored /path = JSON`` holds some keys of what the API answers; ``hook name = block``
  is what the command hook decides about a lone guess in a session of this name;
- ``sql`` changes the database; ``server stop`` ends the server, and ``server start`` another one.

An element is ``role "name"``, ``label "name"`` or ``"text"``, with ``exactly`` before what is to be
whole, or a selector of CSS; ``first`` or ``last`` stands before it, ``with "text"`` and ``in``
another element behind it. ``...`` in a value stands for anything, `` | `` between those of several.
"""

import json
import re
import sqlite3
from collections import deque
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.admin.e2e.browser import HEIGHT, Visitor, choose, press, ready
from tests.admin.server import AdminServer
from tests.conftest import Hook
from tests.hook.messages import LONE
from tests.support.console import part
from tests.support.waiting import wait_until

_OUTSIDE_QUOTES = r'(?=(?:[^"]*"[^"]*")*[^"]*$)'
CHECKS: dict[str, Callable[[Locator, Any], None]] = {
    "says": lambda one, text: expect(one).to_contain_text(text),
    "does not say": lambda one, text: expect(one).not_to_contain_text(text),
    "reads": lambda one, text: expect(one).to_have_text(text),
    "value": lambda one, text: expect(one).to_have_value(text),
    "no value": lambda one, text: expect(one).not_to_have_value(text),
    "checked": lambda one, _: expect(one).to_be_checked(),
    "disabled": lambda one, _: expect(one).to_be_disabled(),
    "hidden": lambda one, _: expect(one).to_be_hidden(),
    "attached": lambda one, _: expect(one).to_be_attached(),
    "in view": lambda one, _: expect(one).to_be_in_viewport(),
    "pressed": lambda one, text: expect(one).to_have_attribute("aria-pressed", text),
    "style": lambda one, text: expect(one).to_have_css(*text.split(": ")),
    "click": lambda one, _: one.click(),
    "lower than": lambda one, text: wait_until(lambda: one.bounding_box()["height"] < int(text)),  # type: ignore[index]
    "fill": lambda one, text: one.fill(text),
    "press": lambda one, text: press(one, *_key(text)),
}


def visits(path: Path) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Run a test for each visit of a file; ``steps`` is its parameter."""
    _, *named = re.split(r"^== ", path.read_text(encoding="utf-8"), flags=re.M)
    found = {one.splitlines()[0]: one.splitlines()[1:] for one in named}
    return pytest.mark.parametrize("steps", found.values(), ids=found)


def visit(user: Visitor, steps: list[str]) -> None:
    """Take the steps of a visit."""
    tabs: dict[str, Page] = {}
    name = ""
    for step in filter(None, steps):
        if step.startswith("tab "):
            name = step.removeprefix("tab ")
        elif step.startswith("open ") and name not in tabs:
            tabs[name] = (user.open if tabs else user.sign_in)(step.removeprefix("open "))
        elif not step.startswith("#"):
            _take(user, tabs[name], step)


def _take(user: Visitor, page: Page, step: str) -> None:
    step = step.replace("@token", user.server.admin)
    subject, value, *_ = [*re.split(f" = {_OUTSIDE_QUOTES}", step, maxsplit=1), ""]
    verb, _, words = subject.partition(" ")
    if verb in ("open", "reload", "back"):
        {"open": lambda: page.goto(user.server.url + words), "back": page.go_back}.get(
            verb, page.reload
        )()
        ready(page)
    elif verb == "width":
        page.set_viewport_size({"width": int(words), "height": HEIGHT})
    elif verb == "type":
        ready(page)
        page.keyboard.press(words)
    elif verb == "at":
        expect(page).to_have_url(_pattern(words))  # type: ignore[arg-type]
    elif verb == "choose":
        choose(page, words, value)
    elif verb == "server":
        getattr(user.server, words)()
        user.complaints = deque(maxlen=0)  # the browser notes the time without a server
    elif verb in ("write", "holds", "stored", "hook", "sql"):
        _beside(user.server, verb, words, value)
    elif verb == "see":
        count = re.match(r"(\d+|no) ", words)
        if count:
            one = find(page, words[count.end() :])
            expect(one).to_have_count(0 if count[1] == "no" else int(count[1]))
        else:
            expect(find(page, words)).to_be_visible()
    else:
        verb = next(one for one in sorted(CHECKS, reverse=True) if step.startswith(f"{one} "))
        CHECKS[verb](find(page, subject.removeprefix(f"{verb} ")), _pattern(value))


def _beside(server: AdminServer, verb: str, words: str, value: str) -> None:
    """Do something beside the pages, or look at what they have done."""
    path = server.home / words
    if verb == "sql":
        with closing(sqlite3.connect(server.database)) as database:
            database.execute(words)
    elif verb == "write":
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.loads(value), encoding="utf-8")
    elif verb == "holds":
        assert path.read_text(encoding="utf-8") == json.loads(value), words
    elif verb == "stored":
        wanted = json.loads(value)
        assert part(server.client.get(words).json(), wanted) == wanted, words
    else:
        hook = Hook(server.home)
        hook.start(session_id=words)
        answer = hook(session_id=words, last_assistant_message=LONE)
        assert answer.get("decision", "none") == value, words


def _key(text: str) -> tuple[str, int]:
    key, _, times = text.partition(" ")
    return key, int(times or 1)


def _pattern(text: str) -> str | re.Pattern[str] | list[str]:
    if " | " in text:
        return text.split(" | ")
    parts = [re.escape(one) for one in text.split("...")]
    return re.compile(".*".join(parts), re.S) if len(parts) > 1 else text


def find(place: Page | Locator, words: str) -> Locator:
    """Return the element that ``words`` tell of below ``place``."""
    inner, *outer = re.split(f" in {_OUTSIDE_QUOTES}", words, maxsplit=1)
    place = find(place, outer[0]) if outer else place
    inner, *filters = re.split(f" with {_OUTSIDE_QUOTES}", inner)
    order, named = re.fullmatch(r"(first|last)? ?(.*)", inner).groups()  # type: ignore[union-attr]
    whole = re.fullmatch(r'(?:(\w+?) ?)??(exactly )?"(.*)"', named)
    if not whole:
        found = place.locator(named)
    else:
        kind, exact, name = whole[1] or "text", bool(whole[2]), whole[3]
        if kind in ("text", "label"):
            found = getattr(place, f"get_by_{kind}")(name, exact=exact)
        else:
            role: Any = kind
            found = place.get_by_role(role, name=name, exact=exact)
    for text in filters:
        found = found.filter(has_text=text.strip('"'))
    return {"first": found.first, "last": found.last}.get(order, found)
