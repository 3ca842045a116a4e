"""Comparison of trainings: grids of runs, significance tests, tables, plots and a page."""
