"""PubTator format: title and abstract with mentions, concepts and relations."""

from linnet.formats.pubtator import files

__all__ = ["files"]  # which registers itself
