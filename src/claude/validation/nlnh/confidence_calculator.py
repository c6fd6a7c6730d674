"""``python -m claude.validation.nlnh.confidence_calculator``: the same as ``groundwire composite``.

The file also runs from another folder, such as ``~/.claude/validation/nlnh``.
"""

from groundwire_confidence.commands.composite import main
from groundwire_confidence.composite.result import AgentType
from groundwire_confidence.composite.service import ConfidenceCalculator

__all__ = ["AgentType", "ConfidenceCalculator", "main"]

if __name__ == "__main__":
    raise SystemExit(main())
