"""The plugin's manifests agree with the package and with each other."""

from __future__ import annotations

import json
import os
import re
import struct
from typing import Any

import pytest

from groundwire import __version__
from groundwire.install.entry import EVENTS, STATUS_MESSAGE, TIMEOUT_SECONDS
from tests.plugin.support import REPOSITORY


def load(path: str) -> dict[str, Any]:
    fields: dict[str, Any] = json.loads((REPOSITORY / path).read_bytes())
    return fields


def test_the_version_is_the_package_s() -> None:
    assert load(".claude-plugin/plugin.json")["version"] == __version__


def test_the_marketplace_lists_the_folder_itself() -> None:
    [entry] = load(".claude-plugin/marketplace.json")["plugins"]
    assert entry["source"] == "./"
    assert entry["name"] == load(".claude-plugin/plugin.json")["name"] == "groundwire"
    # The version stands in plugin.json alone, which wins over an entry's.
    assert "version" not in entry


def test_the_plugin_registers_what_install_registers() -> None:
    hooks = load("hooks/hooks.json")
    # Claude Code reports any other key at every start.
    assert set(hooks) == {"description", "hooks"}
    assert tuple(hooks["hooks"]) == EVENTS
    for groups in hooks["hooks"].values():
        [[handler]] = [group.pop("hooks") for group in groups]
        assert groups == [{}]
        assert set(handler) == {"type", "command", "args", "timeout", "statusMessage"}
        assert handler["timeout"] == TIMEOUT_SECONDS
        assert handler["statusMessage"] == STATUS_MESSAGE


@pytest.mark.parametrize("event", EVENTS)
def test_the_launchers_are_started_directly(event: str) -> None:
    # With "sh" as command and the script in "args", a Claude Code that does not know "args" would
    # feed the event, and with it the model's text, to a shell.
    [group] = load("hooks/hooks.json")["hooks"][event]
    [handler] = group["hooks"]
    found = re.fullmatch(r"\$\{CLAUDE_PLUGIN_ROOT\}/(hooks/[a-z-]+\.sh)", handler["command"])
    assert found
    assert handler["args"] == []
    assert os.access(REPOSITORY / found.group(1), os.X_OK)


def test_the_icon_is_a_square_png_of_512_pixels() -> None:
    head = (REPOSITORY / ".claude-plugin/icon.png").read_bytes()[:24]
    assert head[:8] == b"\x89PNG\r\n\x1a\n"
    assert struct.unpack(">II", head[16:]) == (512, 512)
