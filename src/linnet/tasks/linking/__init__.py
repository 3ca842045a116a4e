"""Linking: from mentions to the identifiers of a vocabulary."""
