"""Reads gold and predicted tags to score, from two files with one token per line or from one with both columns.

The tags are compared as they are, so that invalid sequences of a model get both readings (strict and conlleval). Only
gold tags are repaired.
"""

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import repeat, zip_longest
from pathlib import Path

from linnet.contracts import Notes, ReadOptions
from linnet.errors import BadFile, BadSetting
from linnet.formats.conll import MENDED, locate_words
from linnet.formats.rows import TaggedSentence, find_tagging, is_tag, read_tagged
from linnet.formats.sentence_documents import find_documents, ids_from_marks, read_sentence_documents
from linnet.labels.mention import Mention
from linnet.labels.tagging import InvalidTags, decode, decode_conll, decode_well_formed, encode, first_fault, split_tag
from linnet.metrics.mentions.units import Unit, with_groups
from linnet.reports.review import ReviewedSentence
from linnet.reports.unheld import read_unheld, unheld_file

__all__ = ["COMMON_TAGGING", "review_rows", "units_from_one_file", "units_from_rows", "units_from_tags"]

MOST_SHOWN = 5  # labels in a message
COMMON_TAGGING = "iob2"  # of word-level scores if the taggings of the two sides differ
TWO_FILES = "give gold and predictions as two files: `linnet score GOLD PREDICTED`, `linnet compare-runs --gold GOLD`"
SAME_SENTENCES = "score a prediction for exactly the sentences of the gold file, in their order"


def units_from_tags(
    gold: Iterable[Sequence[str]],
    predicted: Iterable[Sequence[str]],
    *,
    tagging: str,
    groups: Iterable[int] | None = None,
    mentions: Iterable[tuple[Mention, ...] | None] | None = None,
) -> Iterator[Unit]:
    """Yield a unit for each pair of rows of tags; the gold rows must be valid.

    Args:
        gold: one row of tags per sentence.
        predicted: the same number of rows, each as long as its gold row.
        tagging: of both.
        groups: the number of each sentence's document; None if the documents are not known.
        mentions: the gold mentions of each sentence whose tags cannot hold them; None for other sentences.
    """
    rows = zip(gold, predicted, strict=True)
    numbered = zip(rows, groups if groups is not None else repeat(None), strict=groups is not None)
    with_mentions = zip(numbered, mentions if mentions is not None else repeat(None), strict=mentions is not None)
    for ((gold_tags, predicted_tags), group), gold_marks in with_mentions:
        is_same = gold_tags == predicted_tags
        unit = _correct_unit(gold_tags, group) if is_same else _unit(gold_tags, predicted_tags, tagging, group)
        yield unit if gold_marks is None or gold_marks == unit.gold else replace(unit, gold=gold_marks)


def units_from_one_file(path: Path, options: ReadOptions, notes: Notes, documents: Path | None = None) -> list[Unit]:
    """Return the sentences of a file whose last two columns are gold and predicted tag, as for conlleval.

    Gold mentions that tags cannot hold are read from the file beside it that Linnet writes with its predictions.

    Raises:
        BadFile: if there is only one column of tags.
    """
    if options.tag_column is not None:
        raise BadSetting(
            f"{path}: a tag column is given, but a file that is scored alone has two",
            "leave it out: the last two columns are the gold and the predicted tag",
        )
    column = _gold_column(path, options)
    predicted_options = replace(options, tag_column=column + 1)
    read = replace(options, tag_column=column)
    units = units_from_rows(path, path, read, notes, predicted_options=predicted_options, documents=documents)
    for number, mentions in enumerate(read_unheld(path, len(units))):
        if mentions is not None:
            notes.add("sentences with gold mentions that tags cannot hold", str(unheld_file(path)))
            units[number] = replace(units[number], gold=mentions)
    _note_strange_labels(units, path, notes)
    return units


def units_from_rows(
    gold: Path,
    predicted: Path,
    options: ReadOptions,
    notes: Notes,
    *,
    predicted_options: ReadOptions | None = None,
    documents: Path | None = None,
) -> list[Unit]:
    """Return the sentences of two files, which must have the same words; `documents` says which of them are one.

    Raises:
        BadFile: for other words, and if the gold file seems to have predictions, too.
    """
    begins: list[str | None] = []
    words: list[tuple[str, ...]] = []
    units: list[Unit] = []
    beside: set[str] = set()  # labels in the last column but one of the gold file
    for sentence, unit in _compare_rows(gold, predicted, options, notes, predicted_options or options):
        begins.append(sentence.begins)
        words.append(sentence.words)
        units.append(unit)
        beside |= {row[-1].partition("-")[2] for row in sentence.columns if row and is_tag(row[-1])}
    if gold != predicted and options.tag_column is None:
        _refuse_predictions_as_gold(
            gold, predicted, beside & {mention.label for unit in units for mention in unit.gold}
        )
    if documents is not None:
        return with_groups(units, read_sentence_documents(documents, words))
    return with_groups(units, find_documents(ids_from_marks(begins), words))


def _refuse_predictions_as_gold(gold: Path, predicted: Path, labels: Collection[str]) -> None:
    """Refuse a gold file with the same labels in its last two columns: the last one is of a model, not gold."""
    if labels:
        shown = ", ".join(sorted(labels)[:MOST_SHOWN])
        raise BadFile(
            f"{gold}: its last two columns have tags of the same labels ({shown}), like gold and predictions",
            "name the column of the gold tags with `--tag-column`, counted from 1; two files with predictions are "
            f"compared with `linnet compare-runs {gold} {predicted}`",
        )


def _compare_rows(
    gold: Path, predicted: Path, options: ReadOptions, notes: Notes, predicted_options: ReadOptions
) -> Iterator[tuple[TaggedSentence, Unit]]:
    """Yield each sentence of the gold file with its unit; documents are numbered where they begin with a mark."""
    gold_tagging = options.tagging or find_tagging([gold], options)
    predicted_tagging = options.tagging or _predicted_tagging(predicted, gold_tagging, predicted_options)
    group, has_documents = -1, False
    pairs = zip_longest(_sentences(gold, options), _sentences(predicted, predicted_options))
    for index, (ours, theirs) in enumerate(pairs):
        ours, theirs = _check_pair(ours, theirs, index, (gold, predicted))
        tags = ours.tags
        is_faulty = first_fault(tags, gold_tagging) is not None
        if is_faulty:
            tags = _mend_or_refuse(ours, gold_tagging, gold, notes if options.repair else None)
        has_documents = has_documents or ours.begins is not None
        group += ours.begins is not None
        number = group if has_documents else None
        is_one_tagging = gold_tagging == predicted_tagging
        if not is_faulty and is_one_tagging and tags == theirs.tags:
            yield ours, _correct_unit(tags, number)
        else:
            unit = _unit(tags, theirs.tags, predicted_tagging, number)
            yield ours, unit if is_one_tagging else _with_common_tags(unit)


def review_rows(path: Path, options: ReadOptions, units: Iterable[Unit]) -> Iterator[ReviewedSentence]:
    """Yield the units of a file as sentences with documents, numbers and words, as `linnet convert` reads them."""
    remaining = iter(units)
    stem, name, n_documents, number, start = path.name.split(".")[0], "", 0, 0, 0
    has_documents = False
    for sentence in read_tagged(path, options):
        if sentence.begins is not None or not has_documents:
            has_documents = has_documents or sentence.begins is not None
            n_documents, number, start = n_documents + 1, 0, 0
            name = sentence.begins or f"{stem}-{n_documents}"
        if sentence.words:
            unit, tokens = next(remaining), locate_words(sentence.words)
            number += 1
            yield ReviewedSentence(
                document=name,
                number=number,
                text=" ".join(sentence.words),
                tokens=tokens,
                gold=unit.gold,
                predicted=unit.predicted,
                start=start,
            )
            start += tokens[-1][1] + 1


def _gold_column(path: Path, options: ReadOptions) -> int:
    """Return the number of the last column but one, counted from 1; refuse a column without tags."""
    first = next(_sentences(path, options), None)
    if first is None:
        raise BadFile(f"{path}: holds no sentence", "give a file with a word, its gold and its predicted tag per line")
    if not first.columns:
        raise BadFile(
            f"{path}:{first.line}: found a word and one tag; scored alone, a file needs a gold and a predicted tag",
            TWO_FILES,
        )
    for line, row in enumerate(first.columns, first.line):
        if not is_tag(row[-1]):
            raise BadFile(
                f"{path}:{line}: {row[-1]!r} in the last column but one is not a tag; scored alone, a file needs the "
                "gold and the predicted tag in its last two columns",
                TWO_FILES,
            )
    return len(first.columns[0]) + 1


def _note_strange_labels(units: Sequence[Unit], path: Path, notes: Notes) -> None:
    """Note columns without a common label, such as chunks and entities."""
    gold = {mention.label for unit in units for mention in unit.gold}
    predicted = {mention.label for unit in units for mention in unit.predicted}
    if gold and predicted and not gold & predicted:
        listed = [", ".join(sorted(labels)[:MOST_SHOWN]) for labels in (gold, predicted)]
        notes.add(f"no label in common, are these gold and predicted tags? ({listed[0]}; {listed[1]})", str(path))


def _sentences(path: Path, options: ReadOptions) -> Iterator[TaggedSentence]:
    return (sentence for sentence in read_tagged(path, options) if sentence.words)


def _predicted_tagging(predicted: Path, gold_tagging: str, options: ReadOptions) -> str:
    """Return the tagging of the predictions; `iob2` if gold has it, since a model's invalid tags are not a tagging."""
    found = find_tagging([predicted], options)
    return "iob2" if gold_tagging == "iob2" and found in ("io", "iob1") else found


def _check_pair(
    ours: TaggedSentence | None, theirs: TaggedSentence | None, index: int, paths: tuple[Path, Path]
) -> tuple[TaggedSentence, TaggedSentence]:
    """Return both sentences; refuse a missing one, or one with other words."""
    gold, predicted = paths
    if ours is None or theirs is None:
        (longer, more), shorter = ((gold, ours), predicted) if ours else ((predicted, theirs), gold)
        goes_on = f"; {longer}:{more.line} goes on with {more.words[0]!r}" if more else ""
        raise BadFile(f"{shorter}: ends after sentence {index:,}{goes_on}", SAME_SENTENCES)
    if ours.words != theirs.words:
        at = next(n for n, (a, b) in enumerate(zip_longest(ours.words, theirs.words)) if a != b)
        found = [repr(s.words[at]) if at < len(s.words) else "the end of the sentence" for s in (ours, theirs)]
        raise BadFile(
            f"sentence {index + 1:,} differs: {gold}:{ours.line + at} has {found[0]}, "
            f"{predicted}:{theirs.line + at} has {found[1]}",
            SAME_SENTENCES,
        )
    return ours, theirs


def _mend_or_refuse(sentence: TaggedSentence, tagging: str, path: Path, notes: Notes | None) -> tuple[str, ...]:
    """Return the tags repaired by the conlleval reading, with a note of the changes; without notes refuse the tags."""
    if notes is not None:
        mended = encode(decode_conll(sentence.tags), len(sentence.tags), tagging)
        changed = [line for line, (a, b) in enumerate(zip(sentence.tags, mended, strict=True), sentence.line) if a != b]
        notes.add(MENDED, f"{path}:{changed[0]}", len(changed))
        return tuple(mended)
    try:
        decode(sentence.tags, tagging)
    except InvalidTags as error:
        raise BadFile(f"{path}:{sentence.line + error.position}: {error.problem}", error.remedy) from None
    return sentence.tags


def _correct_unit(tags: Sequence[str], group: int | None) -> Unit:
    """Return the unit of a valid row with a correct prediction, whose tags are decoded once."""
    mentions = _read_mentions(tags)
    labels = [split_tag(tag)[1] for tag in tags] if mentions else [""] * len(tags)
    return Unit(
        gold=mentions,
        predicted=mentions,
        gold_labels=labels,
        predicted_labels=labels,
        group=group,
        gold_tags=tags,
        predicted_tags=tags,
    )


def _unit(gold: Sequence[str], predicted: Sequence[str], predicted_tagging: str, group: int | None) -> Unit:
    return Unit(
        gold=_read_mentions(gold),
        predicted=_read_mentions(predicted),
        strictly_predicted=tuple(decode_well_formed(predicted, predicted_tagging)),
        gold_labels=[split_tag(tag)[1] for tag in gold],
        predicted_labels=[split_tag(tag)[1] for tag in predicted],
        group=group,
        gold_tags=gold,
        predicted_tags=predicted,
    )


def _read_mentions(tags: Sequence[str]) -> tuple[Mention, ...]:
    return tuple(decode_conll(tags))


def _with_common_tags(unit: Unit) -> Unit:
    """Return the unit with the tags of both sides in the common tagging."""
    rows = [encode(mentions, len(unit.gold_tags), COMMON_TAGGING) for mentions in (unit.gold, unit.predicted)]
    return replace(unit, gold_tags=rows[0], predicted_tags=rows[1])
