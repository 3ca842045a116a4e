"""Networks about texts: their shape, their heads, and the engines that run them."""
