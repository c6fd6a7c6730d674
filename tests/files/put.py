"""Files for the tests of this folder."""

from pathlib import Path


def put(folder: Path, name: str = "a.md", data: bytes | str = "x") -> Path:
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data.encode() if isinstance(data, str) else data)
    return path
