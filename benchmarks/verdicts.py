"""Are the verdicts of `linnet compare` right as often as they say? Simulated grids in which the truth is known.

Prints the table of docs/comparing-method.md: for each condition and number of seeds, how often a difference is found
where there is none (false positives of one comparison, family-wise errors of 6 and 9), how often a true difference of 2
points is found, and how often the smallest detectable difference of one grid is found in the next, for families of 1, 6
and 9. Exits with 1 if a rate of errors is above 6 %, if 2 points are found in less than 85 % in the first condition
with 5 seeds, or if the smallest detectable difference is found in less than 76 % or more than 84 % there.

    python benchmarks/verdicts.py [--grids 1000] [--detectable 200] [--only PART OF A NAME] [--seeds 3 5]
"""

import argparse
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))  # the simulation stands beside the tests that share it

from tests.metrics.statistics.simulated_conditions import CONDITIONS, LEVEL, examine

LIMIT = 0.06
TIMES_IN_BASE = 5  # as many grids for the smallest detectable difference in the condition that is checked
N_SEEDS = (3, 4, 5, 10)
LEAST_POWER, POWER, TOLERANCE = 0.85, 0.8, 0.04


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--grids", type=int, default=1000, help="simulated for each row")
    parser.add_argument(
        "--detectable",
        type=int,
        default=200,
        help=f"grids of each row whose smallest detectable difference is computed, {TIMES_IN_BASE} times in the first",
    )
    parser.add_argument("--only", default="", help="conditions with this in their name")
    parser.add_argument("--seeds", type=int, nargs="+", default=N_SEEDS, help="numbers of seeds, a row for each")
    options = parser.parse_args()
    print("| simulated grids | seeds | one | of 6 | of 9 | 2 points found | detectable found, 1 | of 6 | of 9 |")
    print("|---|---|---|---|---|---|---|---|---|")
    is_fine = True
    for condition in CONDITIONS:
        for n_seeds in options.seeds if options.only in condition.name else ():
            n_for_power = options.detectable * (TIMES_IN_BASE if condition.name == "base" else 1)
            found = examine(condition, n_seeds, options.grids, n_for_power=min(n_for_power, options.grids - 1))
            errors = found.errors()
            detected = (found.n_detected / found.n_asked).tolist()
            power = float((found.p_of_two_points < LEVEL).mean())
            cells = [f"{100 * rate:.1f}" for rate in (*errors, power, *detected)]
            print(f"| {condition.name} | {n_seeds} | {' | '.join(cells)} |", flush=True)
            is_fine &= max(errors) <= LIMIT
            if condition.name == "base":
                is_fine &= all(abs(rate - POWER) <= TOLERANCE for rate in detected)
                is_fine &= n_seeds != 5 or power >= LEAST_POWER
    return int(not is_fine)


if __name__ == "__main__":
    sys.exit(main())
