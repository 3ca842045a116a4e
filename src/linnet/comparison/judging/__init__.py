"""Rules of verdicts: their wording, equivalence, collapsed runs and planning of further runs."""
