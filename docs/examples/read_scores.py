"""Score a model from Python: python docs/examples/read_scores.py."""

import linnet

found = linnet.evaluate("bio", "demo").as_dict()  # your own model and corpus; `split="devel"` for another split
strict = found["scores"]["strict"]  # `found["metric"]` is the name of the main score
print(f"F1 {strict['value']:.2f}, 95 % interval {strict['low']:.2f} to {strict['high']:.2f}")
print(f"over {strict['n_units']} {strict['units']}, {strict['n']} {strict['unit']}")
print(list(found["scores"]))
