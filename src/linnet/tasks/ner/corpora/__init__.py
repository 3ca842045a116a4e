"""Corpora that a tagger learns from: sources, samples, labels of several corpora, and their facts."""
