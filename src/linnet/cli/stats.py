"""The command `linnet stats`."""

from typing import TYPE_CHECKING

from linnet.cli.options import AsJson, CorpusPath, FormatName, Label, Repair, TagColumn, Tagging, read_options

if TYPE_CHECKING:
    from linnet.reports.statistics import CorpusStatistics

__all__ = ["stats"]

ROWS = (  # what is shown, and the field it is read from
    ("documents", "documents"),
    ("sentences", "sentences"),
    ("tokens", "tokens"),
    ("mentions", "mentions"),
    ("relations", "relations"),
    ("mentions with a concept id", "linked_mentions"),
    ("sentences without mentions", "sentences_without_mentions"),
    ("repeated sentences", "repeated_sentences"),
    ("discontinuous mentions", "discontinuous_mentions"),
    ("nested or overlapping mentions", "nested_mentions"),
    ("mentions that cut a token", "mentions_that_cut_a_token"),
    ("mentions unseen in training", "unseen_mentions"),
)


def stats(
    corpus: CorpusPath,
    *,
    format: FormatName = None,
    label: Label = None,
    tag_column: TagColumn = None,
    tagging: Tagging = None,
    repair: Repair = False,
    as_json: AsJson = False,
) -> None:
    """Count what a corpus holds, and say what should give pause."""
    from linnet.cli.printing import print_json, print_warnings
    from linnet.formats.corpus import read_corpus
    from linnet.reports.statistics import describe

    found = describe(read_corpus(corpus, format=format, options=read_options(label, tag_column, tagging, repair)))
    if as_json:
        print_json(found.as_dict())
        return
    _print_tables(found)
    print_warnings(found.notes, what="note")
    print_warnings(found.warnings)


def _print_tables(found: "CorpusStatistics") -> None:
    from linnet.cli.printing import new_table, stdout

    console = stdout()
    table = new_table(f"{found.name} ({found.format}, {found.tagging})", "", *found.splits)
    for title, key in ROWS:
        values = [getattr(split, key) for split in found.splits.values()]
        if any(values) or title in ("documents", "sentences", "tokens", "mentions"):
            table.add_row(title, *("" if value is None else f"{value:,}" for value in values))
    if any(split.unseen_share for split in found.splits.values()):
        shares = [split.unseen_share for split in found.splits.values()]
        table.add_row("  share of mentions", *("" if share is None else f"{share:.1%}" for share in shares))
    for title, kind in (("tokens per sentence", "sentence_lengths"), ("tokens per mention", "mention_lengths")):
        lengths = [getattr(split, kind) for split in found.splits.values()]
        table.add_row(f"{title} (mean, longest)", *(f"{each.mean:.1f}, {each.longest:,}" for each in lengths))
    console.print(table)
    _print_counts(found, "mentions by label", "labels", "mentions")
    _print_counts(found, "tokens by tag", "tags", "tokens")


def _print_counts(found: "CorpusStatistics", title: str, key: str, whole: str) -> None:
    from linnet.cli.printing import new_table, stdout

    names = sorted({name for split in found.splits.values() for name in getattr(split, key)})
    table = new_table(f"\n{title}", "", *found.splits)
    for name in names:
        cells = []
        for split in found.splits.values():
            number = getattr(split, key).get(name, 0)
            cells.append(f"{number:,} ({number / max(1, getattr(split, whole)):.2%})")
        table.add_row(name, *cells)
    stdout().print(table)
