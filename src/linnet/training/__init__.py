"""Training: from settings to a trained model in its run folder."""
