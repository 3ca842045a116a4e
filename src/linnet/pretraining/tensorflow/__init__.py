"""Import of TensorFlow 1 checkpoints of BERT and ALBERT."""
