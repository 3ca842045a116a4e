"""Commands about corpora and documents."""
