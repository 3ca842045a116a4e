"""Reports: corpus statistics, score tables, plots, model cards and pages. None of them needs a neural network."""
