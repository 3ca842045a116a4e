"""Giving mentions to other programs."""
