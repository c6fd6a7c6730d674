"""Composite confidence (group 000): four factors of an answer against its agent's threshold.

Pure: ``formula``, ``factors``, ``reason``, ``certainty``, ``evidence``. With settings, history and
files: ``service``, ``result``, ``gates``, and ``hook`` for the turn's end.
"""
