"""Titles and details of what `linnet evaluate` evaluated, for its page, tables and JSON."""

from pathlib import Path

__all__ = ["page_details", "page_title", "table_title"]


def page_title(model: Path, corpus: Path, split: str | None, vocabulary: Path | None = None) -> str:
    """Return model and corpus in a few words, with the split that was scored where the corpus has several."""
    linked = [] if vocabulary is None else [f"linked with {vocabulary.name}"]
    return ", ".join([f"{model.name} on {corpus.name}", *_split_of(corpus, split).values(), *linked])


def page_details(model: Path, corpus: Path, split: str | None) -> dict[str, str]:
    """Return the small print: the same by name, with whole paths."""
    return {"model": str(model), "corpus": str(corpus), **_split_of(corpus, split)}


def table_title(details: dict[str, str], vocabulary: Path | None = None) -> str:
    """Return what stands above the tables; the vocabulary is the one that a model's mentions are linked with."""
    split = f", {details['split']} split" if "split" in details else ""
    linked = "" if vocabulary is None else f", linked with {vocabulary}"
    return f"{details['model']} on {details['corpus']}{split}{linked}"


def _split_of(corpus: Path, split: str | None) -> dict[str, str]:
    from linnet.formats.corpus import corpus_place, is_one_split

    return {} if split is None or is_one_split(corpus_place(corpus)) else {"split": split}
