"""Keys of earlier releases: they are left out for one release, and their successors named."""

from __future__ import annotations

from groundwire.config.layers import Layer

#: Old key -> what took its place, "" where nothing did.
RENAMED: dict[tuple[str, str], str] = {
    ("thresholds", "idle_words_block"): "thresholds.block",
    ("weights", "signals"): "features.company",
    ("weights", "position"): "features.close",
    ("weights", "turn_length"): "features.work",
    ("verdicts", "contradicted"): "features.failed_open",
    ("verdicts", "unsupported"): "features.unrun",
    ("verdicts", "qualified"): "",
    ("verdicts", "not_checkable"): "features.no_tools",
    ("verdicts", "earlier"): "features.no_tools",
    ("verdicts", "supported"): "features.passed_fresh",
    ("judge", "enabled"): "judge.when",
    ("judge", "statements"): "judge.characters",
    ("judge", "evidence_characters"): "judge.characters",
    ("features", "mild"): "",
}


def without_renamed(layer: Layer) -> tuple[Layer, list[str]]:
    """Return ``layer`` without keys of earlier releases, and a warning for each of them."""
    document = dict(layer.document)
    warnings = []
    for (table, key), successor in RENAMED.items():
        values = document.get(table)
        if isinstance(values, dict) and key in values:
            document[table] = {name: value for name, value in values.items() if name != key}
            now = f"is {successor} now, in other units" if successor else "is no longer weighed"
            what = f"{now}; it does nothing"
            warnings.append(layer.error((table, key), what))
    if document.get("verdicts") == {}:  # the table is gone with its keys
        del document["verdicts"]
    return layer.replace(document=document), warnings
