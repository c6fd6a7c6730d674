"""The recorded outputs, under the name that tests of the old modules know them by."""

from __future__ import annotations

from tests.evidence.outputs.recorded import FOLDER, read

__all__ = ["FOLDER", "read"]
