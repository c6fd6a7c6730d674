"""Tests of labelling, fitting and measuring."""
