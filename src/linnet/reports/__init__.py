"""What people look at: statistics, scores, tables, pages. Nothing here needs a neural network."""
