"""Prints the power of a grid with more seeds and test units: `linnet compare --power`."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rich.table import Table

    from linnet.comparison.differences import Difference
    from linnet.comparison.grid import Grid
    from linnet.comparison.judging.planning import PowerPlan

__all__ = ["describe_plan", "print_power"]


def print_power(grid: "Grid", difference: float, *, as_json: bool) -> None:
    """Print how many seeds and test units the grid needs to find a difference, given in points."""
    from linnet.cli.display.printing import print_json, print_line, print_tables, print_warnings
    from linnet.comparison.judging.planning import POWER, plan_power
    from linnet.comparison.results import title_of
    from linnet.comparison.verdict import find_pilots

    pilots = find_pilots(grid)

    def plan_each(differences: "Sequence[Difference]") -> list["PowerPlan"]:
        return plan_power(differences, difference=difference / 100, where=str(grid.path), unfit=pilots.unfit)

    plans = plan_each(pilots.differences)
    at_places = plan_each(pilots.at_places) if pilots.at_places else []
    reasons = (*pilots.unfit.values(), *pilots.left_out)
    print_warnings([f"{reason}: nothing can be planned from these runs" for reason in reasons])
    if as_json:
        found = {
            "difference": difference / 100,
            "power": POWER,
            "family_size": len(pilots.differences),
            "comparisons": [_as_dict(each) for each in plans],
        }
        alone = {"family_size": len(pilots.at_places), "comparisons": [_as_dict(each) for each in at_places]}
        print_json(found | ({"at_places": alone} if at_places else {}))
        return
    for plan in plans:
        print_tables(_power_table(plan, difference))
        print_line(describe_plan(plan, difference))
        print_line("")
    if at_places:
        print_line("Under one condition alone:")
        for own in at_places:
            print_line(f"- {title_of(own.place)}, {title_of(own.choice)}. {describe_plan(own, difference)}")
        print_line("")
    seeds = plans[0].n_pilot_seeds
    print_line(f"From finished runs with {seeds} seeds. With few, the variances are uncertain; ask again with more.")


def describe_plan(plan: "PowerPlan", difference: float) -> str:
    """Return how many seeds are enough for each multiple of the test units, or that none of them is."""
    from linnet.comparison.judging.planning import N_SEEDS, POWER, TIMES_UNITS

    percent, most = f"{100 * POWER:.0f} %", f"{N_SEEDS[-1]} seeds"
    needed = {times: plan.seeds_needed(times) for times in TIMES_UNITS}
    enough = [f"{seeds} seeds with {times} x {plan.n_units:,} test units" for times, seeds in needed.items() if seeds]
    if enough:
        found = (
            f"A difference of {_points(difference)} is found with a probability of {percent} by {', or '.join(enough)}."
        )
        few = [f"{times} x" for times, seeds in needed.items() if not seeds]
        return f"{found} With {' and '.join(few)} {plan.n_units:,}, {most} are not enough." if few else found
    hardly = (
        f"A difference of {_points(difference)} is not found with a probability of {percent}, not even by {most} with"
    )
    return f"{hardly} {TIMES_UNITS[-1]} x {plan.n_units:,} test units: {_describe_limit(plan)}"


def _describe_limit(plan: "PowerPlan") -> str:
    """Return whether the test units or the seeds are the reason, and what to do."""
    from linnet.comparison.judging.planning import MORE_UNITS, N_SEEDS

    small = "the test set is too small"
    if plan.larger is not None:
        return f"{small}. {plan.larger} x as many units and {N_SEEDS[-1]} seeds would be enough."
    not_enough = f"{MORE_UNITS[-1]} x as many units would not be enough"
    if plan.limit == "units":
        return f"{small}. {not_enough} either."
    apart = (
        f"the scores differ too much between seeds (their differences have an SD of {100 * plan.deviation:.2f} points)"
    )
    remedy = "Train longer or on more sentences, so that runs differ less, or ask about a larger difference."
    if plan.limit == "both":
        return f"{small}, and {apart}, so {not_enough}. {remedy}"
    return f"{apart}; more test units hardly help. {remedy}"


def _points(difference: float) -> str:
    return f"{difference:g} {'point' if difference == 1 else 'points'}"


def _power_table(plan: "PowerPlan", difference: float) -> "Table":
    from linnet.cli.display.printing import new_table
    from linnet.comparison.arrangement import place_title
    from linnet.comparison.judging.planning import N_SEEDS, TIMES_UNITS, whole_percent
    from linnet.comparison.results import title_of

    heads = [f"{times} x {plan.n_units:,} units" for times in TIMES_UNITS]
    title = f"{place_title(plan.place)}, {title_of(plan.choice)}: probability to find {_points(difference)}, in percent"
    table = new_table(title, "seeds", *heads)
    for seeds in N_SEEDS:
        table.add_row(str(seeds), *(str(whole_percent(plan.power[seeds, times])) for times in TIMES_UNITS))
    return table


def _as_dict(plan: "PowerPlan") -> dict[str, Any]:
    from linnet.comparison.judging.planning import TIMES_UNITS

    return {
        "place": dict(plan.place),
        "choice": dict(plan.choice),
        "pilot_seeds": plan.n_pilot_seeds,
        "n_units": plan.n_units,
        "larger_units": plan.larger,
        "limited_by": plan.limit,
        "deviation_over_seeds": plan.deviation,
        "needed": [{"times_units": times, "seeds": plan.seeds_needed(times)} for times in TIMES_UNITS],
        "plans": [
            {"seeds": seeds, "times_units": times, "power": power} for (seeds, times), power in plan.power.items()
        ],
    }
