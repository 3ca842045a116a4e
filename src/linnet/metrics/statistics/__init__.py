"""Confidence intervals and significance tests."""
