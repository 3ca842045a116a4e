"""The command `linnet weights`."""

from typing import Annotated

import typer

from linnet.cli.options import AsJson, CorpusPath, FormatName, Label, Repair, TagColumn, Tagging, read_options

__all__ = ["weights"]


def weights(
    corpus: CorpusPath,
    *,
    scheme: Annotated[str, typer.Option(help="none, ins, isns, ens or welt; `linnet list schemes` prints all")],
    beta: Annotated[float | None, typer.Option(help="for ens: the effective-number factor, in [0, 1)")] = None,
    split: Annotated[str, typer.Option(help="split to count")] = "train",
    format: FormatName = None,
    label: Label = None,
    tag_column: TagColumn = None,
    tagging: Tagging = None,
    repair: Repair = False,
    as_json: AsJson = False,
) -> None:
    """Print how often each tag occurs and what a weighting scheme makes of it."""
    from linnet.cli.printing import new_table, print_json, print_warnings, stdout
    from linnet.formats.corpus import read_corpus
    from linnet.losses.weighting import weigh

    found = read_corpus(corpus, format=format, options=read_options(label, tag_column, tagging, repair))
    chosen = next(iter(found.splits)) if list(found.splits) == ["all"] else split
    weighting = weigh(found.split(chosen).counts, scheme, beta=beta)
    if as_json:
        print_json(weighting.as_dict())
        return
    table = new_table(f"{scheme} on {found.name} ({chosen})", "tag", "count", "share", "weight")
    total = sum(weighting.counts.values())
    for tag, number in weighting.counts.items():
        table.add_row(tag, f"{number:,}", f"{number / total:.2%}", f"{weighting.weights[tag]:.6g}")
    stdout().print(table)
    stdout().print(f"largest / smallest weight: {weighting.ratio:.3f}")
    print_warnings(list(weighting.warnings))
