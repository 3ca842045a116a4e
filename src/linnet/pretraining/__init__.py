"""Pretraining of encoders: preparation of text, masked language modelling, import of TensorFlow checkpoints."""
