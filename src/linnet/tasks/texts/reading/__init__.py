"""Examples from tables and JSON files."""
