"""Report, model card, list of mistakes and error page of models about texts."""
