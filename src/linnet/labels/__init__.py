"""Between spans of characters and tags of tokens, by name."""
