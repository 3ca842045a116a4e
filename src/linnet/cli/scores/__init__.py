"""Commands that score, evaluate and compare."""
