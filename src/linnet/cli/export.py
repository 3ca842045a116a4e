"""The command `linnet export`."""

from pathlib import Path
from typing import Annotated

import typer

from linnet.cli.options import AsJson, Label, Labels, Repair
from linnet.export import TOLERANCE

__all__ = ["export"]


def export(
    model: Annotated[Path, typer.Argument(help="run folder, or any token-classification model: folder or hub name")],
    output: Annotated[Path, typer.Argument(metavar="OUT", help="folder to write")],
    *,
    int8: Annotated[
        bool, typer.Option("--int8", help="8-bit integers: smaller and faster, with small differences in the scores")
    ] = False,
    check: Annotated[
        str | None,
        typer.Option(metavar="CORPUS", help="corpus to compare both models on; the embedded sentences if not given"),
    ] = None,
    split: Annotated[str, typer.Option(help="split of that corpus")] = "test",
    label: Label = None,
    labels: Labels = None,
    repair: Repair = False,
    tolerance: Annotated[
        float, typer.Option(min=0.0, help="F1 points that --int8 may lose on that corpus")
    ] = TOLERANCE,
    overwrite: Annotated[bool, typer.Option("--overwrite", help="replace an older export")] = False,
    as_json: AsJson = False,
) -> None:
    """Export a model to ONNX, to run without torch; the export is checked against the original first."""
    from linnet.cli.display.printing import print_json, print_line, print_warnings
    from linnet.export.exporting import export_model

    done = export_model(
        model,
        output,
        int8=int8,
        check=check,
        split=split,
        label=label,
        labels=labels,
        repair=repair,
        tolerance=tolerance,
        overwrite=overwrite,
    )
    print_warnings(list(done.notes), what="note")
    if as_json:
        print_json(done.as_dict())
        return
    kind = "int8" if int8 else "float32"
    print_line(f"{output}: {kind}, {done.n_bytes / 1e6:.1f} MB, opset {done.facts.opset}")
    for sentence in done.parity.sentences():
        print_line(sentence)
