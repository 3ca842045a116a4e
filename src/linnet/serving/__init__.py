"""Models as components of other programs, such as spaCy."""
