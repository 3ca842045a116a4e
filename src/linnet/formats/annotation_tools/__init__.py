"""Formats of annotation tools: doccano, Label Studio and PubAnnotation."""

from linnet.formats.annotation_tools import doccano, label_studio, pubannotation

__all__ = ["doccano", "label_studio", "pubannotation"]  # which register themselves
