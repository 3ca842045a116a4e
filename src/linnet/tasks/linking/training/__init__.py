"""Training of a linker without a network: learned mentions and weights of the parts."""
