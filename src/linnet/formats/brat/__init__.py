"""Brat format: folders with a text and a stand-off annotation file for each document."""

from linnet.formats.brat import folders

__all__ = ["folders"]  # which registers itself
