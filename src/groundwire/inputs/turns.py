"""From the lines of a transcript to turns: prompt, final message, tool calls."""

from __future__ import annotations

import os

from groundwire.base.model import ToolCall, Turn
from groundwire.inputs.event import text_at
from groundwire.inputs.transcript import (
    INTERRUPTED,
    SYNTHETIC_MODEL,
    blocks_of,
    command_text,
    failure,
    is_command,
    is_conversation,
    is_feedback,
    is_human_prompt,
    is_on_chain,
    message_of,
    open_file,
    parse_line,
    split_context,
    text_of,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from typing import Any

    Entry = dict[str, Any]


#: Fields of an attachment that say what it is, not what it holds.
_ATTACHMENT_LABELS = ("type", "hookName", "hookEvent", "toolUseID", "commandMode", "origin")
_STOP_EVENTS = ("Stop", "SubagentStop")
_ATTACHMENT_DEPTH = 6


def build_turn(
    entries: Sequence[Entry], partial: bool = False, agent: bool = False, first: bool = False
) -> Turn:
    """Build the turn that begins at the last human prompt among ``entries`` (in file order).

    ``partial``: reading stopped before the prompt; a turn whose prompt is nowhere in ``entries``
    is partial, too, since what came before them is unknown. ``agent``: the lines are those of a
    sub-agent's own transcript. ``first``: the session begins with
    them. Without final text ``message`` is empty.
    """
    start = None
    for index, (entry, following) in enumerate(with_following(entries, agent)):
        if is_human_prompt(entry, following, agent):
            start = index
    collector = Collector(entries[start] if start is not None else None)
    for entry in entries[start or 0 :]:
        if is_on_chain(entry, agent):
            collector.add(entry)
    turn = collector.turn(partial or (start is None and bool(entries)))
    return turn.replace(first=first and start is not None and not turn.partial)


def with_following(entries: Iterable[Entry], agent: bool) -> Iterator[tuple[Entry, Entry | None]]:
    """Pair each entry with the next one of the conversation, where that is needed.

    Only the wrapper of a slash command needs it; it waits, with the lines behind it, until it is
    there.
    """
    waiting: list[Entry] = []
    for entry in entries:
        if waiting and is_conversation(entry, agent):
            yield from _release(waiting, entry)
            waiting = []
        if waiting or (is_command(entry) and is_on_chain(entry, agent)):
            waiting.append(entry)
        else:
            yield entry, None
    yield from _release(waiting, None)


def _release(waiting: list[Entry], following: Entry | None) -> Iterator[tuple[Entry, Entry | None]]:
    for index, entry in enumerate(waiting):
        yield entry, None if index else following


class Collector:
    """Takes the main-chain lines of one turn in file order and says what they add up to."""

    def __init__(self, prompt: Entry | None) -> None:
        self.prompt_entry = prompt
        self.prompt = ""
        self.known: list[str] = []
        self.calls: dict[str, Entry] = {}  # tool_use blocks by id, in order of appearance
        self.results: dict[str, tuple[Entry, object]] = {}  # block and toolUseResult by call id
        self.texts: dict[str, list[str]] = {}  # text blocks by message id
        self.calls_before: dict[str, int] = {}  # number of calls before the last of them
        self.message_id = ""
        self.interrupted = False
        self.called_since_text = False
        self.timestamp = self.session_id = self.cwd = self.client = ""
        self.seen: set[str] = set()  # compaction may write lines of the turn a second time

    @property
    def finished(self) -> bool:
        """Whether the model ended the turn with a text."""
        return bool(self.message_id) and not self.interrupted and not self.called_since_text

    def add(self, entry: Entry) -> None:
        uuid = entry.get("uuid")
        if isinstance(uuid, str):
            if uuid in self.seen:
                return
            self.seen.add(uuid)
        self.session_id = text_at(entry, "sessionId") or self.session_id
        self.cwd = text_at(entry, "cwd") or self.cwd
        self.client = text_at(entry, "version") or self.client
        if not self.message_id:
            self.timestamp = text_at(entry, "timestamp") or self.timestamp
        kind = entry.get("type")
        if kind == "assistant":
            self._add_assistant(entry)
        elif kind == "user":
            self._add_user(entry)
        elif kind == "attachment":
            self._add_attachment(entry.get("attachment"))
        elif kind == "system" and entry.get("subtype") == "local_command":
            self._add_known(text_of(entry.get("content")))

    def _add_assistant(self, entry: Entry) -> None:
        message = message_of(entry)
        if entry.get("isApiErrorMessage") is True or message.get("model") == SYNTHETIC_MODEL:
            return
        message_id = text_at(message, "id") or text_at(entry, "uuid")
        for block in blocks_of(entry):
            kind, text = block.get("type"), block.get("text")
            if kind == "text" and isinstance(text, str) and text.strip():
                self.texts.setdefault(message_id, []).append(text)
                self.message_id = message_id
                self.calls_before[message_id] = len(self.calls)
                self.timestamp = text_at(entry, "timestamp") or self.timestamp
                self.interrupted = self.called_since_text = False
            elif isinstance(kind, str) and kind.endswith("tool_use"):
                self.calls.setdefault(text_at(block, "id") or f"call-{len(self.calls)}", block)
                self.called_since_text = True

    def _add_user(self, entry: Entry) -> None:
        if entry is self.prompt_entry:
            self._add_prompt(entry)
            return
        for block in blocks_of(entry):
            text = block.get("text")
            if block.get("type") == "tool_result":
                self.results[text_at(block, "tool_use_id")] = block, entry.get("toolUseResult")
            elif isinstance(text, str) and text.lstrip().startswith(INTERRUPTED):
                self.interrupted = True
            # The feedback of a Stop hook quotes the model's own message, which must not become
            # known by being quoted.
            elif isinstance(text, str) and not is_feedback(text):
                self._add_known(text)

    def _add_prompt(self, entry: Entry) -> None:
        parts = []
        for block in blocks_of(entry):
            if is_command(entry) and isinstance(block.get("text"), str):
                parts.append(command_text(block["text"]))
                continue
            words, context = split_context(text_of([block]))
            parts.append(words)
            for text in context:
                self._add_known(text)
        self.prompt = "\n".join(part for part in parts if part).strip()

    def _add_attachment(self, attachment: object) -> None:
        if isinstance(attachment, dict) and attachment.get("hookEvent") not in _STOP_EVENTS:
            self._add_known("\n".join(_strings(attachment, _ATTACHMENT_DEPTH)))

    def _add_known(self, text: str) -> None:
        if text.strip():
            self.known.append(text)

    def turn(self, partial: bool) -> Turn:
        return Turn(
            prompt=self.prompt,
            message="\n".join(self.texts.get(self.message_id, ())).strip(),
            message_id=self.message_id,
            calls=tuple(self._call(key, block) for key, block in self.calls.items()),
            known=tuple(self.known),
            partial=partial,
            interrupted=self.interrupted,
            timestamp=self.timestamp,
            session_id=self.session_id,
            cwd=self.cwd,
            said=tuple(
                (self.calls_before[message_id], "\n".join(texts))
                for message_id, texts in self.texts.items()
                if message_id != self.message_id
            ),
            prompt_id=text_at(self.prompt_entry or {}, "promptId"),
            client=self.client,
        )

    def _call(self, call_id: str, block: Entry) -> ToolCall:
        arguments = block.get("input")
        result, details = self.results.get(call_id, (None, None))
        details = details if isinstance(details, dict) else {}
        return ToolCall(
            id=call_id,
            name=text_at(block, "name"),
            input=arguments if isinstance(arguments, dict) else {},
            result=None if result is None else text_of(result.get("content")),
            is_error=result is not None and result.get("is_error") is True,
            interrupted=details.get("interrupted") is True,
            background_id=_background_id(details),
        )


def _background_id(details: Entry) -> str:
    if str(details.get("status")).endswith("_launched"):
        return text_at(details, "agentId") or text_at(details, "taskId")
    return text_at(details, "backgroundTaskId")


def _strings(value: object, depth: int) -> Iterator[str]:
    """Every text inside an attachment, whose many types share no shape."""
    if isinstance(value, str):
        yield value
    elif depth and isinstance(value, list):
        for item in value:
            yield from _strings(item, depth - 1)
    elif depth and isinstance(value, dict):
        if value.get("type") == "image":
            yield "[image]"
            return
        for key, item in value.items():
            if key not in _ATTACHMENT_LABELS:
                yield from _strings(item, depth - 1)


#: The longest line that is parsed, in bytes; images make 3 MB ones.
LINE_CAP = 64 * 2**20
_BUFFER, _WINDOW = 2**20, 64 * 2**10


def all_entries(path: str, line_cap: int = LINE_CAP) -> Iterator[Entry]:
    """Yield every line of the conversation in file order, holding one line at a time.

    Corrupt lines and lines of more than ``line_cap`` bytes are left out. Raises TranscriptError,
    when iteration begins, if the file is missing, a folder or not readable.
    """
    descriptor = open_file(path)
    try:
        with os.fdopen(descriptor, "rb", _BUFFER) as file:
            while line := file.readline(line_cap):
                if len(line) == line_cap and not line.endswith(b"\n"):
                    while line and not line.endswith(b"\n"):
                        line = file.readline(_WINDOW)
                    continue
                entry = parse_line(line)
                if entry:
                    yield entry
    except OSError as error:
        raise failure(path, error) from error


def split_turns(
    entries: Iterable[Entry], agent: bool = False, *, unfinished: bool = False
) -> Iterator[Turn]:
    """Yield one turn for each human prompt that got a final text, holding one turn at a time.

    A turn that the user interrupted, or whose last text was followed by further tool calls, never
    reached a Stop event and is left out; so is what stands before the first prompt. With
    ``unfinished`` it is there, without a message, since its tool calls were made all the same.
    """
    collector: Collector | None = None
    for entry, following in with_following(entries, agent):
        if is_human_prompt(entry, following, agent):
            if collector:
                yield from _ended_turn(collector, unfinished)
            collector = Collector(entry)
        if collector and is_on_chain(entry, agent):
            collector.add(entry)
    if collector:
        yield from _ended_turn(collector, unfinished)


def _ended_turn(collector: Collector, unfinished: bool) -> Iterator[Turn]:
    if collector.finished:
        yield collector.turn(False)
    elif unfinished:
        yield collector.turn(False).replace(message="", message_id="")
