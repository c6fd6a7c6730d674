"""The files of a turn as its calls leave them: what it made and took away again is no change."""

from __future__ import annotations

from groundwire.evidence.runs.places import is_absolute, same_place

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

#: Characters of a path that is also known by the folders that it lies in, and by its last parts.
_LONGEST = 1000


class Tree:
    """Changes in order, without those of files that the turn made and that are gone at its end.

    A file that was read or changed in part before it was written as a whole was there before.
    """

    def __init__(self) -> None:
        self._changes: list[tuple[int, str]] = []
        self._made: dict[str, list[int]] = {}  # by path, the numbers of its changes
        self._known_as: dict[str, set[str]] = {}  # so that a removal does not look at all of them
        self._found: set[str] = set()  # there before the turn
        self._undone: set[int] = set()
        self._is_staged = False

    def changes(self) -> tuple[tuple[int, str], ...]:
        """Return ``(position of the call, path)`` of every change that lasts, in order."""
        return tuple(
            change for number, change in enumerate(self._changes) if number not in self._undone
        )

    def find(self, path: str) -> None:
        """Note that a file was there when it was read."""
        if path not in self._made:
            self._found.add(path)

    def write(self, at: int, path: str, counts: bool, shown: str = "") -> None:
        """Add the writing of a whole file; ``shown`` is its name in ``changes``.

        One that does not count is only known to have been made by the turn.
        """
        if path not in self._found and path not in self._made:
            self._made[path] = []
            for name in _names(path):
                self._known_as.setdefault(name, set()).add(path)
        if counts:
            self._add(at, path, shown or path)

    def change(self, at: int, path: str, shown: str = "") -> None:
        """Add a change of a file, which was there if the turn did not make it."""
        self.find(path)
        self._add(at, path, shown or path)

    def remove(self, path: str) -> bool:
        """Forget what the turn made at ``path``, a file, a folder or one name with a ``*``.

        Tell whether there was anything of it.
        """
        gone = self._meant(path)
        for made in gone:
            self._undone.update(self._made.pop(made))
            for name in _names(made):
                self._known_as[name].discard(made)
        return bool(gone)

    def holds(self, path: str) -> bool:
        """Tell whether ``path`` means something that the turn made and did not take away."""
        return bool(self._meant(path))

    def _meant(self, path: str) -> list[str]:
        return [made for made in self._perhaps(path) if _is_meant(path, made)]

    def _perhaps(self, path: str) -> Iterable[str]:
        """Return those of the made files that ``path`` may mean."""
        start, star, end = path.partition("*")
        if not path or (star and ("/" in end or not start + end)):
            return self._made
        if star:
            return self._known_as.get(f"{start.rpartition('/')[0]}/*", ())
        found = {*self._known_as.get(path, ()), *self._known_as.get(f"{path}/", ())}
        if is_absolute(path):
            found.update(part for part in _last_parts(path) if part in self._made)
        return found

    def stage(self) -> None:
        """Note that git may know files that the turn made."""
        self._is_staged = True

    def clean(self, place: str) -> None:
        """Forget what the turn made below ``place`` when git does not know it."""
        if not self._is_staged:
            self.remove(place or "*")

    def _add(self, at: int, path: str, shown: str) -> None:
        if path in self._made:
            self._made[path].append(len(self._changes))
        self._changes.append((at, shown))


def _names(made: str) -> Iterator[str]:
    """Yield what a removal may call a file: itself, its folders, and what relative paths say."""
    yield made
    yield f"{made.rpartition('/')[0]}/*"
    if len(made) > _LONGEST:
        return
    parts = made.split("/")
    yield from ("/".join(parts[:count]) + "/" for count in range(1, len(parts)))
    if is_absolute(made):
        yield from _last_parts(made)


def _last_parts(path: str) -> Iterator[str]:
    if len(path) <= _LONGEST:
        parts = path.split("/")
        yield from ("/".join(parts[count:]) for count in range(1, len(parts)))


def _is_meant(path: str, made: str) -> bool:
    start, star, end = path.partition("*")
    if star:
        return made.startswith(start) and made.endswith(end) and _is_flat(made, start, end)
    return same_place(path, made) or made.startswith(f"{path}/")


def _is_flat(made: str, start: str, end: str) -> bool:
    return not start + end or "/" not in made[len(start) : len(made) - len(end)]
