"""Natural-language inference, and yes/no/maybe questions about abstracts (PubMedQA)."""

from linnet.tasks.inference import task

__all__ = ["task"]  # which registers itself
