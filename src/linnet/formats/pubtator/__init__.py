"""The format PubTator."""

from linnet.formats.pubtator import files

__all__ = ["files"]  # which registers itself
