"""Corpora by name: the table of known corpora, their download, and the check of their files."""
