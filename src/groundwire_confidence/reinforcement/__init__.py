"""Reinforced confidence (group 004): it compounds with evidence, from turn to turn.

Pure but ``service``, which advances a session's confidence in the hook.
"""
