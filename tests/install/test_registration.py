"""The settings text before and after: placing, recognising, updating, taking out, refusing."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groundwire.errors import InstallError
from groundwire.install.entry import EVENTS, Entry
from groundwire.install.registration import is_ours, plan_install, plan_uninstall
from tests.support.tables import tables

TABLES = tables(__file__)

ENTRY = Entry(
    "/opt/venv/bin/python", "/opt/venv/lib/python3.11/site-packages/groundwire/hook/run.py"
)
OTHER = Entry("/usr/bin/python3.12", "/home/u/src/groundwire/hook/run.py")

#: Settings of other people's hands: indentation, order, spacing, escapes, line ends.
TEXTS = {
    "empty object": "{}\n",
    "no line end": "{}",
    "two spaces": '{\n  "model": "opus",\n  "env": {"A": "1"}\n}\n',
    "four spaces": '{\n    "b": [1, 2],\n    "a": null\n}\n',
    "tabs": '{\n\t"permissions": {\n\t\t"allow": []\n\t}\n}\n',
    "one line": '{"model": "opus", "cleanupPeriodDays": 30}\n',
    "minified": '{"model":"opus","x":[1,2]}',
    "Windows line ends": '{\r\n  "model": "opus"\r\n}\r\n',
    "escapes and other scripts": '{\n  "a": "\\u00e9\\/", "b": "\u00e9\U0001f600"\n}\n',
    "numbers as written": '{\n  "n": 1.0e2,\n  "m": -0\n}\n',
    "blank lines and spaces": '\n{\n\n  "a" : 1 ,\n\n  "b" : 2\n\n}\n\n',
    "other hooks": (
        '{\n  "hooks": {\n    "Stop": [\n      {\n        "hooks": [\n          {\n'
        '            "type": "command",\n            "command": "notify"\n          }\n        ]\n'
        '      }\n    ],\n    "PreToolUse": [{"matcher": "Bash", "hooks": [{"type": "http", '
        '"url": "x"}]}]\n  },\n  "model": "opus"\n}\n'
    ),
    "other hooks on one line": '{"hooks": {"Stop": [{"hooks": [{"command": "n"}]}]}, "model": "x"}',
}


def handlers(text: str) -> list[tuple[str, dict[str, Any]]]:
    """All handlers of a settings text with their event."""
    hooks = json.loads(text).get("hooks", {})
    return [
        (event, handler)
        for event, groups in hooks.items()
        for group in groups
        for handler in group["hooks"]
    ]


def ours(text: str) -> list[tuple[str, dict[str, Any]]]:
    return [(event, handler) for event, handler in handlers(text) if is_ours(handler)]


@pytest.mark.parametrize("text", TEXTS.values(), ids=TEXTS)
def test_install_registers_once_for_each_event(text: str) -> None:
    planned = plan_install(text, ENTRY)
    assert sorted(ours(planned)) == sorted((event, ENTRY.handler()) for event in EVENTS)
    assert plan_install(planned, ENTRY) == planned
    assert plan_uninstall(planned) == plan_uninstall(text) == text
    assert plan_install(plan_install(text, OTHER), ENTRY) == planned


def test_what_is_added_looks_like_its_surroundings() -> None:
    planned = plan_install('{\n\t"a": 1\n}\n', ENTRY)
    assert '\n\t"hooks": {\n\t\t"Stop": [\n\t\t\t{\n\t\t\t\t"hooks": [' in planned
    assert plan_install('{"a":1}', ENTRY).startswith('{"a":1,"hooks":{"Stop":[{"hooks":[{"type":')
    windows = plan_install('{\r\n  "a": 1\r\n}\r\n', ENTRY)
    assert windows.count("\n") == windows.count("\r\n")


def test_an_own_timeout_and_other_keys_stay() -> None:
    handler = {**OTHER.handler(), "timeout": 90, "statusMessage": "checking"}
    text = json.dumps({"hooks": {"Stop": [{"matcher": "", "hooks": [{"type": "x"}, handler]}]}})
    [stop] = [handler for event, handler in ours(plan_install(text, ENTRY)) if event == "Stop"]
    assert stop == {**ENTRY.handler(), "timeout": 90, "statusMessage": "checking"}


def test_surplus_copies_are_removed() -> None:
    group = {"hooks": [OTHER.handler(), {"type": "command", "command": "groundwire-hook"}]}
    text = json.dumps({"hooks": {"Stop": [group, group, {"hooks": [{"type": "x"}]}]}}, indent=2)
    planned = plan_install(text, ENTRY)
    assert [handler for event, handler in ours(planned) if event == "Stop"] == [ENTRY.handler()]
    assert ("Stop", {"type": "x"}) in handlers(planned)
    assert handlers(plan_uninstall(planned)) == [("Stop", {"type": "x"})]


@pytest.mark.parametrize(
    ("handler", "expected"),
    TABLES["own_handlers_are_recognised"],
)
def test_own_handlers_are_recognised(handler: dict[str, Any], expected: bool) -> None:
    assert is_ours(handler) is expected


@pytest.mark.parametrize(
    ("text", "message"),
    [*TABLES["other_shapes_are_refused_with_their_line"], ("[" * 100_000, "nested too deeply")],
)
def test_other_shapes_are_refused_with_their_line(text: str, message: str) -> None:
    for planner in (lambda text: plan_install(text, ENTRY), plan_uninstall):
        with pytest.raises(InstallError) as caught:
            planner(text)
        assert message in str(caught.value)


SCALARS = st.none() | st.booleans() | st.integers() | st.text(max_size=8)
VALUES = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner),
    max_leaves=8,
)
HANDLERS = st.fixed_dictionaries(
    {"type": st.just("command"), "command": st.sampled_from(["a", "b -c", "echo 'x'"])},
    optional={"timeout": st.integers(1, 600)},
)
GROUPS = st.fixed_dictionaries(
    {"hooks": st.lists(HANDLERS, min_size=1, max_size=2)}, optional={"matcher": st.just("*")}
)
HOOKS = st.dictionaries(
    st.sampled_from(["Stop", "SessionStart", "PreToolUse"]),
    st.lists(GROUPS, min_size=1, max_size=2),
    min_size=1,
)
SETTINGS = st.dictionaries(st.text(max_size=5).filter(lambda key: key != "hooks"), VALUES).flatmap(
    lambda rest: st.none().map(lambda _: rest) | HOOKS.map(lambda hooks: {**rest, "hooks": hooks})
)
STYLES = st.fixed_dictionaries(
    {"indent": st.sampled_from([None, 0, 1, 2, 4, "\t"]), "ensure_ascii": st.booleans()},
    optional={"separators": st.just((",", ":"))},
)


@given(settings=SETTINGS, style=STYLES)
def test_any_settings_survive_the_round_trip(
    settings: dict[str, Any], style: dict[str, Any]
) -> None:
    text = json.dumps(settings, **style)
    planned = plan_install(text, ENTRY)
    assert len(ours(planned)) == len(EVENTS)
    assert [one for one in handlers(planned) if not is_ours(one[1])] == handlers(text)
    assert plan_install(planned, ENTRY) == planned
    assert plan_uninstall(planned) == text
