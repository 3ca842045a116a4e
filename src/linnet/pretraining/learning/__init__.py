"""Masked-language training: examples, networks, schedule, perplexity."""
