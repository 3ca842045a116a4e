"""A weighting scheme of one's own: a function from counts to weights, both by tag name."""

import math
from collections.abc import Mapping

from linnet.contracts import weighting_schemes
from linnet.losses.weighting import weigh


@weighting_schemes.register("log")
def log_scheme(counts: Mapping[str, int]) -> dict[str, float]:
    """The inverse of the logarithm of each tag's count."""
    return {tag: 1 / math.log(math.e + n) for tag, n in counts.items()}


if __name__ == "__main__":
    found = weigh({"O": 9000, "B-Disease": 500, "I-Disease": 500}, "log")
    print({tag: round(weight, 4) for tag, weight in found.weights.items()}, f"ratio {found.ratio:.3f}")
