"""Masked language modelling: examples, networks, objective, schedule, perplexity, card."""
