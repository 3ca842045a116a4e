"""Predicts labels, numbers or answers for texts and pairs of texts.

There is one way to predict: training evaluates and the commands predict with this class. Texts are read up to a bounded
look-ahead, their windows are batched by length, and the predictions come in the order of the texts.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from linnet.batches.bucketing import MOST_TOKENS, MOST_WINDOWS, batch_by_tokens
from linnet.batches.text_windows import TextEncoder, TextWindow, collate_texts
from linnet.contracts import tasks
from linnet.documents.document import Document
from linnet.documents.texts import Output, Prediction, TextExample
from linnet.errors import BadFile, BadSetting
from linnet.extras import require
from linnet.models.checks.guard import refuse_unusable
from linnet.models.engines import choose_engine, compute_batches
from linnet.models.model_folder import ModelFacts, check_tokenizer_file, model_fingerprint, read_config, read_facts
from linnet.models.tokenizer_file import TOKENIZER, check_numbers, open_tokenizer
from linnet.tasks.texts.kinds import Scale
from linnet.tasks.texts.kinds.base import Decoding
from linnet.tasks.texts.model_checks import check_scores, open_scale, open_settings, open_shape, open_thresholds
from linnet.tasks.texts.networks.engines import TextEngine, TorchTextEngine, open_onnx_text_engine
from linnet.tasks.texts.networks.shape import Shape
from linnet.tasks.texts.read_texts import FloatArray, ReadText, ScoredText, read_texts
from linnet.tasks.texts.reading.known_labels import first_places
from linnet.tasks.texts.reading.unreached import candidates_in
from linnet.tasks.texts.settings import TextSettings
from linnet.tasks.texts.task import Decision, TextTask

if TYPE_CHECKING:
    from linnet.tasks.texts.questions import TextQuestions

__all__ = [
    "OutputFacts",
    "TextPredictor",
    "load_texts",
]

LOOK_AHEAD = 1024  # texts that are batched together
N_PAIR = 2


WHOLE = Scale()


@dataclass(frozen=True)
class OutputFacts:
    """Labels, thresholds and scale of the outputs; kept beside the model."""

    labels: tuple[str, ...]  # in the order of the outputs
    thresholds: Mapping[str, float]
    scale: Scale = WHOLE  # of the numbers that were learned from


class TextPredictor:
    """Answers with one model."""

    def __init__(
        self,
        engine: TextEngine,
        shape: Shape,
        encoder: TextEncoder,
        task: TextTask[Any],
        output_facts: OutputFacts,
        settings: TextSettings,
        *,
        facts: ModelFacts | None = None,
        folder: Path | None = None,
    ) -> None:
        self.engine, self.shape, self.encoder, self.task = engine, shape, encoder, task
        self.output_facts, self.settings, self.facts, self.folder = output_facts, settings, facts, folder

    @property
    def fingerprint(self) -> str:
        """A digest of the weights; empty while the model is being trained."""
        return "" if self.folder is None else model_fingerprint(self.folder)

    def questions(self, place: Path, *, split: str | None, repair: bool) -> "TextQuestions":
        """Return the examples of a file, or of a split of a corpus, that the model predicts."""
        from linnet.tasks.texts.questions import read_questions

        return read_questions(self, place, split=split, repair=repair)

    @property
    def decision(self) -> Decision:
        """How outputs become predictions."""
        return Decision(self.shape.kind, self.output_facts.thresholds)

    @property
    def annotates(self) -> bool:
        """It predicts values."""
        return False

    def annotate(self, texts: Iterable[str | Document]) -> Iterator[Document]:
        """Refuse: values are no annotations of a document."""
        raise BadSetting(f"this model is for the task {self.task.name!r}, not for mentions", "call `predict(texts)`")

    def predict(self, texts: Iterable[str | tuple[str, str] | TextExample]) -> list[Prediction]:
        """Return the predictions for texts or pairs of texts, as Python users have them.

        Raises:
            BadSetting: with the number of the first that is neither, or no whole pair where the task is about pairs.
        """
        return self.predict_examples([self._example(number, text) for number, text in enumerate(texts, 1)])

    def check_labels(self, examples: Sequence[TextExample], advice: str = "") -> None:
        """Refuse examples with a label that the model does not know.

        Args:
            examples: as a task has read them.
            advice: what else to do about it.

        Raises:
            BadSetting: with file and line.
        """
        if not self.shape.kind.has_labels:
            return
        unknown = first_places(candidates_in(examples), self.output_facts.labels)
        if unknown:
            label, place = next(iter(unknown.items()))
            known = f"it knows {', '.join(sorted(self.output_facts.labels))}"
            raise BadSetting(
                f"{place}: the model does not know the label {label!r}", "; ".join(filter(None, (known, advice)))
            )

    def predict_examples(self, examples: Sequence[TextExample]) -> list[Prediction]:
        """Return the predictions for examples; several examples may make one question."""
        return self.task.decide(examples, list(self.outputs(examples)), self.decision, self.settings)

    def outputs(self, examples: Iterable[TextExample]) -> Iterator[Output]:
        """Yield the output for each example, in order."""
        return (self.output(*scored) for scored in self.scores(examples))

    def scores(self, examples: Iterable[TextExample]) -> Iterator[ScoredText]:
        """Yield each example as it was read, with the network's scores of its windows, in order."""
        source = iter(examples)
        while chunk := list(islice(source, LOOK_AHEAD)):
            read = read_texts(self.encoder, chunk, method=self.shape.method, pooling=self.shape.pooling)
            scores = self._scores([window for each in read for window in each.windows])
            at = 0
            for example, each in zip(chunk, read, strict=True):
                own = scores[at : at + len(each.windows)]
                if not all(np.isfinite(row).all() for row in own):
                    raise BadFile(
                        f"text {example.id!r}: the scores of the model are not finite numbers",
                        "copy the model again; if this is a training, lower the learning rate",
                    )
                yield example, each, own
                at += len(each.windows)

    def _example(self, number: int, given: str | tuple[str, str] | TextExample) -> TextExample:
        """Return the text or pair that a user gave as the number-th, checked."""
        if isinstance(given, TextExample):
            example = given
        else:
            example = self.task.prepare_text(_as_example(number, given), self.settings)
        if self.task.needs_pairs and not all(text and text.strip() for text in (example.first, example.second)):
            found = "a single text" if example.second is None else "a pair with an empty text"
            raise BadSetting(
                f"text {number} is {found}, but the task {self.task.name!r} is about pairs of texts",
                'give each pair as a tuple, such as ("She never smoked.", "She smokes.")',
            )
        return example

    def _scores(self, windows: list[TextWindow]) -> list[FloatArray]:
        found: list[FloatArray] = [np.zeros(0, np.float32)] * len(windows)
        lengths = [len(window) for window in windows]
        cost = self.engine.batch_cost
        groups = list(batch_by_tokens(lengths, most_tokens=MOST_TOKENS, most_examples=MOST_WINDOWS, batch_cost=cost))
        batches = [collate_texts([windows[index] for index in indices], self.encoder.pad_id) for indices in groups]
        computed = compute_batches(self.engine.read, batches, n_parallel=self.engine.n_parallel)
        for indices, scores in zip(groups, computed, strict=True):
            for index, row in zip(indices, scores, strict=True):
                found[index] = row
        return found

    def try_windows(self, windows: list[TextWindow]) -> FloatArray:
        """Return the scores of one batch, as the engine computes them."""
        return self.engine.read(collate_texts(windows, self.encoder.pad_id))

    def output(self, example: TextExample, read: ReadText, scores: list[FloatArray]) -> Output:
        """Return the output for an example, from the scores of its windows."""
        longest = self.task.longest_answer(self.settings)
        decoding = Decoding(self.shape, self.output_facts.labels, self.output_facts.scale, longest)
        return self.shape.kind.output(example, read, scores, decoding)


def load_texts(
    folder: str | Path, *, device: str | None = None, engine: str | None = None, threads: int | None = None
) -> TextPredictor:
    """Return the predictor of a model folder of `linnet train` or `linnet export` about texts.

    Args:
        folder: of the model.
        device: for the engine `torch`: a GPU where there is one, if not given.
        engine: `torch` or `onnx`, which takes an exported folder; as the folder is, if not given.
        threads: of the CPU, for the whole process; torch's own choice if not given.
    """
    place = Path(folder)
    facts = read_facts(place)
    task: Any = tasks.get(facts.task)
    if not facts.text:
        raise BadFile(
            f"{place}: this model is for the task {facts.task!r}, not for whole texts",
            f"use `linnet annotate INPUT --model {place}`",
        )
    shape = open_shape(facts, place)
    output_facts = OutputFacts(tuple(facts.tags), open_thresholds(facts, place), open_scale(facts, place))
    section = open_settings(task, facts, place)
    encoder = _open_encoder(place, facts)
    computing: TextEngine
    if choose_engine(place, engine, device) == "onnx":
        computing = open_onnx_text_engine(place, facts, threads=threads)
    else:
        computing = _open_torch_engine(place, shape, output_facts.labels, device=device, threads=threads)
    found = TextPredictor(computing, shape, encoder, task, output_facts, section, facts=facts, folder=place)
    check_scores(found, place)
    return found


def _open_torch_engine(
    place: Path, shape: Shape, names: Sequence[str], *, device: str | None, threads: int | None
) -> TorchTextEngine:
    need = f"{place}: running a model in PyTorch's format needs"
    instead = "or give what `linnet export` made of it, which runs without"
    require("torch", "transformers", problem=need, otherwise=instead)
    import torch

    from linnet.tasks.texts.networks.network import open_text_network

    if threads is not None:
        torch.set_num_threads(threads)
    network = open_text_network(place, shape, names)
    network.to(device or ("cuda" if torch.cuda.is_available() else "cpu"))
    return TorchTextEngine(network)


def _open_encoder(place: Path, facts: ModelFacts) -> TextEncoder:
    tokenizer = open_tokenizer(place)
    check_numbers(tokenizer, read_config(place).get("vocab_size"), place)
    check_tokenizer_file(place, facts)
    with refuse_unusable(place / TOKENIZER, "the tokenizer cannot be used"):
        return TextEncoder(tokenizer, max_length=facts.max_length, overlap=facts.overlap)


def _as_example(number: int, given: str | tuple[str, str]) -> TextExample:
    if isinstance(given, str):
        return TextExample(str(number), given)
    is_pair = isinstance(given, tuple | list) and len(given) == N_PAIR and all(isinstance(each, str) for each in given)
    if not is_pair:
        raise BadSetting(f"text {number} is {given!r}, expected a text or a tuple of two texts", "give it as such")
    return TextExample(str(number), *given)
