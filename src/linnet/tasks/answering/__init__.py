"""Question answering."""

from linnet.tasks.answering import task

__all__ = ["task"]  # which registers itself
