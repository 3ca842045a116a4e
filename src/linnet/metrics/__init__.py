"""Evaluation metrics, confidence intervals and significance tests."""
