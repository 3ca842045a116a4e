"""Evaluation of linking by named protocols."""
