"""Reports about linking: mistakes in buckets, run report, card and page."""
