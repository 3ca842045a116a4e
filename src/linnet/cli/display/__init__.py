"""What commands print: tables, progress, titles."""
