"""The command `linnet stats`."""

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from linnet.cli.options import AsJson, CorpusPath, FormatName, Label, Repair, TagColumn, Tagging, read_options

if TYPE_CHECKING:
    from rich.table import Table

    from linnet.reports.statistics import CorpusStatistics, SplitStatistics

__all__ = ["print_statistics", "stats"]

ALWAYS = (  # what is shown, and the field it is read from
    ("documents", "from_documents"),
    ("sentences", "sentences"),
    ("tokens", "tokens"),
    ("mentions", "mentions"),
)
WHERE_THERE_ARE_ANY = (
    ("relations", "relations"),
    ("mentions with a concept id", "linked_mentions"),
    ("sentences without mentions", "sentences_without_mentions"),
    ("repeated sentences", "repeated_sentences"),
    ("discontinuous mentions", "discontinuous_mentions"),
    ("nested or overlapping mentions", "nested_mentions"),
    ("mentions that cut a token", "mentions_that_cut_a_token"),
    ("mentions unseen in training", "unseen_mentions"),
)
LENGTHS = (("tokens per sentence", "sentence_lengths"), ("tokens per mention", "mention_lengths"))


def stats(
    corpus: CorpusPath,
    *,
    format: FormatName = None,
    label: Label = None,
    tag_column: TagColumn = None,
    tagging: Tagging = None,
    repair: Repair = False,
    concepts: Annotated[
        int, typer.Option(metavar="N", min=0, help="also show this many of the most frequent concepts")
    ] = 0,
    as_json: AsJson = False,
) -> None:
    """Print statistics of a corpus, and warnings about possible problems."""
    from linnet.cli.display.printing import print_json, print_warnings
    from linnet.formats.corpus import read_corpus
    from linnet.reports.statistics import describe

    read = read_corpus(corpus, format=format, options=read_options(label, tag_column, tagging, repair))
    if Path(corpus).is_file():
        read = replace(read, name=Path(corpus).name)  # not that of the folder, whose other files are not counted
    found = describe(read, n_concepts=concepts)
    if as_json:
        print_json(found.as_dict())
    else:
        print_statistics(found)
        if concepts and not any(split.concepts for split in found.splits.values()):
            print_warnings(["no mention has a concept id; `linnet link` gives them some"], what="note")
    print_warnings(found.notes, what="note")
    print_warnings(found.warnings)


def print_statistics(found: "CorpusStatistics") -> None:
    """Print what is counted per split, then how mentions and tokens are distributed."""
    from linnet.cli.display.printing import print_tables

    print_tables(
        _counts_table(found),
        _shares_table(found, "mentions by label", "labels", "mentions"),
        _shares_table(found, "tokens by tag", "tags", "tokens"),
        *(_concepts_table(name, split) for name, split in found.splits.items() if split.concepts),
    )


def _counts_table(found: "CorpusStatistics") -> "Table":
    from linnet.cli.display.printing import new_table

    splits = list(found.splits.values())
    table = new_table(f"{found.name} ({found.format}, {found.tagging})", "", *found.splits)
    for title, key in (*ALWAYS, *WHERE_THERE_ARE_ANY):
        values = [getattr(split, key) for split in splits]
        unknown = "-" if key == "from_documents" else ""
        if any(values) or (title, key) in ALWAYS:
            table.add_row(title, *(unknown if value is None else f"{value:,}" for value in values))
    if any(split.unseen_share for split in splits):
        shares = [split.unseen_share for split in splits]
        table.add_row("  share of mentions", *("" if share is None else f"{share:.1%}" for share in shares))
    for title, key in LENGTHS:
        lengths = [getattr(split, key) for split in splits]
        table.add_row(f"{title}: mean", *(f"{each.mean:.1f}" for each in lengths))
        table.add_row("  median, longest", *(f"{each.median:g}, {each.longest:,}" for each in lengths))
    return table


def _concepts_table(name: str, split: "SplitStatistics") -> "Table":
    from linnet.cli.display.printing import new_table

    table = new_table(f"most frequent concepts of {name}", "", "mentions", "documents")
    for each in split.concepts:
        table.add_row(f"{each.identifier}  {each.name}", f"{each.mentions:,}", f"{each.documents:,}")
    return table


def _shares_table(found: "CorpusStatistics", title: str, key: str, whole: str) -> "Table":
    from linnet.cli.display.printing import new_table

    table = new_table(title, "", *found.splits)
    for name in {name: None for split in found.splits.values() for name in getattr(split, key)}:
        cells = []
        for split in found.splits.values():
            number = getattr(split, key).get(name, 0)
            cells.append(f"{number:,} ({number / max(1, getattr(split, whole)):.2%})")
        table.add_row(name, *cells)
    return table
