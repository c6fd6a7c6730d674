"""The words of others, made safe to stand in what a model or a terminal reads.

A tool's output may hold escapes, direction marks, tags, quotation marks and secrets, or a text that
reads as an instruction. What comes out of here is one short line that can end no quotation.
"""

from __future__ import annotations

from groundwire.text.hidden import without_secrets

#: Characters of a quotation, at most.
MOST = 120
ELLIPSIS = "..."
#: What would open a tag, code or a quotation, and what stands for it.
_PLAIN = str.maketrans(
    {
        **dict.fromkeys("<\u2039\u27e8\uff1c\u3008", "("),
        **dict.fromkeys(">\u203a\u27e9\uff1e\u3009", ")"),
        **dict.fromkeys('"`\u00b4\u2018\u2019\u201a\u201b\u201c\u201d\u201e\u201f', "'"),
        **dict.fromkeys("\u00ab\u00bb\u300c\u300d\uff02\uff07\uff40\u2032\u2033", "'"),
    }
)


def safe(text: str, most: int = MOST) -> str:
    """Return ``text`` as one line of at most ``most`` characters that nothing in it can end.

    Control and format characters, halves of pairs and line separators become blanks, tags and
    quotation marks become plain signs, and what looks like a secret is masked.
    """
    shown = "".join(sign if sign.isprintable() else " " for sign in text[: 20 * most])
    line = " ".join(without_secrets(shown.translate(_PLAIN)).split())
    if len(line) <= most:
        return line
    return line[: most - len(ELLIPSIS)].rstrip() + ELLIPSIS
