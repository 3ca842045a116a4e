"""Checks of the files of a model folder, before and after its network is opened."""
