"""The pages that are made of data: one for each kind and each marker, from ``patterns/``.

As a hook of mkdocs (``mkdocs.yml``) it adds them to the site, and the guide and the changes from
the top folder. As a program it writes the tables of ``docs/evidence.md``, ``docs/architecture.md``
and ``SECURITY.md``, and the picture of the rooms.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from groundwire.base.model import KINDS
from groundwire.settings.patterns.load import Entry, load_lexicon
from groundwire.settings.patterns.weights import (
    MarkerWeight,
    accuser_table,
    feature_table,
    load_accusers,
    load_model,
)

if TYPE_CHECKING:
    from mkdocs.config.defaults import MkDocsConfig
    from mkdocs.structure.files import Files

ROOT = Path(__file__).parents[1]
_TABLE = r"(<!-- %s: .*? -->\n).*?(<!-- end of %s -->)"
_FORMS_SHOWN = 60


class About(NamedTuple):
    """What a kind is and why it matters, a sentence each."""

    what: str
    why: str


ABOUT = {
    "speculation_language": About(
        "A guess: a statement that its own words call uncertain.",
        "A guess that stands where a result is expected is read as one. One check settles it.",
    ),
    "causality_language": About(
        "A cause: something is said to be so because of something else.",
        "A wrong cause sends the next hours in the wrong direction. A log line, the code or a run "
        "shows a cause; that it sounds likely does not.",
    ),
    "certainty_language": About(
        "Certainty in words: guaranteed, verified, definitely.",
        "Such words ask not to be checked. They are earned by a result that can be named.",
    ),
    "completeness_claim": About(
        "That everything is covered, done or ready.",
        "Who reads it stops looking. It holds only when the whole was gone through.",
    ),
    "ungrounded_behavioral_assertion": About(
        "How code behaves: it works, is fixed, passes, builds.",
        "Only a run shows behaviour, and only a run after the last edit.",
    ),
    "unsupported_absence": About(
        "That something does not exist: no other callers, never used, no tests.",
        "Code is deleted because of such a sentence. A search shows it.",
    ),
    "pseudo_quantification": About(
        "A figure: a share, a duration, a count of tests.",
        "A figure looks measured. It is, when a tool printed it.",
    ),
    "evaluative_design_claim": About(
        "Praise of a design or a result: clean, robust, elegant.",
        "It says nothing that could be checked, and takes the place of what could.",
    ),
    "internal_contradiction": About(
        "Two statements of one message that cannot both hold.",
        "One of them is wrong, and the reader cannot know which.",
    ),
    "unsupported_reference": About(
        "A path, line, command, commit or quotation that nothing in the session shows.",
        "An invented reference costs its reader a search for what does not exist.",
    ),
}


def marker_pages() -> dict[str, str]:
    """Return the pages of the kinds and the shipped markers, by their path in the site."""
    weights = load_model().markers
    by_kind: dict[str, list[Entry]] = {kind: [] for kind in KINDS}
    for item in load_lexicon():
        if item.kind in by_kind and isinstance(item.entry, Entry):
            by_kind[item.kind].append(item.entry)
    pages = {"kinds.md": _overview(by_kind)}
    for kind, entries in by_kind.items():
        pages[f"kinds/{kind}.md"] = _kind_page(kind, entries, weights)
        for entry in entries:
            pages[f"markers/{entry.id}.md"] = _marker_page(kind, entry, weights.get(entry.id))
    return pages


def _overview(by_kind: dict[str, list[Entry]]) -> str:
    rows = [
        f"| [`{kind}`](kinds/{kind}.md) | {len(entries)} | {ABOUT[kind].what} |"
        for kind, entries in by_kind.items()
    ]
    return _lines("# Kinds and markers", "", "| kind | markers | |", "|---|---|---|", *rows)


def _kind_page(kind: str, entries: list[Entry], weights: dict[str, MarkerWeight]) -> str:
    known = [weights[entry.id] for entry in entries if entry.id in weights]
    seen, challenged = (sum(one.seen for one in known), sum(one.challenged for one in known))
    rows = [
        f"| [`{entry.id}`](../markers/{entry.id}.md) | {entry.strength} "
        f"| {_marked(entry.hits[0])} | {_share(weights.get(entry.id))} |"
        for entry in sorted(entries, key=lambda one: one.id)
    ]
    return _lines(
        f"# {kind}",
        "",
        ABOUT[kind].what,
        "",
        "## Why it matters",
        "",
        ABOUT[kind].why,
        "",
        "## How often it is right",
        "",
        f"Its markers stand {seen} times in the labelled statements that the model is fitted on; "
        f"{challenged} of these were challenged. [What decides](../evidence.md) is the turn, not "
        "the words.",
        "",
        *_allowing("To switch off the whole kind:", f"[kinds]\n{kind} = false"),
        "## Markers",
        "",
        "| marker | strength | example | challenged |",
        "|---|---|---|---|",
        *rows,
    )


def _marker_page(kind: str, entry: Entry, weight: MarkerWeight | None) -> str:
    phrase = entry.hits[0].partition("{")[2].partition("}")[0].lower()
    return _lines(
        f"# {entry.id}",
        "",
        f"Kind [`{kind}`](../kinds/{kind}.md), strength {entry.strength}.",
        "",
        "## What it finds",
        "",
        *_found(entry),
        "",
        *(f"- {_marked(hit)}" for hit in entry.hits),
        "",
        "Not found:",
        "",
        *(f"- {_plain(miss)}" for miss in entry.misses),
        "",
        "## Why it matters",
        "",
        f"{entry.note} {ABOUT[kind].why}",
        "",
        "## How often it is right",
        "",
        _measured(weight),
        "",
        *_allowing("To switch off this marker:", f'[markers]\n"{entry.id}" = false'),
        *_allowing(
            "To allow a phrase, this one or a longer one around it:",
            f'[[allow]]\nphrase = "{phrase}"\nreason = "a fixed expression here"',
            title="",
        ),
        f"Source: {entry.source}.",
    )


def _found(entry: Entry) -> Iterable[str]:
    if entry.scanner:
        yield f"What the scanner for {entry.scanner} finds in the text."
        return
    shown = ", ".join(f"`{form}`" for form in entry.forms[:_FORMS_SHOWN])
    more = len(entry.forms) - _FORMS_SHOWN
    yield f"The words {shown}{f' and {more} more forms' if more > 0 else ''}."
    for title, patterns in (("Only as", entry.only), ("Not as", entry.unless)):
        if patterns:
            yield ""
            yield f"{title}: {', '.join(f'`{one}`' for one in patterns)} (`~` is the marker)."


def _measured(weight: MarkerWeight | None) -> str:
    if weight is None:
        return "Not measured: it stands in none of the labelled statements."
    return (
        f"It stands in {weight.seen} labelled statement{'s' if weight.seen != 1 else ''}, of which "
        f"{weight.challenged} {'were' if weight.challenged != 1 else 'was'} challenged. Beside its "
        f"kind and strength it weighs {weight.weight:+.2f} (logits)."
    )


def _share(weight: MarkerWeight | None) -> str:
    return f"{weight.challenged} of {weight.seen}" if weight else "not measured"


def _allowing(what: str, settings: str, title: str = "## How to allow it") -> list[str]:
    head = [title, ""] if title else []
    return [*head, what, "", "```toml", settings, "```", ""]


def _marked(hit: str) -> str:
    return _plain(hit).replace("{", "**").replace("}", "**")


def _plain(text: str) -> str:
    """Return an example as Markdown shows it: on one line, nothing in it read as markup."""
    return re.sub(r"([\\`*_<>|#\[\]~])", r"\\\1", " ".join(text.split()))


def _lines(*lines: str) -> str:
    return "".join(f"{line}\n" for line in lines)


def top_pages() -> dict[str, str]:
    """Return the guide and the changes of the top folder, with links that hold in the site."""
    names = {"contributing.md": "CONTRIBUTING.md", "changelog.md": "CHANGELOG.md"}
    pages = {}
    for page, name in names.items():
        text = (ROOT / name).read_text(encoding="utf-8").replace("](docs/", "](")
        for other, of in names.items():
            text = text.replace(f"]({of})", f"]({other})")
        pages[page] = text
    return pages


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add the pages to the site; called by mkdocs."""
    from mkdocs.structure.files import File

    for path, text in {**marker_pages(), **top_pages()}.items():
        files.append(File.generated(config, path, content=text))
    return files


def with_table(text: str, name: str, table: str) -> str:
    """Return the page with the present table in place of the one between the marks of ``name``."""
    marks = re.compile(_TABLE % (name, name), re.DOTALL)
    return marks.sub(lambda found: f"{found[1]}{table}\n{found[2]}", text)


if __name__ == "__main__":
    from docs import rooms
    from docs.influence import influence_table

    (ROOT / "docs/rooms.svg").write_text(rooms.picture(), encoding="utf-8")
    tables = (
        ("docs/architecture.md", "rooms", rooms.table()),
        ("docs/evidence.md", "accusers", accuser_table(load_accusers())),
        ("docs/evidence.md", "features", feature_table(load_model())),
        ("SECURITY.md", "influence", influence_table()),
    )
    for path, name, table in tables:
        page = ROOT / path
        text = with_table(page.read_text(encoding="utf-8"), name, table)
        page.write_text(text, encoding="utf-8")
