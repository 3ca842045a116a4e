"""Relation extraction."""

from linnet.tasks.relations import task

__all__ = ["task"]  # which registers itself
