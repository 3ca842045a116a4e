"""How does a model answer about texts and pairs of texts?

As with mentions there is one way to predict: training evaluates and the commands answer through this class. Texts are
taken in up to a bounded look-ahead, their windows batched by length, and answered in order.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np
import torch

from linnet.batches.bucketing import MOST_TOKENS, MOST_WINDOWS, batch_by_tokens
from linnet.batches.text_windows import TextBatch, TextEncoder, TextWindow, collate_texts
from linnet.contracts import tasks
from linnet.documents.texts import Judged, Output, TextExample
from linnet.errors import BadFile, BadSetting
from linnet.models.model_folder import ModelFacts, read_facts
from linnet.models.tokenizer_file import open_tokenizer
from linnet.settings.training import TextSettings
from linnet.tasks.answering.answer_spans import best_answers
from linnet.tasks.relations.unreached import asked
from linnet.tasks.texts.known_labels import first_places
from linnet.tasks.texts.network import Shape, TextNetwork, open_text_network
from linnet.tasks.texts.task import Decision, TextTask

__all__ = ["Answering", "ReadText", "ScoredText", "TextPredictor", "load_texts", "read_texts", "tensors"]

FloatArray = np.ndarray[tuple[int, ...], np.dtype[np.float32]]
LOOK_AHEAD = 1024  # texts that are batched together
N_PAIR = 2


@dataclass(frozen=True)
class ReadText:
    """An example as windows; `sides` says which text of a pair each is of, where they are read apart."""

    windows: list[TextWindow]
    sides: list[int]

    def __len__(self) -> int:
        return sum(map(len, self.windows))


ScoredText = tuple[TextExample, ReadText, list[FloatArray]]  # with the network's scores of its windows


@dataclass(frozen=True)
class Answering:
    """What turns a network's numbers into answers; kept beside the model."""

    labels: tuple[str, ...]  # in the order of the outputs
    thresholds: Mapping[str, float]
    lowest: float = 0.0  # of the numbers that were learned from
    highest: float = 1.0


class TextPredictor:
    """Answers with one model."""

    def __init__(
        self,
        network: TextNetwork,
        encoder: TextEncoder,
        task: TextTask,
        answering: Answering,
        settings: TextSettings,
        facts: ModelFacts | None = None,
    ) -> None:
        self.network, self.encoder, self.task = network, encoder, task
        self.answering, self.settings, self.facts = answering, settings, facts

    @property
    def decision(self) -> Decision:
        """How outputs become predictions."""
        return Decision(self.network.shape.kind, self.answering.thresholds)

    def predict(self, texts: Iterable[str | tuple[str, str] | TextExample]) -> list[Judged]:
        """Return what the model says of texts or pairs of texts, as Python users have them.

        Raises:
            BadSetting: with the number of the first that is neither, or no whole pair where the task is about pairs.
        """
        return self.judge([self._example(number, text) for number, text in enumerate(texts, 1)])

    def check_labels(self, examples: Sequence[TextExample], advice: str = "") -> None:
        """Refuse examples with a label that the model does not know.

        Args:
            examples: as a task has read them.
            advice: what else to do about it.

        Raises:
            BadSetting: with file and line.
        """
        if self.network.shape.kind not in ("classes", "labels"):
            return
        unknown = first_places(asked(examples), self.answering.labels)
        if unknown:
            label, place = next(iter(unknown.items()))
            known = f"it knows {', '.join(sorted(self.answering.labels))}"
            raise BadSetting(
                f"{place}: the model does not know the label {label!r}", "; ".join(filter(None, (known, advice)))
            )

    def judge(self, examples: Sequence[TextExample]) -> list[Judged]:
        """Return the examples with what the model says, joined where several make one question."""
        return self.task.judge(examples, list(self.outputs(examples)), self.decision, self.settings)

    def outputs(self, examples: Iterable[TextExample]) -> Iterator[Output]:
        """Yield what the model says of each example, in order."""
        return (self.output(*scored) for scored in self.scores(examples))

    def scores(self, examples: Iterable[TextExample]) -> Iterator[ScoredText]:
        """Yield each example as it was read, with the network's scores of its windows, in order."""
        source = iter(examples)
        while chunk := list(islice(source, LOOK_AHEAD)):
            read = read_texts(self.encoder, chunk, self.network.shape)
            scores = self._scores([window for each in read for window in each.windows])
            at = 0
            for example, each in zip(chunk, read, strict=True):
                yield example, each, scores[at : at + len(each.windows)]
                at += len(each.windows)

    def _example(self, number: int, given: str | tuple[str, str] | TextExample) -> TextExample:
        """Return the text or pair that a user gave as the number-th, checked."""
        example = given if isinstance(given, TextExample) else self.task.made(_as_example(number, given))
        if self.task.needs_pairs and not all(text and text.strip() for text in (example.first, example.second)):
            found = "a single text" if example.second is None else "a pair with an empty text"
            raise BadSetting(
                f"text {number} is {found}, but the task {self.task.name!r} is about pairs of texts",
                'give each pair as a tuple, such as ("She never smoked.", "She smokes.")',
            )
        return example

    def _scores(self, windows: list[TextWindow]) -> list[FloatArray]:
        found: list[FloatArray] = [np.zeros(0, np.float32)] * len(windows)
        device = next(self.network.parameters()).device
        was_training = self.network.training
        self.network.eval()
        lengths = [len(window) for window in windows]
        for indices in batch_by_tokens(lengths, most_tokens=MOST_TOKENS, most_examples=MOST_WINDOWS):
            batch = collate_texts([windows[index] for index in indices], self.encoder.pad_id)
            with torch.inference_mode():
                scores = self.network.read(**{name: each.to(device) for name, each in tensors(batch).items()})
            for index, row in zip(indices, scores.float().cpu().numpy(), strict=True):
                found[index] = row
        self.network.train(was_training)
        return found

    def output(self, example: TextExample, read: ReadText, scores: list[FloatArray]) -> Output:
        """Return what the model says of an example, from the scores of its windows."""
        shape, labels = self.network.shape, self.answering.labels
        if shape.kind == "spans":
            return best_answers(example.last, read.windows, scores, longest=self.settings.longest_answer)
        rows = np.stack(scores)
        if shape.method == "bi":
            sides = np.array(read.sides)
            return self._scaled(_cosine(rows[sides == 0].mean(axis=0), rows[sides == 1].mean(axis=0)))
        joined = rows.max(axis=0) if shape.windows == "max" else rows.mean(axis=0)
        if shape.kind == "number":
            return self._scaled(float(joined[0]))
        shares = 1 / (1 + np.exp(-joined)) if shape.kind == "labels" else np.exp(joined - joined.max())
        if shape.kind == "classes":
            shares = shares / shares.sum()
        return {label: float(share) for label, share in zip(labels, shares, strict=True)}

    def _scaled(self, value: float) -> float:
        return self.answering.lowest + value * (self.answering.highest - self.answering.lowest)


def read_texts(encoder: TextEncoder, examples: Sequence[TextExample], shape: Shape) -> list[ReadText]:
    """Return the examples as windows."""
    if shape.method == "bi":
        firsts = encoder.encode([(example.first, None) for example in examples])
        seconds = encoder.encode([(example.second or "", None) for example in examples])
        return [ReadText([*a, *b], [0] * len(a) + [1] * len(b)) for a, b in zip(firsts, seconds, strict=True)]
    marks = [[start for start, _ in example.spans] for example in examples] if shape.pooling == "markers" else None
    windows = encoder.encode([(example.first, example.second) for example in examples], marks)
    return [ReadText(each, [0] * len(each)) for each in windows]


def tensors(batch: TextBatch) -> dict[str, torch.Tensor]:
    """Return a batch as what the network reads."""
    return {
        "input_ids": torch.from_numpy(batch.ids),
        "attention_mask": torch.from_numpy(batch.mask),
        "token_type_ids": torch.from_numpy(batch.types),
        "marks": torch.from_numpy(batch.marks),
    }


def load_texts(folder: str | Path, *, device: str | None = None, threads: int | None = None) -> TextPredictor:
    """Return the predictor of a model folder of `linnet train` about texts.

    Args:
        folder: of the model.
        device: a GPU where there is one, if not given.
        threads: of the CPU, for the whole process; torch's own choice if not given.
    """
    place = Path(folder)
    facts = read_facts(place)
    task = tasks.get(facts.task)
    if not isinstance(task, TextTask) or not facts.text:
        remedy = f"use `linnet annotate INPUT --model {place}`" if facts.task == "ner" else "give a model about texts"
        raise BadFile(f"{place}: this model is for the task {facts.task!r}, not for whole texts", remedy)
    if threads is not None:
        torch.set_num_threads(threads)
    told: dict[str, Any] = dict(facts.text)
    answering = Answering(tuple(facts.tags), told["thresholds"], *told["range"])
    network = open_text_network(place, Shape(**told["shape"]), answering.labels)
    network.to(device or ("cuda" if torch.cuda.is_available() else "cpu"))
    encoder = TextEncoder(open_tokenizer(place), max_length=facts.max_length, overlap=facts.overlap)
    return TextPredictor(network, encoder, task, answering, TextSettings(**told["settings"]), facts)


def _as_example(number: int, given: str | tuple[str, str]) -> TextExample:
    if isinstance(given, str):
        return TextExample(str(number), given)
    is_pair = isinstance(given, tuple | list) and len(given) == N_PAIR and all(isinstance(each, str) for each in given)
    if not is_pair:
        raise BadSetting(f"text {number} is {given!r}, expected a text or a tuple of two texts", "give it as such")
    return TextExample(str(number), *given)


def _cosine(first: FloatArray, second: FloatArray) -> float:
    return float(first @ second / max(float(np.linalg.norm(first) * np.linalg.norm(second)), 1e-12))
