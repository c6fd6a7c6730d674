"""Versions of the judge's prompt: list, create, activate."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from pydantic import Field
from sqlalchemy import func, select, update
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session

from groundwire.base.errors import ConfigError, ConflictError, NotFoundError
from groundwire.settings.toml_text import show_value
from groundwire_confidence.calculation import LLMConfidenceSettings
from groundwire_judge.prompt import NAME, TYPE, Prompt, missing_variables, render
from groundwire_server.admin.service.view import ChangeView, View, viewed
from groundwire_server.admin.store import history
from groundwire_server.admin.store.database import Store
from groundwire_server.admin.store.tables import Prompt as PromptRow

_IN_USE = select(PromptRow).where(PromptRow.name == NAME, PromptRow.active)
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
    """The versions of the judge's prompt: numbered, never changed, one of them in use.

    Raises StoreError; NotFoundError for what is not there.
    """

    def __init__(self, store: Store) -> None:
        self._store = store

    def versions(self) -> list[PromptView]:
        """Return all versions, the newest first."""
        query = select(PromptRow).where(PromptRow.name == NAME).order_by(PromptRow.version.desc())
        with self._store.read() as session:
            return [_view(row) for row in session.scalars(query)]

    def active(self) -> PromptView:
        """Return the version in use."""
        with self._store.read() as session:
            row = session.scalar(_IN_USE)
        if row is None:
            raise NotFoundError(f"prompt: {NAME}: no version is active")
        return _view(row)

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
        written = {"content": content, "notes": notes, "tags": list(tags)}
        newest = select(func.max(PromptRow.version)).where(PromptRow.name == NAME)
        with self._store.write() as session:
            row = PromptRow(
                name=NAME,
                prompt_type=TYPE,
                version=(session.scalar(newest) or 0) + 1,
                active=False,
                usage_count=0,
                created_at=history.now(),
                created_by=history.person(who),
                updated_at=history.now(),
                **written,
            )
            session.add(row)
            try:
                session.flush()
            except IntegrityError:
                said = f"{NAME}: somebody made version {row.version} first"
                raise ConflictError(said) from None
            history.add_change(
                session,
                history.PROMPT,
                NAME,
                history.CREATE,
                who=who,
                version=row.version,
                before=None,
                after=written,
            )
            if activate:
                _activate(session, row, who)
            return _view(row)

    def activate(self, number: int, *, who: str) -> PromptView:
        """Put the version with this id in use. Raises ConflictError as ``create``."""
        with self._store.write() as session:
            row = session.get(PromptRow, number)
            if row is None or row.name != NAME:
                raise NotFoundError(f"prompt: {number}: no version of {NAME} has it")
            _activate(session, row, who)
            return _view(row)

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
            warning=warning_of(rendered.appended),
        )

    def current(self) -> Prompt:
        """Return the version in use as the judge takes it."""
        view = self.active()
        return Prompt(view.content, view.version)

    def history(self, *, limit: int = 50, below: int | None = None) -> list[ChangeView]:
        """Return who made and activated versions, the newest first."""
        with self._store.read() as session:
            changes = history.changes(session, history.PROMPT, NAME, limit=limit, below=below)
            return [ChangeView.model_validate(change) for change in changes]


def count_use(session: Session, version: int) -> None:
    """Add one to the evaluations that used a version."""
    used = update(PromptRow).where(PromptRow.name == NAME, PromptRow.version == version)
    used = used.values(usage_count=PromptRow.usage_count + 1)
    session.execute(used.execution_options(synchronize_session=False))


def _activate(session: Session, row: PromptRow, who: str) -> None:
    """Make a version the one in use. Raises ConflictError."""
    if row.active:
        return
    before = session.scalar(_IN_USE.with_for_update())
    if before is not None:
        before.active, before.updated_at = False, history.now()
        session.flush()
    row.active, row.updated_at = True, history.now()
    try:
        session.flush()
    except IntegrityError:
        raise ConflictError(f"{NAME}: somebody activated another version") from None
    history.add_change(
        session,
        history.PROMPT,
        NAME,
        history.ACTIVATE,
        who=who,
        version=row.version,
        before={"active": before.version} if before else None,
        after={"active": row.version},
    )


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


def warning_of(missing: Sequence[str]) -> str:
    """Return a sentence about variables that a prompt does not use, or ""."""
    if not missing:
        return ""
    names = ", ".join(f"{{{name}}}" for name in missing)
    return f"Not used in the text, so appended to it: {names}."


def _view(row: PromptRow) -> PromptView:
    return viewed(PromptView, row, missing_variables=list(missing_variables(row.content)))
