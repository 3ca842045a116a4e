"""Scores of classification, regression and question answering."""
