"""Tags, tagging schemes, label sets, and the alignment of spans with tokens."""
