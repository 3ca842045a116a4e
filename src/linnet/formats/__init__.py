"""File formats of documents; each registers itself under its name."""
