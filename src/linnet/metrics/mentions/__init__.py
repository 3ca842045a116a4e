"""Scores of mentions: matchings, counts, precision, recall and F1."""
