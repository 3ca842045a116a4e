"""The command `linnet find-lr`."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from linnet.cli.options import AsJson, Corpora, Evaluated, FormatName, Label, Overwrite, Repair, TaskName

if TYPE_CHECKING:
    from rich.table import Table

    from linnet.training.lr_finder import Curve

__all__ = ["find_lr"]


def find_lr(
    recipe: Annotated[Path | None, typer.Argument(help="TOML file of the training; see recipes/")] = None,
    *,
    data: Corpora = None,
    evaluated: Evaluated = None,
    task: TaskName = None,
    encoder: Annotated[str | None, typer.Option(help="alias, folder or hub name")] = None,
    plot: Annotated[Path | None, typer.Option(help="PNG file for the curves")] = None,
    lowest: Annotated[float, typer.Option(help="learning rate to start from")] = 1e-6,
    highest: Annotated[float, typer.Option(help="learning rate to end with")] = 1e-1,
    steps: Annotated[int, typer.Option(min=5, help="number of updates")] = 100,
    weight_decay: Annotated[
        list[float] | None, typer.Option(help="weight decay to try; may be given several times")
    ] = None,
    dropout: Annotated[list[float] | None, typer.Option(help="dropout to try; may be given several times")] = None,
    format: FormatName = None,
    label: Label = None,
    repair: Repair = False,
    threads: Annotated[int | None, typer.Option(min=1, help="CPU threads")] = None,
    set_: Annotated[
        list[str] | None, typer.Option("--set", metavar="KEY=VALUE", help="any setting; see `linnet list settings`")
    ] = None,
    overwrite: Overwrite = False,
    as_json: AsJson = False,
) -> None:
    """Suggest a learning rate: raise it step by step and record the loss (learning-rate range test)."""
    from linnet.cli.display.printing import print_json, print_line, print_tables
    from linnet.cli.display.watching import counting
    from linnet.reports.plots import plot_learning_rates
    from linnet.settings.short_forms import spread_corpora
    from linnet.storage.outputs import refuse_existing
    from linnet.training.lr_finder import find_learning_rate
    from linnet.training.options import load_training

    refuse_existing(plot, overwrite=overwrite)
    corpora = spread_corpora(data, evaluated, recipe)
    settings = load_training(
        recipe,
        set_ or (),
        **corpora,
        task=task,
        encoder=encoder,
        format=format,
        label=label,
        repair=repair or None,
        threads=threads,
        output="unused",
    )
    with counting("updates") as count:
        count.begin(steps * max(1, len(weight_decay or ())) * max(1, len(dropout or ())))
        curves = find_learning_rate(
            settings,
            lowest=lowest,
            highest=highest,
            n_steps=steps,
            weight_decays=weight_decay or (),
            dropouts=dropout or (),
            watcher=lambda *_: count(),
        )
    if plot is not None:
        points = {curve.name: curve.points for curve in curves}
        plot_learning_rates(points, {curve.name: curve.suggestion for curve in curves}, plot)
    present = settings.optimiser.learning_rate
    if as_json:
        found = [{"name": c.name, "suggestion": c.suggestion, "points": c.points} for c in curves]
        print_json({"curves": found, "suggestion": curves[0].suggestion, "present": present})
        return
    print_tables(_build_table(curves))
    print_line(
        f"\nthe rate of these settings is {present:g}; the suggested one is a candidate to compare with it:\n"
        f"train with both (`--set lr={curves[0].suggestion:.2g}`), then `linnet compare-runs FIRST SECOND --on devel`"
    )
    if plot is not None:
        print_line(f"{plot}: the curves")


def _build_table(curves: "Sequence[Curve]") -> "Table":
    from linnet.cli.display.printing import new_table

    table = new_table("learning-rate range test", "settings", "suggested rate", "lowest loss", "at")
    for curve in curves:
        rate, loss = curve.lowest
        table.add_row(curve.name, f"{curve.suggestion:.2g}", f"{loss:.4f}", f"{rate:.2g}")
    return table
