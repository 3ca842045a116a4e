"""Named-entity recognition."""

from linnet.tasks.ner import examples

__all__ = ["examples"]  # which registers the task
