"""Span extraction: stretches of a text as answers to a question."""

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar

from linnet.documents.texts import Output, Plain, Prediction, TextExample
from linnet.metrics.texts.question_answering import same_answer
from linnet.reports.markdown import escape
from linnet.storage.cells import first_words
from linnet.tasks.texts.kinds.answer_spans import best_answers, note_unplaced, places_of
from linnet.tasks.texts.kinds.base import Decoding, Kind, Numbers, Scale
from linnet.tasks.texts.read_texts import FloatArray, LabelledText, ReadText, ScoredText
from linnet.tasks.texts.reports.answers import gold_answers, plain_text, texts_of

if TYPE_CHECKING:
    from torch import Tensor

    from linnet.contracts import Loss, Notes
    from linnet.losses.weighting import Weighting
    from linnet.settings.training import LossSettings
    from linnet.tasks.texts.networks.shape import Shape
    from linnet.tasks.texts.reports.facts import TextFacts
    from linnet.training.devel_loss import Batch

__all__ = ["QUESTIONS", "SPANS"]

QUESTIONS = "questions"  # the detail of a question that says `list` where it asks for one
MOST_SHOWN = 15  # answers in the report
MOST_TEXT = 240  # characters of a question


class _Spans(Kind):
    name: ClassVar[str] = "spans"
    title: ClassVar[str] = "answers"
    pipeline: ClassVar[str] = "question-answering"
    has_positions: ClassVar[bool] = True
    may_lack_gold: ClassVar[bool] = True
    input_suffix: ClassVar[str] = "json"
    unit: ClassVar[str] = "questions"

    def labels(self, training: Sequence[TextExample], scored: Mapping[str, Sequence[TextExample]]) -> tuple[str, ...]:
        return ()

    def stratum(self, example: TextExample) -> object:
        """Return whether the text holds an answer; by their answers, questions with many texts would come first."""
        return bool(example.spans)

    def targets(
        self, example: TextExample, read: ReadText, labels: Sequence[str], scale: Scale
    ) -> Iterator[LabelledText]:
        """Yield each window with the first and the last place of the answer."""
        for window in read.windows:
            yield LabelledText(ReadText([window], [0]), list(places_of(window, example.spans, example.last)))

    def loss(
        self, settings: "LossSettings", labels: Sequence[str], training: Sequence[TextExample]
    ) -> "tuple[Loss, Weighting]":
        from linnet.tasks.texts.losses import span_loss

        return span_loss(settings)

    def loss_title(self, name: str) -> str:
        return "first and last place"

    def note_unplaced(self, examples: Sequence[TextExample], read: Sequence[ReadText], notes: "Notes") -> None:
        note_unplaced(examples, [each.windows for each in read], notes)

    def pool(self, chosen: Any) -> Any:
        return "cls"

    def arrange(self, joined: "Tensor") -> "Tensor":
        return joined

    def devel_batches(
        self, scored: Sequence[ScoredText], targets: Sequence[Sequence[float]], shape: "Shape"
    ) -> "Iterator[Batch]":
        """Yield the windows one by one."""
        from linnet.tasks.texts.devel_batches import batches_of_windows

        yield from batches_of_windows([row for _, _, scores in scored for row in scores], targets)

    def output(self, example: TextExample, read: ReadText, scores: Sequence[FloatArray], decoding: Decoding) -> Output:
        return best_answers(example.last, read.windows, scores, longest=decoding.longest)

    def decide(self, output: Any, thresholds: Mapping[str, float]) -> tuple[Plain, float | None]:
        best = output[0] if output else None
        return (best.text, best.score) if best else ("", None)

    def output_of_gold(self, gold: Plain | None) -> Output:
        """Return no answer: where it stands does not matter for which scores there are."""
        return ()

    def is_right(self, prediction: Prediction) -> bool:
        """Is the question answered?

        A factoid question is where its first answer is a synonym of the gold one, equal but for case and spaces; a list
        question where all of its gold answers are found and nothing else; a question without a gold answer where none
        is given.
        """
        if prediction.gold is None:
            return False
        items, answers = gold_answers(prediction.gold), [text for text in texts_of(prediction.predicted) if text]
        if not items:
            return not answers
        # older saved answers lack this detail: there, several gold answers mean a list
        is_list = prediction.details.get(QUESTIONS) == "list" or len(items) > 1
        if not is_list:
            return bool(answers) and _names(answers[0], items[0])
        return all(any(_names(answer, item) for answer in answers) for item in items) and all(
            any(_names(answer, item) for item in items) for answer in answers
        )

    def report_sections(self, facts: "TextFacts", predictions: Sequence[Prediction]) -> Iterator[str]:
        yield from ()

    def mistake_sections(self, predictions: Sequence[Prediction]) -> Iterator[str]:
        mistakes = self.mistakes(predictions)
        n_known = sum(each.gold is not None for each in predictions)
        yield "## Mistakes"
        yield f"{len(mistakes):,} of {n_known:,} {self.unit} are wrong; `mistakes.tsv` has them all."
        yield "\n".join(_answer_example(each) for each in mistakes[:MOST_SHOWN])

    def summary(self, labels: Sequence[str]) -> str:
        return "Its answers are stretches of the text that comes with a question, the best first."

    def limits(self, corpus: str) -> Iterator[str]:
        yield "It answers in the words of the texts that it is given: it knows nothing else, and it does not reason."
        yield "An answer is one stretch of text. What must be put together from several places is not found."

    def difference(self, windows: str) -> str:
        return (
            "The two can differ: Linnet reads long texts in overlapping windows, takes the best first and last place "
            "together, merges the answers of several texts to one question, and drops answers that are too long; these "
            "lines do none of it."
        )

    def page_gold(self, gold: Plain, numbers: Numbers) -> Any:
        return gold_answers(gold)

    def page_answer(self, value: Plain, numbers: Numbers) -> Any:
        return [text for text in texts_of(value) if text]


def _names(answer: str, synonyms: Sequence[str]) -> bool:
    return any(same_answer(answer, synonym) for synonym in synonyms)


def _answer_example(prediction: Prediction) -> str:
    given = f"“{escape(plain_text(prediction.predicted))}”" if prediction.predicted else "no answer"
    gold = f"“{escape(plain_text(prediction.gold))}”" if prediction.gold else "no answer"
    score = "" if prediction.score is None else f" {prediction.score:.3f}"
    question = escape(first_words(prediction.text.partition("\n")[0], MOST_TEXT))
    return f"- {escape(prediction.id)}: {question} (gold: {gold}, predicted: {given}{score})"


SPANS = _Spans()
