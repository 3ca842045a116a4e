"""Evaluation of a tagger on sentences with gold tags, with every prediction."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from linnet.contracts import ReadOptions, Table
from linnet.formats.corpus import choose_split, corpus_place, read_corpus
from linnet.formats.rows import read_tagged
from linnet.formats.sentence_documents import find_documents, ids_from_marks, read_sentence_documents
from linnet.labels.mention import Mention
from linnet.labels.tagging import TagPairs, decode_conll, detect_tagging
from linnet.metrics.mentions.scores import Scores, check_resample, score
from linnet.metrics.mentions.shared_labels import (
    SharedLabels,
    note_other_labels,
    parse_map,
)
from linnet.metrics.mentions.units import Unit
from linnet.models.model_folder import read_facts
from linnet.models.published.opening import conversion_notes, model_folder
from linnet.reports.reliability import THRESHOLD_COLUMNS, threshold_rows
from linnet.reports.review import ReviewedSentence
from linnet.reports.tables import score_tables
from linnet.reports.unheld import read_unheld, write_unheld
from linnet.scoring import units_from_tags
from linnet.settings.label_lists import parse_labels
from linnet.settings.thresholds import Thresholds, read_thresholds
from linnet.storage.files import new_file
from linnet.tasks.ner.confidence.calibrating import reliability_of, thresholds_of
from linnet.tasks.ner.confidence.thresholds import confident_only
from linnet.tasks.ner.corpora.documents import group_rows
from linnet.tasks.ner.corpora.known_labels import check_labels, labels_to_score, only_label
from linnet.tasks.ner.corpora.label_mapping import restrict
from linnet.tasks.ner.decoding import PredictedSentence
from linnet.tasks.ner.examples import Example, Examples, labels_of, read_examples
from linnet.tasks.ner.passes.same_abbreviations import ONLY_SENTENCES, predict_consistently
from linnet.tasks.ner.predictor import Predictor, load

__all__ = ["Evaluation", "evaluate", "evaluate_examples", "read_predictions", "write_predictions"]

MAIN = "strict"  # the matching that counts most
CHOOSING = "devel"  # the split on which a threshold may be chosen


@dataclass(frozen=True)
class Evaluation:
    """Scores with every sentence behind them."""

    scores: Scores
    examples: Examples
    predicted: list[PredictedSentence]
    shared: SharedLabels | None = None  # where not all labels were scored: which were
    split: str | None = None  # the one that was scored, where a corpus was read
    model_notes: tuple[str, ...] = ()  # what was done to open a model of others, and what it could not see

    def __repr__(self) -> str:
        return f"<Evaluation{f' on {self.split}' if self.split else ''}: {self.scores}>"

    @property
    def main_score(self) -> float:
        """Strict micro F1."""
        return self.scores.matching(MAIN).micro.f1

    @property
    def notes(self) -> list[str]:
        """What was done to open the model, and what was repaired or left out in reading."""
        return [*self.model_notes, *self.examples.notes.sentences()]

    @property
    def warnings(self) -> list[str]:
        """Labels that only the model or only the corpus has."""
        return [] if self.shared is None else self.shared.sentences()

    @property
    def thresholds(self) -> list[dict[str, Any]]:
        """Strict scores of the mentions that reach each threshold on confidence."""
        return [asdict(each) for each in thresholds_of(self.examples.gold, self.predicted)]

    def as_dict(self) -> dict[str, Any]:
        """Return plain values for JSON: the shape of all tasks, and every matching by its name."""
        found = self.scores.as_dict()
        mapping = {} if self.shared is None else {"mapping": self.shared.as_dict()}
        confidence = {
            "calibration": reliability_of(self.examples.gold, self.predicted).as_dict(),
            "thresholds": self.thresholds,
        }
        return {"task": "ner", "metric": MAIN, "scores": _figures(found), **found, **mapping, **confidence}

    def tables(self) -> list[Table]:
        """Return the scores by matching, by label and by tag; on devel also by threshold, to choose one."""
        found = score_tables(self.scores.as_dict())
        if self.split != CHOOSING:
            return found
        return [*found, Table("strict, by --min-score", THRESHOLD_COLUMNS, tuple(threshold_rows(self.thresholds)))]

    def write_predictions(self, path: Path) -> None:
        """Write word, gold tag and predicted tag, one word per line."""
        write_predictions(path, self)

    def write_page(self, folder: Path, *, title: str, details: Mapping[str, str]) -> Path:
        """Write a page to browse the errors and return its path."""
        from linnet.reports.error_page import write_page

        shown = dict(details)
        if self.shared is not None:
            mapped = [f"{ours} as {theirs}" for ours, theirs in self.shared.map.items()]
            shown["labels"] = "; ".join([*mapped, *self.shared.sentences()])
        return write_page(folder, title=title, scores=self.scores.as_dict(), sentences=self.sentences, details=shown)

    @property
    def sentences(self) -> list[ReviewedSentence]:
        """The sentences with gold and predicted mentions, for reports."""
        return [_review(*pair) for pair in zip(self.examples.rows, self.predicted, strict=True)]


def evaluate(  # noqa: PLR0913 — each is an option of the command
    model: Path | str, corpus: str | Path, *, split: str | None = None, format: str | None = None,
    label: str | None = None, decoding: str | None = None, resample: str | None = None, n_resamples: int = 1000,
    map: Mapping[str, str] | Sequence[str] | None = None, labels: str | Path | None = None, repair: bool = False,
    threads: int | None = None, documents: str | Path | None = None, keep_labels: Sequence[str] | None = None,
    min_score: Thresholds | None = None,
) -> Evaluation:  # fmt: skip
    """Return how good a saved model is on a split of a corpus: `test` if not given; a single file is scored whole.

    With a map from the model's labels to the corpus's, those that both sides have are scored, and the others counted;
    with `keep_labels`, by the corpus's names, these and no others.
    A tagger of others whose outputs have no names takes them from the file `labels`; one with bare tags marks `label`,
    or else the only label that the corpus has. Mentions with less confidence than `min_score` are left out. Intervals
    resample documents; where the corpus has sentences only, the file `documents` says which of them are one document.

    Raises:
        BadSetting: where the corpus has labels that the model does not know and no map is given, or a wrong one.
    """
    least = read_thresholds(min_score) if min_score is not None else None
    pairs = map if map is None or isinstance(map, Mapping) else parse_map(map)
    found = read_corpus(corpus, format=format, options=ReadOptions(label=label, repair=repair))
    model = model_folder(model, labels=labels, label=label or only_label(model, found), may_be_of_corpus=True)
    facts = read_facts(model)
    chosen = found.split(choose_split(found.splits, split, corpus_place(corpus)))
    examples = read_examples(chosen, facts.tagging)
    examples.notes.take(found.notes)
    examples.notes.take(chosen.notes)
    groups = None
    if documents is not None:
        groups = read_sentence_documents(Path(documents), examples.words)
        examples.rows = group_rows(examples.rows, groups, name=f"{chosen.name} document")
    kept = None if keep_labels is None else parse_labels(keep_labels)
    shared = labels_to_score(facts.label_set.labels, found, pairs, kept)
    if pairs is None or kept is not None:
        wanted = labels_of(examples) if kept is None else set(kept)
        check_labels(wanted, [(pairs or {}).get(label, label) for label in facts.label_set.labels], corpus)
    # the expensive part, when all else is in order
    predictor = load(model, decoding=decoding, threads=threads, min_score=least, precision="float32")
    evaluated = evaluate_examples(
        predictor, examples, shared=shared, resample=resample, n_resamples=n_resamples, groups=groups
    )
    if shared is None:
        _note_other_labels(evaluated)
    return replace(evaluated, split=chosen.name, model_notes=(*conversion_notes(model), *evaluated.model_notes))


def evaluate_examples(
    predictor: Predictor,
    examples: Examples,
    *,
    shared: SharedLabels | None = None,
    resample: str | None = None,
    n_resamples: int = 1000,
    groups: Sequence[int] | None = None,
) -> Evaluation:
    """Return how good the predictor is on these sentences; every word of each is predicted and scored.

    Args:
        predictor: of the model.
        examples: the sentences.
        shared: labels to score, where model and corpus do not have the same.
        resample: what the intervals resample; documents if not given, and sentences where no documents are known.
        n_resamples: how often.
        groups: the number of each sentence's document, where another file than the corpus says it.
    """
    groups = find_documents([row.document for row in examples.rows], examples.words) if groups is None else groups
    check_resample(resample, has_documents=groups is not None)  # before the expensive part
    least, tagging = predictor.min_score, predictor.decoder.tagging
    predicted = confident_only(list(predictor.tag(examples.words)), least, tagging=tagging)
    if predictor.has_same_abbreviations:
        consistent = predict_consistently(examples.rows, predicted, groups, tagging)
        predicted = confident_only(consistent, least, tagging=tagging)
    if shared is not None:
        shared, examples, predicted = restrict(shared, examples, predicted)
    units = units_from_tags(
        examples.tags,
        [each.tags for each in predicted],
        tagging=tagging,
        groups=groups,
        mentions=examples.gold,
    )
    scores = score(list(units), resample=resample, n_resamples=n_resamples)
    notes = (ONLY_SENTENCES,) if predictor.has_same_abbreviations and groups is None else ()
    return Evaluation(scores=scores, examples=examples, predicted=predicted, shared=shared, model_notes=notes)


def write_predictions(path: Path, evaluation: Evaluation) -> None:
    """Write word, gold tag and predicted tag, one word per line: what scores can be computed from again.

    The gold mentions of sentences whose tags cannot hold them go to a file beside it, where there are any.
    """
    rows = enumerate(evaluation.examples.rows)
    write_unheld(path, [(number, row.gold) for number, row in rows if row.gold != _tagged_mentions(row)])
    group = -1
    with new_file(path) as file:
        for row, predicted in zip(evaluation.examples.rows, evaluation.predicted, strict=True):
            if row.group != group:
                file.write(f"-DOCSTART- {' '.join(row.document.split())}\tO\tO\n\n")
                group = row.group
            lines = zip(row.words, row.tags, predicted.tags, strict=True)
            file.writelines(f"{word}\t{gold}\t{tag}\n" for word, gold, tag in lines)
            file.write("\n")


def read_predictions(path: Path) -> list[Unit]:
    """Return what `write_predictions` wrote, ready to be scored by any matching."""
    gold = read_tagged(path, ReadOptions(tag_column=2))
    predicted = read_tagged(path, ReadOptions(tag_column=3))
    pairs = [(a, b) for a, b in zip(gold, predicted, strict=True) if a.words]
    tagging = detect_tagging(_pairs(sentence.tags for sentence, _ in pairs))
    ids = ids_from_marks(sentence.begins for sentence, _ in pairs)
    groups = find_documents(ids, [sentence.words for sentence, _ in pairs])
    tags = ([a.tags for a, _ in pairs], [b.tags for _, b in pairs])
    mentions = read_unheld(path, len(pairs))
    return list(units_from_tags(*tags, tagging=tagging, groups=groups, mentions=mentions))


def _figures(found: Mapping[str, Any]) -> dict[str, dict[str, Any]]:
    """Return the micro F1 of every matching as all tasks write a score."""
    return {
        name: {
            "value": block["micro"]["f1"],
            "low": block["micro"].get("f1_low"),
            "high": block["micro"].get("f1_high"),
            "n": found["mentions"],
            "unit": "mentions",
            "units": block["micro"]["units"],
            "n_units": block["micro"]["n_units"],
        }
        for name, block in found.items()
        if isinstance(block, dict) and "micro" in block
    }


def _tagged_mentions(row: Example) -> tuple[Mention, ...]:
    return tuple(decode_conll(row.tags))


def _pairs(rows: Iterable[Sequence[str]]) -> Mapping[tuple[str, str], int]:
    pairs = TagPairs()
    for tags in rows:
        pairs.add(tags)
    return pairs.counts


def _note_other_labels(found: Evaluation) -> None:
    rows = zip(found.examples.rows, found.predicted, strict=True)
    predicted = [(row.document, mention.label) for row, each in rows for mention in each.mentions]
    note_other_labels(predicted, labels_of(found.examples), found.examples.notes)


def _review(example: Example, predicted: PredictedSentence) -> ReviewedSentence:
    start, end = example.sentence.start, example.sentence.end
    return ReviewedSentence(
        document=example.document,
        number=example.number,
        text=example.text[start:end],
        tokens=tuple((first - start, last - start) for first, last in example.sentence.tokens),
        gold=example.gold,
        predicted=tuple(predicted.mentions),
        scores=tuple(predicted.scores),
        start=start,
    )
