"""What mistakes cost: prices of tags from their counts, and the losses that charge them."""
