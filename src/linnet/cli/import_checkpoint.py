"""The command `linnet import-checkpoint`."""

from importlib.util import find_spec
from pathlib import Path
from typing import Annotated

import typer

from linnet.cli.options import AsJson
from linnet.extras import require

__all__ = ["import_checkpoint"]


def import_checkpoint(
    folder: Annotated[Path, typer.Argument(help="folder with model.ckpt-*, *config.json and the vocabulary")],
    output: Annotated[Path, typer.Argument(metavar="OUT", help="folder to write")],
    *,
    checkpoint: Annotated[
        str | None,
        typer.Option(metavar="NAME", help="checkpoint to convert; the one with the highest number if not given"),
    ] = None,
    lowercase: Annotated[
        bool | None,
        typer.Option(
            "--lowercase/--cased", help="whether text is lower-cased; detected from the vocabulary if not given"
        ),
    ] = None,
    overwrite: Annotated[bool, typer.Option("--overwrite", help="replace an older folder")] = False,
    as_json: AsJson = False,
) -> None:
    """Convert a TensorFlow 1 checkpoint of ALBERT or BERT to an encoder folder."""
    from dataclasses import asdict

    if find_spec("torch") is None:  # otherwise the files are looked at first
        require("tensorflow", "torch", problem="converting a checkpoint needs")
    from linnet.cli.display.printing import print_json, print_line, print_warnings
    from linnet.pretraining.tensorflow import checkpoint as tf_checkpoint

    done = tf_checkpoint.import_checkpoint(
        folder, output, checkpoint=checkpoint, lowercase=lowercase, overwrite=overwrite
    )
    if as_json:
        print_json(asdict(done))
        return
    heads = {"predictions": "masked words", "seq_relationship": "pairs of sentences"}
    found = [name for part, name in heads.items() if part in done.parts]
    case = "small letters only" if done.lowercase else "capitals kept"
    print_line(f"{output}: {done.family.upper()} from {done.checkpoint}, {done.n_variables:,} tensors")
    print_line(f"heads: {' and '.join(found) or 'none'}; vocabulary: {done.n_pieces:,} sub-words, {case}")
    print_warnings(done.notes, what="note")
