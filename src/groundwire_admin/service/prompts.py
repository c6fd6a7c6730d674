"""Versions of the judge's prompt: list, create, activate."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from pydantic import Field

from groundwire.config.calculation import LLMConfidenceSettings
from groundwire.config.words import show_value
from groundwire.errors import ConfigError
from groundwire.judge.prompt import NAME, TYPE, Prompt, missing_variables, render
from groundwire_admin.service.view import ChangeView, View, viewed
from groundwire_admin.store import history, prompts
from groundwire_admin.store.database import Store
from groundwire_admin.store.tables import Prompt as PromptRow

_LONGEST = 20_000
_LONGEST_NOTES = 2_000
_LIMITS = LLMConfidenceSettings()
_MOST_TAGS, _LONGEST_TAG = 20, 40


class PromptView(View):
    """One version of a prompt."""

    id: int
    name: str
    prompt_type: str
    version: int
    content: str
    notes: str
    tags: list[str]
    active: bool
    usage_count: int
    created_at: datetime
    created_by: str
    updated_at: datetime
    missing_variables: list[str] = Field(description="Variables that the text does not use.")


class PreviewView(View):
    """What the judge would be sent."""

    text: str
    missing_variables: list[str]
    truncated: list[str] = Field(description="Variables that were cut to the configured lengths.")
    warning: str = Field(description="A sentence about missing variables, or empty.")


class Prompts:
    """The versions of one prompt. Raises StoreError; NotFoundError for what is not there."""

    def __init__(self, store: Store, name: str = NAME) -> None:
        self._store = store
        self.name = name

    def versions(self) -> list[PromptView]:
        """Return all versions, the newest first."""
        with self._store.read() as session:
            return [_view(row) for row in prompts.versions(session, self.name)]

    def active(self) -> PromptView:
        """Return the version in use."""
        with self._store.read() as session:
            return _view(prompts.active(session, self.name))

    def create(
        self,
        content: str,
        *,
        who: str,
        notes: str = "",
        tags: Sequence[str] = (),
        activate: bool = False,
    ) -> PromptView:
        """Add the next version, and put it in use with ``activate``.

        Raises ConfigError for a text, note or tag that is not allowed; ConflictError when somebody
        else made the next version at the same moment.
        """
        _check(content, notes, tags)
        with self._store.write() as session:
            row = prompts.create(
                session, self.name, content, prompt_type=TYPE, notes=notes, tags=tags, who=who
            )
            if activate:
                prompts.activate(session, row, who)
            return _view(row)

    def activate(self, number: int, *, who: str) -> PromptView:
        """Put the version with this id in use. Raises ConflictError as ``create``."""
        with self._store.write() as session:
            row = prompts.prompt_of(session, number, self.name)
            return _view(prompts.activate(session, row, who))

    def preview(
        self,
        content: str,
        *,
        query: str,
        context: str,
        response: str,
        limits: LLMConfidenceSettings = _LIMITS,
    ) -> PreviewView:
        """Return what the judge would be sent for a sample, with a warning for what is missing.

        Only {query}, {context} and {response} are replaced; those that the text does not mention
        are put behind it. Context and response are cut as ``limits`` says. Nothing is kept. Raises
        ConfigError for a text that is not allowed.
        """
        _check(content, "", ())
        rendered = render(
            Prompt(content),
            query,
            context,
            response,
            context_characters=limits.context_characters,
            response_characters=limits.response_characters,
        )
        return PreviewView(
            text=rendered.text,
            missing_variables=list(rendered.appended),
            truncated=list(rendered.truncated),
            warning=_warning(rendered.appended),
        )

    def current(self) -> Prompt:
        """Return the version in use as the judge takes it."""
        view = self.active()
        return Prompt(view.content, view.version)

    def history(self, *, limit: int = 50, below: int | None = None) -> list[ChangeView]:
        """Return who made and activated versions, the newest first."""
        with self._store.read() as session:
            found = history.changes(session, history.PROMPT, self.name, limit=limit, below=below)
            return [ChangeView.model_validate(change) for change in found]


def _check(content: str, notes: str, tags: Sequence[str]) -> None:
    problems = []
    if not content.strip() or len(content) > _LONGEST:
        problems.append(
            f"content: {len(content)} characters: allowed: a text of up to {_LONGEST} characters"
        )
    if len(notes) > _LONGEST_NOTES:
        problems.append(f"notes: {len(notes)} characters: allowed: up to {_LONGEST_NOTES}")
    if len(tags) > _MOST_TAGS:
        problems.append(f"tags: {len(tags)} of them: allowed: up to {_MOST_TAGS}")
    problems += [
        f"tags: value {show_value(tag)}: allowed: 1 to {_LONGEST_TAG} characters"
        for tag in tags
        if not tag.strip() or len(tag) > _LONGEST_TAG
    ]
    if "\0" in content + notes + "".join(tags):
        problems.append("content, notes, tags: a NUL character: allowed: text")
    if problems:
        raise ConfigError("\n".join(f"prompt: {problem}" for problem in problems))


def _warning(missing: Sequence[str]) -> str:
    if not missing:
        return ""
    names = ", ".join(f"{{{name}}}" for name in missing)
    return f"Not used in the text, so appended to it: {names}."


def _view(row: PromptRow) -> PromptView:
    return viewed(PromptView, row, missing_variables=list(missing_variables(row.content)))
