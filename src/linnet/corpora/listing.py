"""List of known corpora in JSON and Markdown."""

from collections.abc import Iterable
from typing import Any

from linnet.corpora.download import address_of
from linnet.corpora.places import cached_folder, is_here
from linnet.corpora.table import KnownCorpus

__all__ = ["as_dict", "markdown_table"]

USUAL = ("train", "devel", "test")  # splits whose names are not printed


def as_dict(corpus: KnownCorpus) -> dict[str, Any]:
    """Return an entry as JSON values, with addresses and with the folder in the cache."""
    folder = cached_folder(corpus.name)
    return {
        "name": corpus.name,
        "what": corpus.what,
        "task": corpus.task,
        "licence": corpus.licence,
        "citation": corpus.citation,
        "source": corpus.source,
        "files": [
            {
                "name": file.name,
                "address": address_of(corpus, file) if corpus.repository else None,
                "bytes": file.bytes,
                "sha256": file.sha256 or None,
                "git_blob": file.git_blob or None,
            }
            for file in corpus.files
        ],
        "splits": {name: dict(counts) for name, counts in corpus.splits.items()},
        "documents": dict(corpus.documents),
        "note": corpus.note,
        "by_hand": corpus.by_hand.format(folder=folder),
        "folder": str(folder),
        "is_here": is_here(corpus),
    }


def markdown_table(corpora: Iterable[KnownCorpus]) -> str:
    """Return the table of docs/corpora.md, with a row for each corpus.

    The numbers are those of train, devel and test, or of the named splits; for folds, of all test splits together.
    """
    lines = ["| name | what | task | numbers | licence | source |", "|---|---|---|---|---|---|"]
    for corpus in corpora:
        source = f"[{corpus.repository}]({corpus.source})" if corpus.repository else corpus.source
        cells = (f"`{corpus.name}`", corpus.what, corpus.task, _format_counts(corpus), corpus.licence, source)
        lines.append(f"| {' | '.join(cells)} |")
    return "\n".join(lines)


def _format_counts(corpus: KnownCorpus) -> str:
    tests = [counts["examples"] for name, counts in corpus.splits.items() if name.endswith("/test")]
    if tests:
        return f"{sum(tests):,} examples in {len(tests)} folds"
    kinds = dict.fromkeys(kind for counts in corpus.splits.values() for kind in counts)
    is_usual = tuple(corpus.splits) == USUAL
    parts = [
        " / ".join(f"{'' if is_usual else f'{name} '}{counts[kind]:,}" for name, counts in corpus.splits.items())
        + f" {kind}"
        for kind in kinds
    ]
    if corpus.documents:
        parts.append(f"from {' / '.join(f'{number:,}' for number in corpus.documents.values())} documents")
    return "; ".join(parts) or "not counted"
