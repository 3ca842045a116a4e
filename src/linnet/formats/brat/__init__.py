"""The format brat: folders with a text and an annotation file for each document."""

from linnet.formats.brat import folders

__all__ = ["folders"]  # which registers itself
