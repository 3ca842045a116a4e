"""Linking: from mentions to the identifiers of a vocabulary."""

from linnet.contracts import tasks
from linnet.contracts.linking import LINKING, linkings
from linnet.tasks.linking.rails import VocabularyLinking
from linnet.tasks.linking.task import Linking

__all__ = ["Linking", "VocabularyLinking"]

linkings.register(LINKING)(VocabularyLinking())
tasks.register("linking")(Linking())
