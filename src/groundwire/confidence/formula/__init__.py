"""Confidence by formula, by a judge, or by both (group 002).

Pure: ``formula``, ``hybrid``, ``judge_score``. With configuration and judges: ``service``, its
``methods``, and ``setup`` for the command.
"""
