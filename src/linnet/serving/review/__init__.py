"""Review of annotated documents by a person: decisions on disk at once, progress, agreement and export."""
