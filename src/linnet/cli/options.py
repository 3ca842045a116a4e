"""Arguments and options that several commands share."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from linnet.contracts import ReadOptions

__all__ = ["AsJson", "Corpora", "CorpusPath", "Evaluated", "FormatName", "Label", "Labels", "ModelLabel",
           "Overwrite", "Repair", "TagColumn", "Tagging", "TaskName", "read_options"]  # fmt: skip

AsJson = Annotated[bool, typer.Option("--json", help="print one JSON object instead of tables")]
Corpora = Annotated[
    str | None,
    typer.Option(help="corpus folder or name, or `demo`; join several with +, e.g. ncbi-disease+conll2003"),
]
Evaluated = Annotated[
    str | None, typer.Option("--eval", help="name of the target corpus, which is evaluated; the first if not given")
]
TaskName = Annotated[str | None, typer.Option(help="task to train for; ner if not given; see `linnet list tasks`")]
FormatName = Annotated[
    str | None,
    typer.Option(
        "--format",
        help="format of the files; detected from their content if not given",
        callback=lambda name: name and name.lower(),  # names are found in any letter case
    ),
]
Label = Annotated[
    str | None, typer.Option(help="label of mentions with bare B/I/O tags; the corpus's name if not given")
]
Labels = Annotated[
    Path | None,
    typer.Option(help="file with the tags of the model's outputs, in order, for models that do not name them"),
]
ModelLabel = Annotated[
    str | None, typer.Option(help="label of mentions if the model has bare B/I/O tags, e.g. Disease")
]
TagColumn = Annotated[int | None, typer.Option(min=1, help="column of the tag, from 1; the last if not given")]
Tagging = Annotated[str | None, typer.Option(help="tagging: io, iob1, iob2, iobes or bilou; detected if not given")]
Overwrite = Annotated[bool, typer.Option("--overwrite", help="replace an existing output")]
Repair = Annotated[
    bool, typer.Option("--repair", help="repair contradictions in the files by documented rules, and count them")
]
CorpusPath = Annotated[
    str,
    typer.Argument(
        metavar="CORPUS",
        help="folder with train, devel and test, one file, or a name from `linnet corpus list`; `demo` is embedded",
    ),
]


def read_options(label: str | None, tag_column: int | None, tagging: str | None, repair: bool) -> "ReadOptions":
    """Return the readers' options, checked."""
    from linnet.contracts import ReadOptions
    from linnet.labels.tagging import check_tagging

    return ReadOptions(label, tag_column, check_tagging(tagging) if tagging else None, repair)
