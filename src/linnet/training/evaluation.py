"""How good is a model on sentences with known tags, and what did it say about each?"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate
from pathlib import Path

from linnet.contracts import ReadOptions
from linnet.errors import BadSetting
from linnet.files import new_file
from linnet.formats.corpus import Corpus, read_corpus
from linnet.formats.rows import read_tagged
from linnet.labels.detection import TagPairs, detect_tagging
from linnet.labels.tagging import decode_conll
from linnet.metrics.scores import Scores, score
from linnet.metrics.units import Unit
from linnet.predictor import Predictor, load
from linnet.reports.review import ReviewedMention, ReviewedSentence
from linnet.reports.scoring import units_from_tags
from linnet.tasks.decoding import PredictedSentence
from linnet.tasks.ner import Example, Examples, read_examples

__all__ = ["Evaluation", "evaluate", "evaluate_examples", "read_predictions", "write_predictions"]


@dataclass(frozen=True)
class Evaluation:
    """Scores with every sentence behind them."""

    scores: Scores
    examples: Examples
    predicted: list[PredictedSentence]

    @property
    def sentences(self) -> list[ReviewedSentence]:
        """The sentences with gold and predicted mentions, for reports."""
        return [_reviewed(*pair) for pair in zip(self.examples.rows, self.predicted, strict=True)]


def evaluate(
    model: Path | str, corpus: str | Path, *, split: str = "test", format: str | None = None, label: str | None = None,
    decoding: str | None = None, resample: str = "sentences", n_resamples: int = 1000,
) -> Evaluation:  # fmt: skip
    """Return how good a saved model is on a split of a corpus.

    Raises:
        BadSetting: where the corpus has labels that the model does not know.
    """
    predictor = load(model, decoding=decoding)
    found = read_corpus(corpus, format=format, options=ReadOptions(label=label))
    chosen = found.split(_only_split(found, Path(corpus)) or split)
    examples = read_examples(chosen, predictor.decoder.tagging)
    _check_labels(examples, predictor, found)
    return evaluate_examples(predictor, examples, resample=resample, n_resamples=n_resamples)


def evaluate_examples(
    predictor: Predictor, examples: Examples, *, resample: str = "sentences", n_resamples: int = 1000
) -> Evaluation:
    """Return how good the predictor is on these sentences; every word of each is predicted and scored."""
    predicted = list(predictor.predict(examples.words))
    units = units_from_tags(
        examples.tags,
        [each.tags for each in predicted],
        tagging=predictor.decoder.tagging,
        groups=[row.group for row in examples.rows],
    )
    scores = score(list(units), resample=resample, n_resamples=n_resamples)
    return Evaluation(scores, examples, predicted)


def write_predictions(path: Path, evaluation: Evaluation) -> None:
    """Write word, gold tag and predicted tag, one word per line: what scores can be computed from again."""
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
    groups = accumulate(int(sentence.begins is not None) for sentence, _ in pairs)
    tags = ([a.tags for a, _ in pairs], [b.tags for _, b in pairs])
    return list(units_from_tags(*tags, tagging=tagging, groups=groups))


def _pairs(rows: Iterable[Sequence[str]]) -> Mapping[tuple[str, str], int]:
    pairs = TagPairs()
    for tags in rows:
        pairs.add(tags)
    return pairs.counts


def _only_split(corpus: Corpus, path: Path) -> str | None:
    """Return the split that a single file (or brat folder) is; a folder of splits has none of that kind."""
    return next((name for name, split in corpus.splits.items() if split.path == path), None)


def _check_labels(examples: Examples, predictor: Predictor, corpus: Corpus) -> None:
    known = set(predictor.label_set.labels)
    found = {tag[2:] for tag in examples.counts if len(tag) > 1}
    if found - known:
        raise BadSetting(
            f"corpus {corpus.name!r} has labels that the model does not know: {', '.join(sorted(found - known))}",
            f"the model knows {', '.join(sorted(known))}; evaluate on a corpus with these labels",
        )


def _reviewed(example: Example, predicted: PredictedSentence) -> ReviewedSentence:
    start, end = example.sentence.start, example.sentence.end
    gold: Iterable[ReviewedMention] = (ReviewedMention(*mention) for mention in decode_conll(example.tags))
    found = zip(predicted.mentions, predicted.scores, strict=True)
    return ReviewedSentence(
        example.document,
        example.number,
        example.text[start:end],
        tuple((first - start, last - start) for first, last in example.sentence.tokens),
        tuple(gold),
        tuple(ReviewedMention(*mention, value) for mention, value in found),
    )
