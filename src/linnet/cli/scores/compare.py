"""The command `linnet compare`."""

import shlex
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from linnet.cli.options import AsJson

if TYPE_CHECKING:
    from rich.table import Table

    from linnet.comparison.budget import Budget
    from linnet.comparison.grid import Grid
    from linnet.comparison.linked import Linked
    from linnet.comparison.results import Results

__all__ = ["compare"]

SOME_FAILED = 3  # exit code: the rest is done, and the tables are there


def compare(
    grid: Annotated[Path, typer.Argument(metavar="GRID", help="TOML file with a recipe, axes and a baseline")],
    *,
    workers: Annotated[int, typer.Option(min=1, help="number of runs at a time, each in its own process")] = 1,
    threads: Annotated[
        int | None,
        typer.Option(min=1, help="CPU threads of each worker; by default the cores are divided among the workers"),
    ] = None,
    ray: Annotated[
        str | None, typer.Option(metavar="ADDRESS|auto|local", help="make the runs on a Ray cluster")
    ] = None,
    metric: Annotated[
        str | None,
        typer.Option(help="score to compare: a matching, e.g. strict, conll, fair, tokens, or a score of the task"),
    ] = None,
    on: Annotated[
        str | None, typer.Option(metavar="test|devel", help="split to compare on; devel is for choosing settings")
    ] = None,
    output: Annotated[str | None, typer.Option(help="folder of the grid, instead of the one in the file")] = None,
    documents: Annotated[
        list[str] | None,
        typer.Option(
            metavar="[CORPUS=]FILE",
            help="for corpora with sentences only: id of each judged sentence's document, one per line or in a "
            "column (FILE:2), or the documents; repeatable",
        ),
    ] = None,
    kept: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE.json.gz",
            help="file of runs without weights and words: those it has count as finished, and finished ones are added",
        ),
    ] = None,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="only print how many runs there are, and how long they take")
    ] = False,
    only_report: Annotated[
        bool, typer.Option("--only-report", help="report on the finished runs, run nothing")
    ] = False,
    power: Annotated[
        float | None,
        typer.Option(
            metavar="DIFFERENCE", help="only print how many seeds and test units such a difference needs, in points"
        ),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Train the runs of a grid and test whether they differ.

    Finished runs are not repeated: an interrupted grid continues, and another `--metric` needs no training.
    """
    from linnet.cli.display.grid_watching import grid_table
    from linnet.cli.display.printing import print_json, print_line, print_tables, print_warnings, screen_width
    from linnet.comparison.comparing import exchange_kept, plan, report, run
    from linnet.comparison.grid import load_grid
    from linnet.comparison.judging.documents import with_documents
    from linnet.errors import BadFile

    loaded = with_documents(load_grid(grid, output=output, metric=metric, on=on), documents or ())
    if dry_run:
        _print_plan(loaded, plan(loaded, workers=workers), kept, as_json=as_json)
        return
    if kept is not None:
        if (only_report or power is not None) and not kept.exists():
            raise BadFile(
                f"{kept}: there is no such file of kept runs", "check its name; without --only-report the file is made"
            )
        print_warnings(exchange_kept(loaded, kept), what="note")
    if power is not None:
        from linnet.cli.scores.power import print_power

        print_power(loaded, power, as_json=as_json)
        return
    if not (only_report and kept):  # kept runs are reported where the corpora are not
        budget = plan(loaded, workers=workers)
    print_warnings(loaded.notes, what="note")
    if only_report:
        _check_finished(loaded)
    else:
        print_warnings(budget.notes, what="note")
        print_warnings([_said(budget)] if budget.n_left else [], what="note")
        with grid_table(loaded, budget) as watcher:
            run(loaded, workers=workers, threads=threads, ray=ray, watcher=watcher, kept=kept)
    results = report(loaded, kept=kept)
    if as_json:
        print_json(_as_dict(results))
    else:
        from linnet.comparison.tables import terminal_table

        print_tables(*terminal_table(results, width=screen_width()))
        pictures = ", pictures" if any(loaded.output.glob("*.png")) else ""
        print_line(f"\n{loaded.output}: index.html (open it in a browser), table.csv, table.md, table.tex{pictures}")
    print_warnings(_note_replaced(loaded, results, load_grid(grid, output=output), output), what="note")
    if results.failures:
        raise typer.Exit(SOME_FAILED)


def _check_finished(grid: "Grid") -> None:
    """Refuse to report on nothing, which would replace a report on something."""
    from linnet.documents.counted import counted
    from linnet.errors import BadFile

    if not any(run.is_finished for run in grid.runs):
        raise BadFile(
            f"{grid.output}: none of the {counted(len(grid.runs), 'run')} of the grid is finished: nothing to report",
            "make the runs without --only-report; if others were made here, give the grid file as it was then",
        )


def _note_replaced(shown: "Grid", results: "Results", own: "Grid", output: str | None) -> list[str]:
    """Return a note that the files hold another score or split than the grid's own, and how to get that back."""
    if (shown.metric, shown.split) == (own.metric, own.split):
        return []
    again = ["linnet", "compare", str(own.path), *(["--output", output] if output else []), "--only-report"]
    return [
        f"tables, page and pictures in {shown.output} now show {results.metric}"
        f"{' on test' if shown.split == 'test' else ''}; those of the grid file come back with `{shlex.join(again)}`"
    ]


def _print_plan(grid: "Grid", budget: "Budget", kept: Path | None, *, as_json: bool) -> None:
    """Print the number of runs, their time and the linked settings, and how many of the runs are kept in a file."""
    from linnet.cli.display.printing import print_json, print_line, print_tables, print_warnings

    print_warnings([*grid.notes, *budget.notes], what="note")
    n_kept = 0
    if kept is not None and kept.exists():
        from linnet.comparison.kept.runs import count_kept

        n_kept = count_kept(grid, kept)
        print_warnings([f"{n_kept:,} of the runs to make are kept in {kept}, and are not made again"], what="note")
    if as_json:
        print_json(_budget_as_dict(budget) | {"kept": n_kept, "linked": _linked_as_dicts(grid.linked)})
    else:
        print_line(_said(budget))
        print_tables(*_linked_tables(grid.linked))


def _said(budget: "Budget") -> str:
    done = f", {budget.n_finished:,} finished" if budget.n_finished else ""
    plural = "s" * (budget.workers > 1)
    if budget.seconds is None:
        time = "; how long they take is not known, their encoders are not here yet"
    else:
        time = f"; about {_duration(budget.seconds)} with {budget.workers} worker{plural}"
        time += f", without {budget.n_unknown:,} whose encoders are not here yet" if budget.n_unknown else ""
    return f"{budget.n_runs:,} runs{done}, {budget.n_left:,} to make{time if budget.n_left else ''}"


def _duration(seconds: float) -> str:
    """Return a length of time as people say it.

    >>> _duration(40), _duration(400), _duration(40_000), _duration(4_000_000)
    ('1 minute', '7 minutes', '11.1 hours', '46 days')
    """
    minutes = max(1, round(seconds / 60))
    if minutes < 120:
        return f"{minutes} minute{'s' * (minutes > 1)}"
    hours = seconds / 3600
    return f"{hours:.1f} hours" if hours < 72 else f"{hours / 24:.0f} days"


def _budget_as_dict(budget: "Budget") -> dict[str, Any]:
    return {
        "runs": budget.n_runs,
        "finished": budget.n_finished,
        "seconds": budget.seconds,
        "without_estimate": budget.n_unknown,
    }


def _linked_as_dicts(linked: "Linked") -> list[dict[str, Any]]:
    return [{"values": dict(chosen), "settings": settings} for chosen, settings in linked.combinations()]


def _linked_tables(linked: "Linked") -> list["Table"]:
    """Return a table of the linked settings of each combination, where there are any."""
    from linnet.cli.display.printing import new_table
    from linnet.settings.files import short_name

    if not linked.rows:
        return []
    axes = [axis.name for axis in linked.axes]
    table = new_table("", ", ".join(axes), *map(short_name, linked.settings))
    for chosen, settings in linked.combinations():
        values = [str(settings.get(name, "")) for name in linked.settings]
        table.add_row(", ".join(chosen.values()), *values)
    return [table]


def _as_dict(results: "Results") -> dict[str, Any]:
    from dataclasses import asdict
    from math import isfinite

    def plain(value: Any) -> Any:
        if isinstance(value, dict):
            return {str(key): plain(each) for key, each in value.items()}
        if isinstance(value, list | tuple):
            return [plain(each) for each in value]
        return None if isinstance(value, float) and not isfinite(value) else value

    found: dict[str, Any] = plain(asdict(results))
    found.pop("pairs")  # sentences are for the page
    for cell, described in zip(results.cells, found["cells"], strict=True):
        described |= {"mean": cell.mean, "deviation": cell.deviation}
        described["beside"] = {
            name: {"score_by_seed": scores, "mean": cell.mean_of(name), "deviation": cell.deviation_of(name)}
            for name, scores in described["beside"].items()
        }
    for comparison, described in zip(results.comparisons, found["comparisons"], strict=True):
        units = results.units_at(comparison.place)
        described |= {"units": units and units.name, "n_units": units and units.number}
    return found
