"""Splits a corpus into training, devel and test parts."""
