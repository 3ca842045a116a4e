"""Text for pretraining: sources, cleaning, vocabulary, sequences."""
