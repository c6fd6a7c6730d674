"""Work in the background of a turn that ends: whether it will still report a result."""

from __future__ import annotations

_AWAITED_TYPES = frozenset(
    ("subagent", "workflow", "teammate", "cloud session", "agent", "local_agent", "remote_agent")
)
#: Words of a command that ends with a result; a server or a watcher does not end.
_RESULT_WORDS = frozenset(
    "test tests pytest jest vitest mocha tox nox ctest rspec phpunit bats build compile make cmake "
    "cargo gradle mvn tsc lint eslint ruff mypy pyright check clippy install bench".split()
)
_ENDLESS_WORDS = frozenset(
    "serve server dev watch --watch start tail -f preview storybook runserver up".split()
)


def awaits_result(tasks: tuple[tuple[str, str], ...]) -> bool:
    """Tell whether one of the running ``(type, command)`` tasks will still report a result."""
    return any(
        kind in _AWAITED_TYPES or (kind == "shell" and _ends_with_result(command))
        for kind, command in tasks
    )


def _ends_with_result(command: str) -> bool:
    words = set(command.replace(":", " ").replace("/", " ").split())
    return not words & _ENDLESS_WORDS and bool(words & _RESULT_WORDS)
