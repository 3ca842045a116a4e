"""Distillation: a student learns from the tag probabilities that its teachers give to unlabelled text."""
