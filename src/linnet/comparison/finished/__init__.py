"""Comparison of finished runs and prediction files, without a grid."""
