"""What the hook decided: lists, one decision with its message, votes."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime

from pydantic import Field

from groundwire.base.errors import StoreError
from groundwire.base.model import BLOCK, PASS
from groundwire.base.paths import state_folder
from groundwire.base.settings import Settings
from groundwire.hook.memory import project_of
from groundwire.hook.second_look_state import look_folder, said_of
from groundwire.hook.second_look_state import vote as keep_vote
from groundwire.inputs.event import SUBAGENT_STOP
from groundwire_confidence.history_votes import append_vote
from groundwire_server.admin.service.consequences import logged_matches
from groundwire_server.admin.service.judge_view import (
    JudgeView,
    LookView,
    judge_view,
    kept_digest,
    look_view,
    told,
    with_judge,
)
from groundwire_server.admin.service.reading import (
    CallView,
    ReadMatchView,
    TextState,
    answer_now,
    call_view,
    offsets_hold,
    present_settings,
    read_match,
    read_message,
    words_around,
)
from groundwire_server.admin.service.verdict_line import foremost, verdict_line
from groundwire_server.admin.service.view import View, viewed
from groundwire_server.admin.store import decisions, feedback
from groundwire_server.admin.store.database import Store
from groundwire_server.admin.store.decisions import Filter
from groundwire_server.admin.store.log_rows import clean, take_in
from groundwire_server.admin.store.tables import DecisionRow, LookRow

MOST = 200
_EVERYTHING = Filter()


class MatchView(View):
    """One match of a decision."""

    kind: str
    marker: str
    offset: int
    length: int
    evidence: str
    confidence: int
    verdict: str
    call_id: str
    accuser: str


class DecisionView(View):
    """One decision of the hook; ``vote`` is that of the person who asks: 1, -1 or null."""

    id: str
    at: datetime
    decision: str
    event: str
    session: str
    agent_type: str
    project: str
    why: str
    found: int
    blocking: int
    milliseconds: float
    error: str
    matches: list[MatchView]
    vote: int | None


class WorkView(DecisionView):
    """A decision in a list: ``verdict`` says it in words, as far as the log knows.

    ``strongest`` is the match that it speaks of: of those that stop the turn, the one that the
    model is told of first. ``before`` and ``after`` stand in the message beside it; both are empty
    when the message cannot be read any more. ``late`` is the second look at the turn, if one woke
    Claude or noted something.
    """

    verdict: str
    strongest: MatchView | None
    late: LookView | None
    before: str
    after: str


class DecisionPage(View):
    """Decisions, the newest first. ``following`` continues the list; null at its end."""

    decisions: list[WorkView]
    total: int
    following: str | None


class DecisionDetail(View):
    """A decision with its message, read from the transcript now, and the second look at it.

    ``verdict`` is the decision in one line: number, threshold, and what it rests on; ``report`` the
    present threshold of a report. ``judge`` is null when none was asked, ``digest`` what it was
    shown of the turn where that is kept (``digest_kept``), else what a judge would be shown now, ""
    when that cannot be read. ``told`` is what the model was sent for a turn that was stopped: as
    the transcript has it (``told_kept``), else as it would be sent now, "" when neither is known.

    ``text_state``: found; transcript_gone: the file is not there any more; message_gone: the file
    does not hold the message; unreadable: the file cannot be read, ``problem`` says why; unknown:
    the log names no transcript or message. Only with found are ``text``, ``read_matches`` and
    ``calls`` filled; ``text`` may still be that of a message with other offsets when the transcript
    was changed, which ``offsets_hold`` tells.
    """

    decision: DecisionView
    verdict: str
    report: int
    judge: JudgeView | None
    look: LookView | None
    told: str
    told_kept: bool
    digest: str
    digest_kept: bool
    version: str
    prompt_id: str
    agent_id: str
    message_id: str
    transcript: str
    suppressed: int
    notes: list[str]
    text_state: TextState
    problem: str
    text: str
    offsets_hold: bool
    read_matches: list[ReadMatchView]
    calls: list[CallView]


class IntakeView(View):
    """What was taken in from the decision log."""

    added: int
    skipped: int = Field(description="Lines that are no records.")
    problems: list[str]


class Decisions:
    """The decision log in the database. Raises StoreError; NotFoundError for an unknown id."""

    def __init__(self, store: Store, env: Mapping[str, str]) -> None:
        self._store = store
        self._env = env

    def take_in(self) -> IntakeView:
        """Take in what the hook has logged since the last time; cheap when there is nothing."""
        folder = state_folder(self._env)
        if not folder:
            return IntakeView(added=0, skipped=0, problems=["no state folder, HOME is not set"])
        taken = take_in(self._store, folder)
        return IntakeView(added=taken.added, skipped=taken.skipped, problems=list(taken.problems))

    def page(
        self, wanted: Filter = _EVERYTHING, *, limit: int = 50, below: str = "", who: str = ""
    ) -> DecisionPage:
        """Return decisions, the newest first, with the votes of ``who``.

        ``below`` is ``following`` of the page before.
        """
        with self._store.read() as db:
            rows = decisions.page(db, wanted, limit=limit + 1, below=clean(below, 64))
            total = decisions.count(db, wanted)
            shown = rows[:limit]
            votes = feedback.votes(db, feedback.OF_DECISION, [row.id for row in shown], who)
            looks = {
                key: look_view(one, (), self._said(one))
                for key, one in decisions.looks_at(db, shown).items()
            }
        settings = present_settings(self._env)
        return DecisionPage(
            decisions=[
                _in_list(row, votes.get(row.id), settings, looks.get(row.id)) for row in shown
            ],
            total=total,
            following=shown[-1].id if len(rows) > limit else None,
        )

    def beside(self, wanted: Filter, identity: str) -> tuple[str, str]:
        """Return the ids of the decisions before and after one in the list, "" for none."""
        with self._store.read() as db:
            newer = decisions.newer(db, wanted, clean(identity, 64))
            older = decisions.page(db, wanted, limit=1, below=clean(identity, 64))
            return newer.id if newer else "", older[0].id if older else ""

    def detail(self, identity: str, *, who: str = "") -> DecisionDetail:
        """Return one decision with its message, which is read from the transcript now."""
        with self._store.read() as db:
            row = decisions.decision_of(db, clean(identity, 64))
            votes = feedback.votes(db, feedback.OF_DECISION, [row.id], who)
            view = _view(row, votes.get(row.id))
            logged = list(row.matches)
            found = decisions.looks_at(db, [row]).get(row.id)
        reading = read_message(row.transcript, row.message_id, row.event, row.agent_type, self._env)
        calls = reading.turn.calls
        holds = reading.state == "found" and offsets_hold(reading, logged)
        judge = judge_view(row.judge, reading.digest if holds else None, [one.id for one in calls])
        look = look_view(found, [one.id for one in calls], self._said(found)) if found else None
        asked = judge.asked if judge else found.look["asked"] if found else ""
        kept = kept_digest(asked, self._env)
        named = {one.call_id for one in logged if one.call_id}
        named |= {one.call_id for one in judge.statements} if judge else set()
        named |= {one.call_id for one in told(look)}
        read = [
            with_judge(read_match(one, logged), judge, reading.settings) for one in reading.matches
        ]
        named |= {call_id for one in read for call_id in one.call_ids}
        matches = reading.matches or logged_matches(row)
        stopped = row.decision == BLOCK
        return viewed(
            DecisionDetail,
            row,
            decision=view,
            verdict=verdict_line(row, matches, reading.settings, judge),
            report=reading.settings.thresholds.report,
            judge=judge,
            look=look,
            told=(reading.told or answer_now(reading)) if stopped else "",
            told_kept=stopped and bool(reading.told),
            digest=kept or (reading.digest.text if reading.digest else ""),
            digest_kept=bool(kept),
            text_state=reading.state,
            problem=reading.problem,
            text=reading.turn.message,
            offsets_hold=holds,
            read_matches=read,
            calls=[call_view(call) for call in calls if call.id in named],
        )

    def vote(self, identity: str, vote: int, *, who: str, note: str = "") -> None:
        """Keep whether the hook was right (1) or wrong (-1); 0 takes the vote back.

        Where the composite is on, it is an outcome of the agent's run, too: right is a turn that
        passed rightly, and one that was flagged wrongly.
        """
        with self._store.write() as db:
            row = decisions.decision_of(db, clean(identity, 64))
            feedback.keep_vote(db, feedback.OF_DECISION, row.id, vote, who, note)
            was_right = None if not vote else (vote > 0) == (row.decision == PASS)
            agent, task = row.agent_type, row.prompt_id
        composite = present_settings(self._env).composite
        if problem := append_vote(composite, self._env, agent, task, was_right, note):
            raise StoreError(problem)

    def vote_on_look(self, identity: str, vote: int) -> None:
        """Keep whether a second look was right (1) or wrong (-1), for its model; 0 takes it back.

        It is the user's own vote, as that of ``groundwire wrong``, whoever is signed in.
        """
        with self._store.read() as db:
            row = decisions.look_of(db, clean(identity, 64))
        right = {1: True, -1: False}.get(vote)
        try:
            keep_vote(look_folder(self._env) or "", row.look["key"], row.id, right=right)
        except OSError as error:
            raise StoreError(f"the votes of the second look: {error}") from None

    def _said(self, row: LookRow) -> int | None:
        said = said_of(look_folder(self._env) or "", row.look["key"]).get(row.id)
        return None if said is None else 1 if said else -1


def _in_list(
    row: DecisionRow, vote: int | None, settings: Settings, look: LookView | None
) -> WorkView:
    matches, judge = logged_matches(row), judge_view(row.judge, None, ())
    strongest = foremost(row, matches, settings, judge)
    around = ("", "")
    if strongest:
        agent = row.event == SUBAGENT_STOP
        around = words_around(row.transcript, row.message_id, strongest, agent=agent)
    return WorkView(
        **_view(row, vote).model_dump(),
        verdict=verdict_line(row, matches, settings, judge),
        strongest=MatchView.model_validate(strongest) if strongest else None,
        late=look if told(look) else None,
        before=around[0],
        after=around[1],
    )


def _view(row: DecisionRow, vote: int | None) -> DecisionView:
    matches = [MatchView.model_validate(match) for match in row.matches]
    project = project_of(row.transcript)
    return viewed(DecisionView, row, project=project, matches=matches, vote=vote)
