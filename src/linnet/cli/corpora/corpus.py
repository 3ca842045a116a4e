"""The commands `linnet corpus list`, `get` and `check`."""

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from linnet.cli.options import AsJson
from linnet.cli.startup import Command, Group

if TYPE_CHECKING:
    from linnet.corpora.table import CorpusFile, KnownCorpus

__all__ = ["corpus"]

Name = Annotated[str, typer.Argument(metavar="NAME", help="name of a corpus; see `linnet corpus list`")]

corpus = typer.Typer(
    cls=Group, no_args_is_help=True, rich_markup_mode=None, help="List, download and check public corpora by name."
)


@corpus.command("list", cls=Command)
def list_corpora(
    *,
    markdown: Annotated[bool, typer.Option("--markdown", help="print the table of the documentation")] = False,
    as_json: AsJson = False,
) -> None:
    """List the public corpora, and which are on this machine."""
    from linnet.cli.display.printing import print_json, print_line
    from linnet.corpora.listing import as_dict, markdown_table
    from linnet.corpora.table import known_corpora

    corpora = known_corpora().values()
    if as_json:
        print_json({"corpora": [as_dict(each) for each in corpora]})
    elif markdown:
        print_line(markdown_table(corpora))
    else:
        _print_names(list(corpora))


@corpus.command("get", cls=Command)
def get(
    name: Name,
    *,
    to: Annotated[Path | None, typer.Option(help="folder to download into; the cache if not given")] = None,
    as_json: AsJson = False,
) -> None:
    """Download a corpus into the cache.

    Every command then finds it by its name.
    """
    from linnet.cli.display.printing import print_json, print_line
    from linnet.corpora.getting import get_corpus

    got = get_corpus(name, to, _Progress())
    if as_json:
        print_json({"name": name, "folder": str(got.folder), "new": got.is_new, "licence": got.corpus.licence})
        return
    print_line(f"{got.folder}: {'here now' if got.is_new else 'is here already'}, every file as it should be")
    print_line(f"  licence: {got.corpus.licence}\n  cite: {got.corpus.citation}")
    if got.corpus.note:
        print_line(f"  note: {got.corpus.note}")


@corpus.command("check", cls=Command)
def check(
    name: Name,
    *,
    folder: Annotated[Path | None, typer.Option("--in", help="folder of the corpus; the cache if not given")] = None,
    as_json: AsJson = False,
) -> None:
    """Check the hashes of a corpus and the counts of its splits."""
    from linnet.cli.display.printing import print_json
    from linnet.errors import BadFile
    from linnet.reports.corpus_check import check_corpus

    found = check_corpus(name, folder)
    if as_json:
        print_json(found.as_dict())
    else:
        _print_check(found.as_dict())
    if found.problems:
        raise BadFile("\n  ".join(found.problems), found.remedy)


def _print_names(corpora: "list[KnownCorpus]") -> None:
    from textwrap import fill

    from linnet.cli.display.printing import print_line, screen_width
    from linnet.corpora.places import is_here

    size = max(len(each.name) for each in corpora) + 2
    for each in corpora:
        state = "here" if is_here(each) else "get" if each.can_be_fetched else "by hand"
        text = f"{each.name:{size}}{state:9}{each.what} ({each.task})"
        print_line(fill(text, width=screen_width(), subsequent_indent=" " * (size + 9)))


def _print_check(found: dict[str, Any]) -> None:  # as JSON has it
    from linnet.cli.display.printing import new_table, print_line, print_tables
    from linnet.documents.counted import counted, counted_units

    files = new_table(f"{found['name']}: {found['folder']}", "file", "as it should be", "SHA-256")
    for name, state in found["files"].items():
        files.add_row(name, "yes" if state["ok"] else "NO", state["sha256"] or "missing")
    splits = new_table("what it holds", "split", "counts", "as it should be")
    for name, counts in found["splits"].items():
        kinds = [key for key in counts if key not in ("ok", "expected")]
        told = ", ".join(
            f"from {counted(counts[key], 'document')}" if key == "from_documents" else counted_units(counts[key], key)
            for key in kinds
        )
        verdict = {None: "not known", True: "yes", False: "NO"}[counts["ok"]]
        splits.add_row(name, told, verdict)
    print_tables(*([files] if found["files"] else []), splits)
    print_line(f"\nlicence: {found['licence']}")


class _Progress:
    """Says on standard error which file is fetched and, on a terminal, how much of it is here."""

    def __init__(self) -> None:
        self.file: CorpusFile | None = None

    def __call__(self, file: "CorpusFile", received: int, whole: int | None) -> None:
        size = f" of {whole / 1e6:.1f}" if whole else ""
        if sys.stderr.isatty():
            end = "\n" if received == whole else ""
            print(f"\r{file.name}: {received / 1e6:.1f}{size} MB", end=end, file=sys.stderr, flush=True)  # noqa: T201
        elif file != self.file:
            told = f", {whole / 1e6:.1f} MB" if whole else ""
            print(f"fetching {file.name}{told}", file=sys.stderr, flush=True)  # noqa: T201
        self.file = file
