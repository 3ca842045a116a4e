"""Remarks about a compared grid: how its runs were trained, seeds that stand out, and the sizes of its splits."""
