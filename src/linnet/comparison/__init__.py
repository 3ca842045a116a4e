"""Grids of trainings, and what their differences are worth."""
