"""BioC XML and BioC JSON formats."""

from linnet.formats.bioc import json_format, xml_format

__all__ = ["json_format", "xml_format"]  # which register themselves
