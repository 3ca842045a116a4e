"""Finished runs that are kept in one file, without weights and words."""
