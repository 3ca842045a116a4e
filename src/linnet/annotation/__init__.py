"""Annotating and predicting much text."""
