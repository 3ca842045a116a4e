"""Corpora that are known by name: where they are, what they must hold, and how they get onto this machine."""
