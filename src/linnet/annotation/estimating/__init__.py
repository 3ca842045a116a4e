"""Estimates of annotation jobs (`linnet annotate --dry-run`)."""
