"""Annotating much text."""
