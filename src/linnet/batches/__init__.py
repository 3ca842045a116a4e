"""From words to padded batches, nothing cut on the way."""
