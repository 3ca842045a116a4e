"""Learning language itself from text: cleaning, vocabulary, masking, training, import of checkpoints."""
