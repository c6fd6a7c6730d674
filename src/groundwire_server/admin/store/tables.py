"""The tables as SQLAlchemy models; ``groundwire_server.admin.store`` says what they are for."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

from sqlalchemy import (
    JSON,
    BigInteger,
    Dialect,
    ForeignKey,
    Index,
    MetaData,
    String,
    Text,
    UniqueConstraint,
    text,
)
from sqlalchemy.dialects.postgresql import JSONB
from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column, relationship
from sqlalchemy.types import DateTime, TypeDecorator

#: Names of constraints, so that a migration can name what it drops.
NAMES = {
    "ix": "ix_%(table_name)s_%(column_0_N_name)s",
    "uq": "uq_%(table_name)s_%(column_0_N_name)s",
    "fk": "fk_%(table_name)s_%(column_0_name)s",
    "pk": "pk_%(table_name)s",
}


class UtcTime(TypeDecorator[datetime]):
    """A moment with its zone; SQLite, which keeps none, is given and read as UTC."""

    impl = DateTime(timezone=True)
    cache_ok = True

    def process_bind_param(
        self,
        value: datetime | None,
        dialect: Dialect,  # noqa: ARG002
    ) -> datetime | None:
        """Return what is stored; raises ValueError for a time without a zone."""
        if value is None:
            return None
        if value.tzinfo is None:
            raise ValueError(f"{value}: allowed: a time with its zone")
        return value.astimezone(UTC)

    def process_result_value(
        self,
        value: datetime | None,
        dialect: Dialect,  # noqa: ARG002
    ) -> datetime | None:
        """Return what was stored, with its zone."""
        return None if value is None else value.replace(tzinfo=value.tzinfo or UTC)


Json = JSON(none_as_null=True).with_variant(JSONB(none_as_null=True), "postgresql")


class Base(DeclarativeBase):
    """Base of all tables."""

    metadata = MetaData(naming_convention=NAMES)


#: R002-23: told by a database that keeps comments.
CONFIG_COMMENT = (
    "Settings of an agent; confidence_calculation holds method (formula, llm, hybrid), "
    "hybrid_settings, llm_settings and formula_weights"
)


class AgentConfig(Base):
    """One profile of one environment."""

    __tablename__ = "agent_configs"
    __table_args__ = (
        UniqueConstraint("name", "environment", "profile"),
        Index(
            "ux_agent_configs_active",
            "name",
            "environment",
            unique=True,
            sqlite_where=text("active"),
            postgresql_where=text("active"),
        ),
    )

    id: Mapped[int] = mapped_column(primary_key=True)
    name: Mapped[str] = mapped_column(String(100))
    environment: Mapped[str] = mapped_column(String(40))
    profile: Mapped[str] = mapped_column(String(40))
    active: Mapped[bool]
    version: Mapped[int]
    config: Mapped[dict[str, Any]] = mapped_column(Json, comment=CONFIG_COMMENT)
    updated_at: Mapped[datetime] = mapped_column(UtcTime)
    updated_by: Mapped[str] = mapped_column(String(100))


class Option(Base):
    """One document that holds for every environment."""

    __tablename__ = "options"

    name: Mapped[str] = mapped_column(String(40), primary_key=True)
    value: Mapped[dict[str, Any]] = mapped_column(Json)
    version: Mapped[int]
    updated_at: Mapped[datetime] = mapped_column(UtcTime)
    updated_by: Mapped[str] = mapped_column(String(100))


class Change(Base):
    """One change: ``before`` is null for what is new."""

    __tablename__ = "history"
    __table_args__ = (Index(None, "kind", "target", "id"),)

    id: Mapped[int] = mapped_column(primary_key=True)
    at: Mapped[datetime] = mapped_column(UtcTime)
    who: Mapped[str] = mapped_column(String(100))
    action: Mapped[str] = mapped_column(String(20))  # create, save, activate, restore
    kind: Mapped[str] = mapped_column(String(20))  # config, option, prompt, hook
    target: Mapped[str] = mapped_column(String(200))
    version: Mapped[int]  # of the target after the change
    restored: Mapped[int | None]  # the change whose document was put back
    before: Mapped[dict[str, Any] | None] = mapped_column(Json)
    after: Mapped[dict[str, Any]] = mapped_column(Json)


class Prompt(Base):
    """One version of a prompt."""

    __tablename__ = "prompts"
    __table_args__ = (
        UniqueConstraint("name", "version"),
        Index(
            "ux_prompts_active",
            "name",
            unique=True,
            sqlite_where=text("active"),
            postgresql_where=text("active"),
        ),
    )

    id: Mapped[int] = mapped_column(primary_key=True)
    name: Mapped[str] = mapped_column(String(100))
    prompt_type: Mapped[str] = mapped_column(String(40))
    version: Mapped[int]
    content: Mapped[str] = mapped_column(Text)
    notes: Mapped[str] = mapped_column(Text)
    tags: Mapped[list[str]] = mapped_column(Json)
    active: Mapped[bool]
    usage_count: Mapped[int]
    created_at: Mapped[datetime] = mapped_column(UtcTime)
    created_by: Mapped[str] = mapped_column(String(100))
    updated_at: Mapped[datetime] = mapped_column(UtcTime)


class Judgement(Base):
    """One calculated confidence. ``tokens`` and ``cost`` are null where they are not known.

    ``query`` and ``response`` are cut after 80 characters unless the settings retain answers; in
    rows of before version 0.2 they may be null.
    """

    __tablename__ = "judgements"

    id: Mapped[int] = mapped_column(primary_key=True)
    at: Mapped[datetime] = mapped_column(UtcTime, index=True)
    purpose: Mapped[str] = mapped_column(String(20))  # chat, sample, command, hook
    session: Mapped[str] = mapped_column(String(200))
    environment: Mapped[str] = mapped_column(String(40))
    requested_method: Mapped[str] = mapped_column(String(10))
    method: Mapped[str] = mapped_column(String(10))
    score: Mapped[float]
    formula_score: Mapped[float | None]
    llm_score: Mapped[float | None]
    breakdown: Mapped[dict[str, Any]] = mapped_column(Json)
    provider: Mapped[str] = mapped_column(String(20))
    model: Mapped[str] = mapped_column(String(200))
    prompt_version: Mapped[int | None]
    input_tokens: Mapped[int | None]
    output_tokens: Mapped[int | None]
    cost: Mapped[float | None]
    milliseconds: Mapped[float]
    content_hash: Mapped[str] = mapped_column(String(64), index=True)
    cached: Mapped[bool]
    problem: Mapped[str] = mapped_column(Text)  # why the judge has no say in the score
    query: Mapped[str | None] = mapped_column(Text)
    response: Mapped[str | None] = mapped_column(Text)


class CachedAnswer(Base):
    """A judge's answer under the digest of everything that it was asked."""

    __tablename__ = "cached_answers"

    content_hash: Mapped[str] = mapped_column(String(64), primary_key=True)
    at: Mapped[datetime] = mapped_column(UtcTime)
    answer: Mapped[dict[str, Any]] = mapped_column(Json)


class DecisionRow(Base):
    """One line of the hook's decision log."""

    __tablename__ = "decisions"
    __table_args__ = (Index(None, "session"), Index(None, "decision", "at"))

    id: Mapped[str] = mapped_column(String(64), primary_key=True)
    at: Mapped[datetime] = mapped_column(UtcTime, index=True)
    day: Mapped[str] = mapped_column(String(10), index=True)  # 2026-11-21, UTC
    version: Mapped[str] = mapped_column(String(40))
    event: Mapped[str] = mapped_column(String(40))
    session: Mapped[str] = mapped_column(String(200))
    prompt_id: Mapped[str] = mapped_column(String(200))
    agent_id: Mapped[str] = mapped_column(String(200))
    agent_type: Mapped[str] = mapped_column(String(200))
    message_id: Mapped[str] = mapped_column(String(200))
    transcript: Mapped[str] = mapped_column(String(1024))
    decision: Mapped[str] = mapped_column(String(10))
    why: Mapped[str] = mapped_column(Text)
    found: Mapped[int]
    blocking: Mapped[int]
    suppressed: Mapped[int]
    milliseconds: Mapped[float]
    error: Mapped[str] = mapped_column(Text)
    notes: Mapped[list[str]] = mapped_column(Json)
    judge: Mapped[dict[str, Any] | None] = mapped_column(Json)
    matches: Mapped[list[DecisionMatch]] = relationship(
        order_by="DecisionMatch.position", lazy="selectin"
    )


class DecisionMatch(Base):
    """One match of a decision, in the order of the text."""

    __tablename__ = "decision_matches"

    decision_id: Mapped[str] = mapped_column(ForeignKey("decisions.id"), primary_key=True)
    position: Mapped[int] = mapped_column(primary_key=True)
    kind: Mapped[str] = mapped_column(String(60), index=True)
    marker: Mapped[str] = mapped_column(String(200))
    offset: Mapped[int]
    length: Mapped[int]
    evidence: Mapped[str] = mapped_column(Text)
    confidence: Mapped[int]
    verdict: Mapped[str] = mapped_column(String(20))
    call_id: Mapped[str] = mapped_column(String(200))
    accuser: Mapped[str] = mapped_column(String(40), server_default="")


class LookRow(Base):
    """One second look at a turn, by the line of the decision log."""

    __tablename__ = "looks"
    __table_args__ = (Index(None, "session", "message_id"),)

    id: Mapped[str] = mapped_column(String(64), primary_key=True)
    at: Mapped[datetime] = mapped_column(UtcTime)
    session: Mapped[str] = mapped_column(String(200))
    message_id: Mapped[str] = mapped_column(String(200))
    act: Mapped[str] = mapped_column(String(10))
    look: Mapped[dict[str, Any]] = mapped_column(Json)


class LogFile(Base):
    """How far a file of the decision log was read; ``name`` is the digest of its first line."""

    __tablename__ = "log_files"

    name: Mapped[str] = mapped_column(String(64), primary_key=True)
    offset: Mapped[int] = mapped_column(BigInteger)
    skipped: Mapped[int]  # lines that are no records
    read_at: Mapped[datetime] = mapped_column(UtcTime)


class Feedback(Base):
    """One person's vote: 1 for right, -1 for wrong, about a judgement or a decision."""

    __tablename__ = "feedback"
    __table_args__ = (
        UniqueConstraint("who", "judgement_id"),
        UniqueConstraint("who", "decision_id"),
    )

    id: Mapped[int] = mapped_column(primary_key=True)
    at: Mapped[datetime] = mapped_column(UtcTime)
    who: Mapped[str] = mapped_column(String(100))
    judgement_id: Mapped[int | None] = mapped_column(ForeignKey("judgements.id"), index=True)
    decision_id: Mapped[str | None] = mapped_column(ForeignKey("decisions.id"), index=True)
    vote: Mapped[int]
    note: Mapped[str] = mapped_column(Text)


class Assignment(Base):
    """The A/B group of a session: the method that scored its answers."""

    __tablename__ = "assignments"

    session: Mapped[str] = mapped_column(String(200), primary_key=True)
    group: Mapped[str] = mapped_column(String(10), index=True)
    bucket: Mapped[int]  # 0 to 99
    at: Mapped[datetime] = mapped_column(UtcTime)
