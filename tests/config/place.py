"""A home folder and a project in it, as real files, for the tests of settings."""

import os
from pathlib import Path
from typing import Any

from groundwire.settings.load import Loaded, load
from groundwire.settings.names import Names
from groundwire.settings.project import inspect_project, trust_list, trust_path
from groundwire.settings.trust import entry_for, write_trust

PACK = Path(__file__).with_name("pack.toml").read_text(encoding="utf-8")


def some_names(_folders: Any = ()) -> Names:
    """A small fixed set of names, so that a test does not depend on the shipped rule set."""
    return Names(("spec.i-think", "spec.probably"), ("question", "quotation"))


class Place:
    """Files are written with ``user``, ``admin`` and ``project``; ``env`` is what they are in."""

    def __init__(self, root: Path) -> None:
        self.home = Path(os.path.realpath(root)) / "home"
        self.folder = self.home / "shop"
        self.folder.mkdir(parents=True)
        (self.folder / ".git").mkdir()
        self.settings = self.home / ".config" / "groundwire"
        self.settings.mkdir(parents=True)
        self.cache = self.home / ".cache" / "groundwire"
        self.env = {"HOME": str(self.home)}

    @property
    def where(self) -> tuple[dict[str, str], str]:
        """The variables and the folder that settings are looked up with."""
        return self.env, str(self.folder)

    def write(self, path: Path, text: str) -> Path:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
        return path

    def change(self, files: dict[str, str], variables: dict[str, str]) -> None:
        """Write files of the home folder, and set variables."""
        for name, text in files.items():
            self.write(self.home / name, text)
        self.env |= variables

    def user(self, text: str) -> Path:
        return self.write(self.settings / "config.toml", text)

    def admin(self, text: str) -> Path:
        return self.write(self.settings / "admin.toml", text)

    def project(self, text: str) -> Path:
        return self.write(self.folder / ".groundwire.toml", text)

    def pack(self, folder: Path, text: str = PACK) -> Path:
        self.write(folder / "speculation.toml", text)
        return folder

    def trust(self) -> None:
        layer = inspect_project(*self.where, some_names).layer
        entries = {**trust_list(self.env), layer.path: entry_for(layer)}
        write_trust(trust_path(self.env), entries)

    def load(self, **flags: Any) -> Loaded:
        return load(*self.where, flags, some_names)
