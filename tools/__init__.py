"""Programs for the developers: the documentation site and its pictures."""
