"""Named-entity recognition: mentions and their entity types, one tag per word."""

from linnet.contracts import tasks
from linnet.tasks.ner.task import NamedEntityRecognition

__all__ = ["NamedEntityRecognition"]

tasks.register("ner")(NamedEntityRecognition())
