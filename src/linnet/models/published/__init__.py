"""Models as others publish them: fetched, converted to safetensors, given names."""
