"""Settings of trainings, annotation and pretraining: names, meanings, defaults, and how they are read from files."""
