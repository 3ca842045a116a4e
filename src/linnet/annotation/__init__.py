"""Annotation of documents and prediction for texts in large inputs: jobs that can be resumed."""
