"""Passes over whole documents after decoding."""
