"""A tagger that is written as ONNX, and the check that it still tags the same."""

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from itertools import chain
from pathlib import Path
from typing import Any

import numpy as np

from linnet.batches.encoding import Batch
from linnet.contracts import LossInterval, ReadOptions
from linnet.contracts.export import DIFFER, describe_loss
from linnet.documents.counted import counted
from linnet.errors import BadSetting
from linnet.formats.corpus import read_corpus
from linnet.formats.sentence_documents import find_documents
from linnet.metrics.mentions.scores import DOCUMENTS, Scores, score
from linnet.metrics.statistics.significance import paired_bootstrap
from linnet.models.onnx_engine import INPUTS
from linnet.models.tokenizer_file import TOKENIZER, TRANSITIONS
from linnet.scoring import units_from_tags
from linnet.tasks.ner.examples import Examples, labels_of, read_examples
from linnet.tasks.ner.predictor import Engine, Predictor, load

__all__ = ["ExportableTagger", "TagParity", "compare", "embedded_sentences", "open_exportable", "read_check"]

EXAMPLE = (3, 17)  # windows and tokens of the batch that is traced; two different numbers above one
NOTHING_TO_LOSE = (
    "the original finds no mention of this corpus right (strict F1 0.00), so F1 cannot show what the export loses: "
    "check with a corpus that the model is for, or train it anew (`report.md` of a run says what to try)"
)

FloatArray = np.ndarray[tuple[int, ...], np.dtype[np.float32]]


@dataclass(frozen=True)
class TagParity:
    """How far an exported model agrees with the original."""

    n_sentences: int
    words: int
    equal_words: int  # words with the same tag
    largest_difference: float  # between two scores of a word: of its first sub-word, from which its tag is taken
    f1: float | None = None  # of the original, strict, where the true mentions are known
    exported_f1: float | None = None
    loss_interval: LossInterval | None = None

    @property
    def equal_tags(self) -> float:
        """The share of words with the same tag."""
        return self.equal_words / self.words if self.words else 1.0

    @property
    def n_compared(self) -> int:
        """How many words were compared."""
        return self.words

    @property
    def n_different(self) -> int:
        """How many words have another tag."""
        return self.words - self.equal_words

    @property
    def unit(self) -> str:
        """What was compared."""
        return "words"

    @property
    def notes(self) -> tuple[str, ...]:
        """What F1 cannot show: a model that finds nothing has nothing to lose."""
        return (NOTHING_TO_LOSE,) if self.f1 == 0 else ()

    def sentences(self) -> list[str]:
        """Return what commands print."""
        lines = [
            f"same tag for {self.equal_words:,} of {counted(self.words, 'word')} ({100 * self.equal_tags:.3f} %) in "
            f"{counted(self.n_sentences, 'sentence')}; {DIFFER} {self.largest_difference:.2g}"
        ]
        if self.f1 is not None and self.exported_f1 is not None:
            lost = describe_loss(self.points_lost, self.loss_interval)
            lines.append(f"strict F1: {100 * self.f1:.2f} before, {100 * self.exported_f1:.2f} after{lost}")
        return lines

    def as_dict(self) -> dict[str, Any]:
        """Return plain values for JSON."""
        return {
            "sentences": self.n_sentences,
            "words": self.words,
            "equal_tags": self.equal_tags,
            "largest_difference": self.largest_difference,
            "f1": self.f1,
            "exported_f1": self.exported_f1,
            "points_lost": self.points_lost,
            **({} if self.loss_interval is None else self.loss_interval.as_dict()),
        }

    def as_record(self) -> dict[str, Any]:
        """Return all fields as JSON values."""
        return asdict(self)

    @property
    def points_lost(self) -> float | None:
        """How many F1 points the exported model is below the original; negative where it is above."""
        if self.f1 is None or self.exported_f1 is None:
            return None
        return 100 * (self.f1 - self.exported_f1)


@dataclass(frozen=True)
class ExportableTagger:
    """A tagger, ready to be written as ONNX."""

    folder: Path
    predictor: Predictor
    examples: Examples | None  # of the corpus to check on; the embedded sentences if None
    files: tuple[str, ...] = ("config.json", TOKENIZER, TRANSITIONS)

    @property
    def notes(self) -> tuple[str, ...]:
        """The notes about the corpus that it is checked on."""
        return () if self.examples is None else tuple(self.examples.notes.sentences())

    @property
    def corpus_fingerprint(self) -> str:
        """A digest of the sentences and mentions that it is checked on."""
        rows = [] if self.examples is None else self.examples.rows
        digest = hashlib.sha256()
        for row in rows:
            digest.update(repr((row.group, row.words, row.tags, row.gold)).encode("utf-8", "backslashreplace"))
        return digest.hexdigest()

    def network(self) -> Any:
        """Return the network as a function of two tensors to one."""
        from linnet.models.torch_engine import open_engine
        from linnet.tasks.ner.traced import TagScores

        # plain operations in place of a fused attention: ONNX Runtime and the quantiser know them
        return TagScores(open_engine(self.folder, device="cpu", attention="eager").network)

    def inputs(self) -> dict[str, Any]:
        """Return an example batch."""
        import torch

        ids = torch.ones(EXAMPLE, dtype=torch.int64)
        return dict(zip(INPUTS, (ids, torch.ones_like(ids)), strict=True))

    def axes(self) -> dict[str, dict[int, str]]:
        """Return that windows and tokens may be any number."""
        return {name: {0: "windows", 1: "tokens"} for name in INPUTS}

    def compare(self, exported: Path) -> TagParity:
        """Return how far the exported folder agrees with the original."""
        assert self.predictor.facts is not None
        words = embedded_sentences(self.predictor.facts.max_length) if self.examples is None else self.examples.words
        return compare(self.predictor, load(exported, engine="onnx"), words, self.examples)

    def restore(self, record: Mapping[str, Any]) -> TagParity:
        """Return the comparison that an earlier export has kept."""
        interval = record["loss_interval"]
        return TagParity(**{**record, "loss_interval": None if interval is None else LossInterval(**interval)})


def open_exportable(
    folder: Path, *, check: str | Path | None, split: str, label: str | None, repair: bool
) -> ExportableTagger:
    """Open a tagger, with the corpus that it is compared on."""
    predictor = load(folder, engine="torch", device="cpu", precision="float32")
    examples = None if check is None else read_check(check, split, predictor, label=label, repair=repair)
    return ExportableTagger(folder, predictor, examples)


def embedded_sentences(max_length: int) -> list[list[str]]:
    """Return the sentences of the embedded corpus's test split, and one that is longer than the window."""
    sentences = read_examples(read_corpus("demo").test, "iob2").words
    long = list(chain.from_iterable(sentences))[: 2 * max_length]
    return [*sentences, long]


def read_check(
    corpus: str | Path, split: str, predictor: Predictor, *, label: str | None = None, repair: bool = False
) -> Examples:
    """Return the sentences of a split with their true mentions.

    Raises:
        BadSetting: where there is nothing to compare, or the corpus has labels that the model does not know.
    """
    found = read_corpus(corpus, options=ReadOptions(label=label, repair=repair))
    only = next((name for name, each in found.splits.items() if each.path == Path(corpus)), None)
    chosen = found.split(only or split)
    examples = read_examples(chosen, predictor.decoder.tagging)
    examples.notes.take(found.notes)
    examples.notes.take(chosen.notes)
    labels = labels_of(examples)
    known = set(predictor.label_set.labels)
    if not labels:
        raise BadSetting(f"{corpus}: the split has no mention, so there is no F1", "check with another split or corpus")
    if labels - known:
        raise BadSetting(
            f"corpus {found.name!r} has labels that the model does not know: {', '.join(sorted(labels - known))}",
            f"the model knows {', '.join(sorted(known))}; check with a corpus with these labels",
        )
    return examples


def compare(
    original: Predictor, exported: Predictor, sentences: Sequence[Sequence[str]], gold: Examples | None
) -> TagParity:
    """Return how far two predictors agree on these sentences, and with `gold`, the same ones, how good each is."""
    both = _Both(original.engine, exported.engine)
    pair = Predictor(both, original.encoder, original.decoder)
    expected = [each.tags for each in pair.tag(sentences)]
    found = [each.tags for each in exported.tag(sentences)]
    equal = sum(a == b for row in zip(expected, found, strict=True) for a, b in zip(*row, strict=True))
    tagging = original.decoder.tagging
    scores = [_score_strictly(gold, tags, tagging) for tags in (expected, found)] if gold is not None else []
    f1, exported_f1 = [each.matching("strict").micro.f1 for each in scores] or (None, None)
    return TagParity(
        n_sentences=len(sentences),
        words=sum(map(len, sentences)),
        equal_words=equal,
        largest_difference=both.largest,
        f1=f1,
        exported_f1=exported_f1,
        loss_interval=_compute_interval(*scores) if scores else None,
    )


class _Both:
    """Runs two engines, gives the scores of the first, and keeps the largest difference."""

    def __init__(self, first: Engine, second: Engine) -> None:
        self.first = first
        self.second = second
        self.largest = 0.0

    def logits(self, batch: Batch) -> FloatArray:
        """Return the first engine's scores (windows, tokens, tags)."""
        scores = self.first.logits(batch)
        differences = np.abs(scores - self.second.logits(batch))
        for window, row in zip(batch.windows, differences, strict=True):
            # a score that is no number differs from everything
            read = np.nan_to_num(row[window.starts], nan=np.inf)
            self.largest = max(self.largest, float(read.max(initial=0.0)))
        return scores


def _score_strictly(gold: Examples, found: list[list[str]], tagging: str) -> Scores:
    groups = find_documents([row.document for row in gold.rows], gold.words)
    units = list(units_from_tags(gold.tags, found, tagging=tagging, groups=groups, mentions=gold.gold))
    return score(units, names=["strict"], n_resamples=0)


def _compute_interval(original: Scores, exported: Scores) -> LossInterval:
    """Return the interval of the F1 points that the exported model loses on the same sentences."""
    counts = [scores.counts["strict"] for scores in (original, exported)]
    if original.units == DOCUMENTS and original.groups is not None:
        counts = [each.by_group(original.groups) for each in counts]
    gain = paired_bootstrap(*counts)
    low, high = 0.0 - 100 * gain.high, 0.0 - 100 * gain.low  # never -0.0
    return LossInterval(low=low, high=high, units=original.units, n_units=gain.n_units)
