"""Splits documents, or records about texts, into a folder with one file per part."""

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from linnet.contracts import Format, Notes, ReadOptions, formats, writable_formats
from linnet.documents.document import Document
from linnet.errors import BadFile, BadSetting
from linnet.formats.conversion import check_target, is_split
from linnet.formats.corpus import SPLITS, corpus_place, is_one_split, read_corpus, split_paths
from linnet.formats.inputs.parts import read_whole
from linnet.formats.reading import convert_documents, find_format, format_for_output
from linnet.splitting.assignment import Group, assign
from linnet.splitting.near_duplicates import group_near_duplicates
from linnet.splitting.records import join_records, read_records
from linnet.storage.files import new_file, new_folder

__all__ = ["DoneSplit", "split_path"]

USUAL_SHARES = (0.7, 0.15, 0.15)
TABLES = (".csv", ".json", ".ndjson", ".tsv")  # of records


@dataclass
class DoneSplit:
    """What went where."""

    target: Path
    parts: dict[str, dict[str, int]] = field(default_factory=dict)  # of each part: items, then each label
    together: int = 0  # items that a near-duplicate keeps in its part
    warnings: list[str] = field(default_factory=list)
    notes: Notes = field(default_factory=Notes)
    lost: Counter[str] = field(default_factory=Counter)  # what the format of the parts cannot hold

    def as_dict(self) -> dict[str, Any]:
        """Return it as JSON."""
        return {
            "output": str(self.target),
            "parts": self.parts,
            "near_duplicates": self.together,
            "warnings": self.warnings,
        }


def split_path(  # noqa: PLR0913 — each is an option of the command
    source: str | Path,
    target: str | Path,
    *,
    shares: Sequence[float] = USUAL_SHARES,
    seed: int = 0,
    as_rows: bool = False,
    source_format: str | None = None,
    target_format: str | None = None,
    options: ReadOptions | None = None,
    is_lossy: bool = False,
    join_splits: bool = False,
    overwrite: bool = False,
) -> DoneSplit:
    """Split a corpus by document (or by row) into a new folder with `train`, `devel` and `test`.

    Every part gets its share of the documents and of each label. Near-duplicates go to the same part. The same seed
    gives the same parts.

    Args:
        source: one file, or a folder of documents (brat); with `join_splits` a corpus that has splits.
        target: the folder to write.
        shares: of train, devel and test, as fractions or in percent; two of them mean train and test.
        seed: of the order in which equal documents are dealt out.
        as_rows: split rows of a table (or entries of JSON), as tasks about texts read them, also where they could be
            taken for documents.
        source_format: of documents; detected if not given.
        target_format: of documents; the source's if not given and it can be written, else jsonl.
        options: of the reader.
        is_lossy: accept the loss of what another format cannot hold.
        join_splits: split the documents of all splits of the corpus anew.
        overwrite: replace an older split.
    """
    place, target = corpus_place(source), Path(target)
    check_target(target, place, is_entry_ours=_is_part, overwrite=overwrite)
    shares = _as_fractions(shares)
    names = _name_parts(shares)
    shares_by_name = dict(zip(names, shares, strict=True))
    pieces = _find_pieces(place, source_format, join_splits=join_splits)
    known = formats.get(source_format) if source_format else None if as_rows else find_format(pieces[0])
    if known is None:
        return _split_records(pieces, target, shares_by_name, seed)
    to = format_for_output(target, target_format) if target_format else _writable(known)
    done = DoneSplit(target)
    documents = list(_read_documents(place, known, source_format, options, done.notes))
    if documents and all(len(document.sentences) == 1 for document in documents):
        done.warnings.append(
            "every document is one sentence; sentences of one paper may stand in several parts, which flatters scores"
        )

    def write(folder: Path, name: str, chosen: Sequence[Document]) -> None:
        file = folder / f"{name}{to.suffixes[0] if to.suffixes else ''}"
        done.lost.update(convert_documents(chosen, file, to=to, is_lossy=is_lossy).lost)

    texts = [document.text for document in documents]
    labels = [Counter(span.label for span in document.spans) for document in documents]
    _deal_out(done, documents, (texts, labels), shares_by_name, seed=seed, write=write)
    return done


def _find_pieces(place: Path, format: str | None, *, join_splits: bool) -> Sequence[Path]:
    """Return the file or folder of documents, or those of all splits of a corpus that is split anew.

    Raises:
        BadFile: where a corpus has splits and is not to be split anew, or the other way round.
    """
    if not place.exists() or is_one_split(place):
        if join_splits and place.exists():
            raise BadFile(f"{place}: this is in one piece, so there are no splits to join", "leave `--join-splits` out")
        return [place]
    if not join_splits:
        raise BadFile(
            f"{place}: this is a folder of several files, expected one file or a folder of brat documents",
            "to split a corpus anew that has train, devel or test, add `--join-splits`; else give one file",
        )
    paths = split_paths(place, format)
    return [path for name, path in paths.items() if name not in _doubled(paths)]


def _doubled(names: Collection[str]) -> set[str]:
    """Return the split that has the documents of others again."""
    return {"train_dev"} if {"train", "devel"} & set(names) else set()


def _read_documents(
    place: Path, known: Format, format: str | None, options: ReadOptions | None, notes: Notes
) -> Iterator[Document]:
    if is_one_split(place):
        yield from read_whole(known, place, options or ReadOptions(), notes)
        return
    corpus = read_corpus(place, format=format, options=options)
    notes.take(corpus.notes)
    for name, split in corpus.splits.items():
        if name not in _doubled(corpus.splits):
            yield from split
            notes.take(split.notes)


def _split_records(pieces: Sequence[Path], target: Path, shares: Mapping[str, float], seed: int) -> DoneSplit:
    done, records = DoneSplit(target), join_records([(path, read_records(path)) for path in pieces])

    def write(folder: Path, name: str, chosen: Iterable[Any]) -> None:
        with new_file(folder / f"{name}{records.suffix}") as file:
            file.write(records.write(chosen))

    texts = [row.text for row in records.rows]
    labels = [Counter([row.label] if row.label else []) for row in records.rows]
    _deal_out(done, records.rows, (texts, labels), shares, seed=seed, write=write)
    return done


def _deal_out(
    done: DoneSplit,
    items: Sequence[Any],
    about: tuple[Sequence[str], Sequence[Mapping[str, int]]],
    shares: Mapping[str, float],
    *,
    seed: int,
    write: Callable[[Path, str, Any], None],
) -> None:
    texts, labels = about
    members: dict[int, list[int]] = {}
    for number, group in enumerate(group_near_duplicates(texts)):
        members.setdefault(group, []).append(number)
    groups = [Group(tuple(numbers), _sum(labels[number] for number in numbers)) for numbers in members.values()]
    if len(groups) < len(shares):
        raise BadFile(
            f"there are {len(groups)} documents that differ, expected at least {len(shares)}",
            "give more documents, or fewer shares",
        )
    parts = assign(groups, list(shares.values()), seed=seed)
    done.together = len(items) - len(groups)
    with new_folder(done.target, overwrite=True) as folder:
        for part, name in enumerate(shares):
            chosen = sorted(
                number for group, at in zip(groups, parts, strict=True) if at == part for number in group.items
            )
            counted = _sum(labels[number] for number in chosen)
            done.parts[name] = {"documents": len(chosen), **dict(sorted(counted.items()))}
            write(folder, name, [items[number] for number in chosen])


def _sum(counts: Iterable[Mapping[str, int]]) -> Counter[str]:
    total = Counter[str]()
    for each in counts:
        total.update(each)
    return total


def _as_fractions(shares: Sequence[float]) -> Sequence[float]:
    """Return the shares with a sum of 1 if they are percentages, else as they are."""
    return [share / 100 for share in shares] if abs(sum(shares) - 100) <= 1e-4 else shares


def _name_parts(shares: Sequence[float]) -> Sequence[str]:
    if len(shares) not in (2, 3) or not all(share > 0 for share in shares) or abs(sum(shares) - 1) > 1e-6:
        raise BadSetting(
            f"the shares are {', '.join(f'{share:g}' for share in shares)}, which does not split a corpus",
            "give the shares of train, devel and test, or of train and test: positive numbers whose sum is 1 or "
            "100, e.g. `--shares 0.7,0.15,0.15` or `--shares 70,15,15`",
        )
    return ("train", "devel", "test") if len(shares) == 3 else ("train", "test")


def _is_part(entry: Path) -> bool:
    return is_split(entry) or (entry.is_file() and entry.stem in SPLITS and entry.suffix in TABLES)


def _writable(source: Format) -> Format:
    return source if source.name in writable_formats() else formats.get("jsonl")
