"""Encoders, heads and the folder in which a model lives."""
