"""Arguments and options that several commands share."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from linnet.contracts import ReadOptions

__all__ = [
    "AsJson",
    "Candidates",
    "CommonDocuments",
    "Corpora",
    "CorpusPath",
    "DocumentsFile",
    "Engine",
    "Evaluated",
    "FormatName",
    "KeepLabels",
    "Label",
    "LabelMap",
    "Labels",
    "LeastConfidence",
    "LinkTo",
    "MinScore",
    "ModelLabel",
    "Outputs",
    "Overwrite",
    "Precision",
    "Repair",
    "Resample",
    "Resume",
    "ScoredLabels",
    "Shard",
    "Strict",
    "TagColumn",
    "Tagging",
    "TargetFormats",
    "TaskName",
    "Threads",
    "Workers",
    "read_options",
]

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
ScoredLabels = Annotated[
    list[str] | None,
    typer.Option(
        "--keep-labels",
        metavar="A,B",
        help="score only mentions with these labels of gold; several times",
    ),
]
LabelMap = Annotated[
    list[str] | None,
    typer.Option(
        "--map",
        metavar="PREDICTED=GOLD",
        help="predicted label, and the gold label with the same meaning; labels that only one side has are left out",
    ),
]
ModelLabel = Annotated[
    str | None, typer.Option(help="label of mentions if the model has bare B/I/O tags, e.g. Disease")
]
LeastConfidence = Annotated[
    list[str] | None,
    typer.Option(
        "--min-score",
        metavar="SCORE|LABEL=SCORE",
        help="leave out mentions with less confidence, from 0 to 1; for one label: Gene=0.7; several times",
    ),
]
MinScore = Annotated[
    float | None,
    typer.Option(min=0, max=1, help="lowest score of a link; mentions below have none; the linker's own if not given"),
]
Candidates = Annotated[
    int, typer.Option(min=0, help="keep this number of candidates of each mention, as JSON in its infons")
]
Resample = Annotated[
    str | None,
    typer.Option(
        help="unit that the confidence intervals resample: documents or sentences; documents if they are known"
    ),
]
DocumentsFile = Annotated[
    Path | None,
    typer.Option(
        "--documents",
        metavar="FILE",
        help="for files with sentences only: id of each sentence's document, one per line or in a column (FILE:2), "
        "or the documents",
    ),
]
CommonDocuments = Annotated[
    bool,
    typer.Option("--common-documents", help="score the documents that all files have, and say how many are left out"),
]
TagColumn = Annotated[int | None, typer.Option(min=1, help="column of the tag, from 1; the last if not given")]
Tagging = Annotated[str | None, typer.Option(help="tagging: io, iob1, iob2, iobes or bilou; detected if not given")]
Threads = Annotated[
    int | None, typer.Option(min=1, help="CPU threads; all processors if not given (with torch, as many as it chooses)")
]
Outputs = Annotated[
    list[Path],
    typer.Option(help="file to write, - for standard output; with --shard, a folder; several times for several"),
]
TargetFormats = Annotated[
    list[str] | None,
    typer.Option(
        "--to", help="format of the output (of each output); by its suffix if not given; else jsonl for - and shards"
    ),
]
KeepLabels = Annotated[
    list[str] | None,
    typer.Option(metavar="A,B", help="keep only mentions with these labels; may be given several times"),
]
LinkTo = Annotated[
    list[str] | None,
    typer.Option(metavar="[LABEL=]VOCABULARY", help="vocabulary or trained linker to link mentions with; repeatable"),
]
Engine = Annotated[str | None, typer.Option(help="torch or onnx; by the files of the model if not given")]
Precision = Annotated[
    str | None,
    typer.Option(
        metavar="auto|float32|bfloat16",
        help="number format of the engine torch; auto, the default, is bfloat16 where the processor is faster with it",
    ),
]
Shard = Annotated[int | None, typer.Option(min=1, help="write a folder with this number of documents in each file")]
Strict = Annotated[bool, typer.Option("--strict", help="stop at the first document that fails")]
Resume = Annotated[bool, typer.Option("--resume", help="continue an interrupted job")]
Workers = Annotated[int | None, typer.Option(min=1, help="number of worker processes on the Ray cluster")]
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
