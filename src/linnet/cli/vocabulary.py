"""The commands `linnet vocabulary build`, `search` and `stats`."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from linnet.cli.options import AsJson, Overwrite
from linnet.cli.startup import Command, Group

if TYPE_CHECKING:
    from linnet.tasks.linking.candidates import Candidate

__all__ = ["vocabulary"]

Folder = Annotated[Path, typer.Argument(metavar="V", help="folder of a vocabulary, or `demo`")]

vocabulary = typer.Typer(
    cls=Group, no_args_is_help=True, rich_markup_mode=None, help="Build and search vocabularies of concepts."
)


@vocabulary.command("build", cls=Command)
def build(
    sources: Annotated[
        list[Path], typer.Argument(metavar="SOURCE", help="files with names; the first decide about identifiers")
    ],
    *,
    output: Annotated[Path, typer.Option(help="folder to write")],
    form: Annotated[
        str | None, typer.Option("--from", help="form of the files; detected from their content if not given")
    ] = None,
    keep: Annotated[
        list[str] | None,
        typer.Option(help="what to keep, e.g. tree=C,F03 or species=9606 or prefix=mesh; give it once or more"),
    ] = None,
    prefix: Annotated[str | None, typer.Option(help="prefix of identifiers that have none, e.g. mesh")] = None,
    overwrite: Overwrite = False,
    as_json: AsJson = False,
) -> None:
    """Build a vocabulary from tables, ontologies and other lists of names."""
    from linnet.cli.display.printing import print_json, print_warnings
    from linnet.tasks.linking.vocabularies.building import build_vocabulary
    from linnet.tasks.linking.vocabularies.filters import parse_filters

    filters = parse_filters(keep or [])
    built = build_vocabulary(sources, output, form=form, filters=filters, prefix=prefix, overwrite=overwrite)
    if as_json:
        print_json({"folder": str(built.folder), **built.facts, "warnings": built.warnings})
    else:
        print_warnings(built.warnings, what="note")
        _print_facts(built.folder, built.facts)


@vocabulary.command("search", cls=Command)
def search(
    folder: Folder,
    text: Annotated[str, typer.Argument(metavar="TEXT", help="a mention, e.g. 'breast cancer', or an identifier")],
    *,
    top: Annotated[int, typer.Option(min=1, help="number of candidates")] = 5,
    as_json: AsJson = False,
) -> None:
    """Show the concepts that a mention may stand for, with their scores, or the concept of an identifier."""
    from linnet.cli.display.printing import print_json, print_line, print_warnings
    from linnet.tasks.linking.candidates import CandidateFinder
    from linnet.tasks.linking.vocabularies.lookup import is_of_vocabulary, look_up
    from linnet.tasks.linking.vocabularies.vocabulary import open_vocabulary

    opened = open_vocabulary(folder)
    concept = look_up(opened, text)
    candidates = CandidateFinder(opened).search(text, top)
    if concept is not None and not any(candidate.is_exact for candidate in candidates):
        candidates = []  # names that look like an identifier say nothing
    if concept is None and is_of_vocabulary(opened, text):
        print_warnings([f"the vocabulary has no concept with the identifier {text}"], what="note")
    if as_json:
        rows = [candidate.as_dict() for candidate in candidates]
        about: dict[str, Any] = {}
        if concept is not None:
            rows = [concept.as_candidate(text), *(row for row in rows if row["id"] != concept.id)][:top]
            about["concept"] = concept.as_dict()
        print_json({"query": text, "candidates": rows, **about})
        return
    if concept is not None:
        print_line("\n".join(concept.sentences()))
    if candidates:
        _print_candidates(text, candidates)
    elif concept is None:
        print_line(f"no name is similar to {text!r}")


def _print_candidates(text: str, candidates: "Sequence[Candidate]") -> None:
    from linnet.cli.display.printing import new_table, print_tables

    table = new_table(f"candidates for {text!r}", "id", "score")
    table.add_column("name", no_wrap=True)
    table.add_column("matched", no_wrap=True)
    for each in candidates:
        table.add_row(each.id, f"{each.score:.3f}", each.name, each.matched)
    print_tables(table)


@vocabulary.command("stats", cls=Command)
def stats(folder: Folder, *, as_json: AsJson = False) -> None:
    """Count the concepts and names of a vocabulary, and name its sources and hash."""
    from linnet.cli.display.printing import print_json
    from linnet.tasks.linking.vocabularies.vocabulary import open_vocabulary

    facts = {key: value for key, value in open_vocabulary(folder).facts.items() if key not in ("files", "kind", "form")}
    if as_json:
        print_json(facts)
    else:
        _print_facts(folder, facts)


def _print_facts(folder: Path, facts: dict[str, Any]) -> None:  # as JSON has them
    from linnet.cli.display.printing import new_table, print_line, print_tables
    from linnet.documents.counted import counted

    size = f"{counted(facts['concepts'], 'concept')}, {counted(facts['names'], 'name')}"
    print_line(f"{folder}: {size}\nhash: {facts['hash']}")
    if facts["prefixes"]:
        print_line("identifiers: " + ", ".join(f"{prefix} {number:,}" for prefix, number in facts["prefixes"].items()))
    if facts["filters"]:
        print_line("kept: " + "; ".join(f"{kind}={','.join(values)}" for kind, values in facts["filters"].items()))
    table = new_table("sources", "file", "concepts", "names")
    for column in ("form", "version", "SHA-256"):
        table.add_column(column, no_wrap=True)
    for source in facts["sources"]:
        counts = (f"{source['concepts']:,}", f"{source['names']:,}")
        table.add_row(source["file"], *counts, source["form"], source["version"], source["sha256"])
    print_tables(table)
