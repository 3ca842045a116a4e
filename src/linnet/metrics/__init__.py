"""Scores of predictions: what counts as right, how sure the figure is, and whether two systems differ."""
