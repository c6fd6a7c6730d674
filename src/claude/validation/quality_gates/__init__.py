"""Import path of the quality gates for existing callers; everything is in groundwire."""

from groundwire_confidence.composite.gates import QualityGatesExecutor

__all__ = ["QualityGatesExecutor"]
