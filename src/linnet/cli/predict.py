"""The command `linnet predict`."""

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer

from linnet.cli.options import AsJson, Engine, Overwrite, Repair, Resume, Threads
from linnet.errors import BadSetting

__all__ = ["predict"]

N_ARGUMENTS = 2  # the model and its input


def predict(
    sources: Annotated[
        list[Path], typer.Argument(metavar="INPUT", help="file or folder in a format that the model's task reads")
    ],
    *,
    model: Annotated[Path | None, typer.Option(help="run folder of a model for a task about texts")] = None,
    output: Annotated[
        Path,
        typer.Option(
            help="file to write: .jsonl or .tsv, - for standard output; for questions also .json, for relations also a "
            "document format"
        ),
    ],
    to: Annotated[
        str | None,
        typer.Option(
            help="format of the output: jsonl, tsv, bioasq (questions) or a document format; by its suffix if not given"
        ),
    ] = None,
    split: Annotated[str | None, typer.Option(help="split of a corpus folder")] = None,
    repair: Repair = False,
    engine: Engine = None,
    threads: Threads = None,
    shard: Annotated[
        int | None, typer.Option(min=1, help="predictions in each file; the output is then a folder")
    ] = None,
    resume: Resume = False,
    overwrite: Overwrite = False,
    as_json: AsJson = False,
) -> None:
    """Predict values for texts: relations, labels, similarity, inference, answers to questions."""
    from linnet.annotation.predict import predict_path
    from linnet.cli.display.printing import print_json, print_warnings
    from linnet.cli.display.standard_output import output_target
    from linnet.cli.display.watching import counting
    from linnet.documents.counted import counted

    chosen, texts = _arranged(sources, model)
    if model is None:
        advice = f"write `linnet predict {texts} --model {chosen}`"
        print_warnings([f"`linnet predict MODEL INPUT` is deprecated; {advice}"], what="note")
    with output_target(output, to, shard=shard, resume=resume, json=as_json) as target, counting("texts") as count:
        done = predict_path(
            chosen,
            texts,
            output=target.path,
            to=target.format,
            split=split,
            repair=repair,
            engine=engine,
            threads=threads,
            shard=shard,
            resume=resume,
            overwrite=overwrite,
            watcher=count,
            progress=count,
        )
    print_warnings(done.notes, what="note")
    if as_json:
        print_json(done.as_dict())
    else:
        counts = f"{counted(done.answers, 'answer')} about {counted(done.examples, 'text')}"
        target.print(f"{target.name(output)}: {counts}, {done.seconds:.1f} s")


def _arranged(given: Sequence[Path], model: Path | None) -> tuple[Path, Path]:
    """Return the model and the input, given as `INPUT --model MODEL` or in the old order, `MODEL INPUT`."""
    first, *others = given
    if model is None and not others:
        raise BadSetting("no model is given", f"add it: `linnet predict {first} --model MODEL`")
    arranged = [*given] if model is None else [model, *given]
    if len(arranged) != N_ARGUMENTS:
        listed = ", ".join(map(str, given))
        raise BadSetting(f"expected one input, found {listed}", "answer one file or folder after the other")
    return arranged[0], arranged[1]
