"""Tables with a row for each mention, for spreadsheets and data frames; they can only be written."""

from linnet.formats.mention_tables import csv, parquet

__all__ = ["csv", "parquet"]  # which register themselves
