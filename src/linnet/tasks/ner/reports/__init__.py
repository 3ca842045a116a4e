"""Report, model card, list of mistakes and error page of a tagger."""
