"""Text for pretraining: sources, cleaning, vocabulary, tokenised shards, packed sequences."""
