"""Mentions for other programs."""
