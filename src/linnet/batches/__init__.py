"""Encoding of words and texts as windows of sub-words, and batching."""
