"""Which commands of a script its exit status speaks of, and where else their result shows."""

from __future__ import annotations

from groundwire.shell.syntax import Exit

TYPE_CHECKING = False
if TYPE_CHECKING:
    from groundwire.shell.syntax import Item, Node

#: Beginning of the reason why the status of all but the last command of a pipe is hidden.
PIPED = "piped into"
IN_LOOP = "in a loop"
_IN_CONDITION = Exit(hidden="in a condition")
_IN_LOOP = Exit(hidden=IN_LOOP)
_IN_BACKGROUND = Exit(hidden="in the background")
_NEGATED = Exit(hidden="its status is turned round")
_PRINTERS = ("echo", "printf", "Write-Host", "Write-Output")
_ENDINGS = ("exit", "return", "false")
_LONGEST_TEXT = 100
STATUS = ("$?", "${PIPESTATUS[0]}", "${pipestatus[1]}", "$LASTEXITCODE")
_FIRST_OF_PIPE = STATUS[1:3]


def mark_exits(items: list[Item]) -> None:
    """Set ``exit`` of every command in the tree: what hides its status, or prints it."""
    options = {value for item in items for node in item.members for value in _set_options(node)}
    _mark_list(items, Exit(), "errexit" in options, "pipefail" in options)


def _set_options(node: Node) -> list[str]:
    words = [value for value, _ in node.words]
    if words[:1] != ["set"]:
        return []
    letters = "".join(word for word in words if word[:1] == "-" and word[1:].isalpha())
    return words + (["errexit"] if "e" in letters else [])


def _mark_list(items: list[Item], end: Exit, errexit: bool, pipefail: bool) -> None:
    """Go from the last pipeline to the first: each joint says what becomes of the one before it."""
    state = end
    names: dict[str, Exit] = {}  # variables that hold a status, by what is done with them later
    for item in reversed(items):
        if item.background:
            state = _IN_BACKGROUND
        _mark_pipeline(item, state, errexit, pipefail)
        text = _printed_text(item)
        _note_uses(item, text, names)
        if item.connector == "&&":
            state = state.replace(on_success=text) if _is_plain(text) else state
        elif item.connector == "||":
            if not _ends_badly(item):
                shown = text if _is_plain(text) else ""
                hidden = Exit(f"followed by || {_item_name(item)}", on_failure=shown)
                state = _kept_status(item, names) or hidden
        elif item.connector == "&":
            state = _IN_BACKGROUND
        elif not errexit:
            state = _exit_before_semicolon(item, text, names)
        else:
            state = end


def _mark_pipeline(item: Item, state: Exit, errexit: bool, pipefail: bool) -> None:
    last = len(item.members) - 1
    for position, node in enumerate(item.members):
        own = _NEGATED if item.negated else state
        first_shown = position == 0 and any(one in state.status_text for one in _FIRST_OF_PIPE)
        if position < last and not pipefail and not first_shown:
            following = item.members[position + 1]
            own = Exit(f"{PIPED} {_node_name(following)}")
        _mark_node(node, own, errexit, pipefail)


def _mark_node(node: Node, state: Exit, errexit: bool, pipefail: bool) -> None:
    node.exit = state
    if node.kind in ("(", "{"):
        for _, part in node.parts:
            _mark_list(part, state, errexit, pipefail)
        return
    loops = node.kind in ("for", "while", "until", "select")
    inner = _IN_CONDITION if not loops else state if errexit else _IN_LOOP
    condition = _IN_CONDITION
    bodies = [part for is_condition, part in node.parts if not is_condition]
    if node.kind == "if" and len(node.parts) - len(bodies) == 1:
        shown = [_first_printed_text(part) for part in bodies[:2]] + ["", ""]
        condition = condition.replace(on_success=shown[0], on_failure=shown[1])
    for is_condition, part in node.parts:
        _mark_list(part, condition if is_condition else inner, errexit, pipefail)


def _exit_before_semicolon(item: Item, text: str, names: dict[str, Exit]) -> Exit:
    if any(status in text for status in STATUS):
        return Exit(status_text=text)
    words = _words(item)
    if words[:1] == ["exit"] and words[1:] in ([], ["$?"]):
        return Exit()
    return _kept_status(item, names) or Exit(f"followed by ; {_item_name(item)}")


def _kept_status(item: Item, names: dict[str, Exit]) -> Exit | None:
    """``rc=$?``, when something is done with the variable later."""
    for word in _words(item):
        name, _, value = word.partition("=")
        if value in STATUS and name in names:
            return names[name]
    return None


def _note_uses(item: Item, text: str, names: dict[str, Exit]) -> None:
    """Remember what becomes of a variable: ``echo "exit $rc"`` or ``exit $rc``."""
    words = _words(item)
    if words[:1] == ["exit"] and len(words) == 2 and words[1].startswith("$"):
        names[words[1].strip("${}")] = Exit()
    elif "$" in text:
        for piece in text.split("$")[1:3]:
            name = "".join(c if c.isalnum() or c == "_" else " " for c in piece).split()[:1]
            if name and name[0] not in names:
                written = "${" + name[0] + "}" if piece.startswith("{") else "$" + name[0]
                names[name[0]] = Exit(status_text=text.replace(written, "$?"))


def _words(item: Item) -> list[str]:
    return [value for value, _ in item.members[0].words] if len(item.members) == 1 else []


def _printed_text(item: Item) -> str:
    """Return what an ``echo`` on the terminal prints, "" for every other command."""
    words = _words(item)
    if not words or words[0] not in _PRINTERS or item.members[0].redirections:
        return ""
    text = " ".join(word for word in words[1:] if word not in ("-e", "-n", "-ne"))
    return text.replace("\\n", "")[:_LONGEST_TEXT].strip()


def _first_printed_text(items: list[Item]) -> str:
    texts = [text for item in items[:1] if _is_plain(text := _printed_text(item))]
    return texts[0] if texts else ""


def _is_plain(text: str) -> bool:
    return bool(text) and "$" not in text and "`" not in text


def _ends_badly(item: Item) -> bool:
    """Tell whether the pipeline passes a failure on: ``exit 1``, ``{ echo no; exit 1; }``."""
    node = item.members[-1]
    while node.kind in ("(", "{") and node.parts and node.parts[0][1]:
        node = node.parts[0][1][-1].members[-1]
    words = [value for value, _ in node.words]
    return words[:1] != [] and words[0] in _ENDINGS and words[1:] != ["0"]


def _item_name(item: Item) -> str:
    return _node_name(item.members[0])


def _node_name(node: Node) -> str:
    return node.words[0][0].rpartition("/")[2][:40] if node.words else node.kind or "nothing"
