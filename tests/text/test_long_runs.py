"""Long runs of one sign, each of which once took minutes: they end, and what they hold is found."""

from __future__ import annotations

import pytest

from groundwire.text.fold import fold
from groundwire.text.mask import mask

LONG = 200_000


@pytest.mark.parametrize("sign", ["*", "_", " ", "* ", "\u00a0", "1", "1,", "`", "(", "<", "~"])
def test_a_long_run_is_folded(sign: str) -> None:
    text = f"before {sign * LONG} I think"
    folded = fold(text, mask(text))
    assert folded.text.strip("\n").endswith("i think") or sign == "`"
    assert "  " not in folded.text
