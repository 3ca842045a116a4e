"""One task per module: documents to examples, outputs to annotations."""
