"""Readers of vocabularies, one module for each form of file."""
