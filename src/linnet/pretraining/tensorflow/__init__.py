"""Import of TensorFlow 1 checkpoints."""
