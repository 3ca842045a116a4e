"""What the tasks about whole texts have in common: classification, similarity, inference, relations, answering."""
