"""Tasks: a folder or module for each, which registers itself."""
