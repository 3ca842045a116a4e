"""Vocabularies: concepts, identifiers and names in a folder that is mapped into memory."""
