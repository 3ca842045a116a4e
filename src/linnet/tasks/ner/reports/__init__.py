"""Report and model card of a tagger."""
