"""One module per file format; each registers itself under its name."""
