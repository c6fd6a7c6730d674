"""What a calculation of confidence is chosen from: methods, judges' providers, environments.

They stand apart from its model: the help of commands names them, and does without pydantic.
"""

from __future__ import annotations

from typing import Literal, get_args

from groundwire.base.settings import CLAUDE_CODE

Method = Literal["formula", "llm", "hybrid", "selective"]
Provider = Literal["openai", "anthropic", "azure"]
METHODS: tuple[str, ...] = get_args(Method)
PROVIDERS: tuple[str, ...] = get_args(Provider)
#: R002-30: the model that choosing a provider selects.
DEFAULT_MODELS = {
    "openai": "gpt-4o-mini",
    "anthropic": "claude-3-haiku-20240307",
    "azure": "gpt-4o-mini",
}
#: Who can be asked about a turn: the same, and the user's own client.
TURN_PROVIDERS = (CLAUDE_CODE, *PROVIDERS)
#: Of a passage that an answer is made from, by its domain.
SOURCE_CLASSES = ("government", "regulatory", "market_data", "third_party")
#: Environment whose configuration counts where there is none of its own (A002-11).
ALL = "all"
#: Key of the document within a stored configuration (R002-21).
KEY = "confidence_calculation"
