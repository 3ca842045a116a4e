"""Metrics of classification, regression and question answering."""
