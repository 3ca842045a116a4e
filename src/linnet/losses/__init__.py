"""Class weights from the counts of tags, and the losses that use them."""
