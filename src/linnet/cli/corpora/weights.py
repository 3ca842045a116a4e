"""The command `linnet weights`."""

from typing import TYPE_CHECKING, Annotated

import typer

from linnet.cli.options import AsJson, CorpusPath, FormatName, Label, Repair, TagColumn, Tagging, read_options

if TYPE_CHECKING:
    from linnet.formats.corpus import Corpus, Split
    from linnet.losses.weighting import Weighting

__all__ = ["in_order", "print_weights", "weights"]


def weights(
    corpus: CorpusPath,
    *,
    scheme: Annotated[str, typer.Option(help="none, ins, isns, ens or welt; `linnet list schemes` prints all")],
    beta: Annotated[float | None, typer.Option(help="for ens: the effective-number factor, in [0, 1)")] = None,
    split: Annotated[str | None, typer.Option(help="split to count; train, or the only split, if not given")] = None,
    format: FormatName = None,
    label: Label = None,
    tag_column: TagColumn = None,
    tagging: Tagging = None,
    repair: Repair = False,
    as_json: AsJson = False,
) -> None:
    """Print how often each tag occurs, and the class weight that a scheme gives it."""
    from dataclasses import asdict

    from linnet.cli.display.printing import print_json, print_warnings
    from linnet.formats.corpus import read_corpus
    from linnet.losses.weighting import weigh

    found = read_corpus(corpus, format=format, options=read_options(label, tag_column, tagging, repair))
    chosen = _chosen_split(found, split)
    weighting = weigh(in_order(chosen.counts), scheme, beta=beta)
    print_warnings([*found.notes.sentences(), *chosen.notes.sentences()], what="note")
    print_warnings(weighting.warnings)
    if as_json:
        print_json(asdict(weighting))
    else:
        print_weights(weighting, f"{scheme} on {found.name} ({chosen.name})")


def print_weights(weighting: "Weighting", title: str) -> None:
    """Print the count, the share and the weight of each tag."""
    from linnet.cli.display.printing import new_table, print_line, print_tables

    table = new_table(title, "tag", "count", "share", "weight")
    total = sum(weighting.counts.values())
    for tag, number in weighting.counts.items():
        table.add_row(tag, f"{number:,}", f"{number / max(1, total):.2%}", f"{weighting.weights[tag]:.6g}")
    print_tables(table)
    print_line(f"\nlargest / smallest weight: {weighting.ratio:.3f}")


def _chosen_split(corpus: "Corpus", name: str | None) -> "Split":
    if name is None and len(corpus.splits) == 1:
        return next(iter(corpus.splits.values()))
    return corpus.split(name or "train")


def in_order(counts: dict[str, int]) -> dict[str, int]:
    """Return the counts with those of tokens outside mentions first, the others by name."""
    from linnet.labels.tagging import OUTSIDE

    return {tag: counts[tag] for tag in sorted(counts, key=lambda tag: (tag != OUTSIDE, tag))}
