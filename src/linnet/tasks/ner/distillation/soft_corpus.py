"""Prepares unlabelled texts with the soft targets of teachers as one more corpus to learn from."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from linnet.batches.encoding import EncodedWindow, WordEncoder
from linnet.batches.mixing import count_turns
from linnet.errors import BadFile, LinnetError, problems_of
from linnet.labels.label_set import LabelSet
from linnet.losses.cost_sensitive import IGNORED
from linnet.settings.training import SamplingSettings
from linnet.tasks.ner.distillation.loss import SoftLoss, Voice
from linnet.tasks.ner.distillation.settings import DistillSettings
from linnet.tasks.ner.distillation.targets import compute_targets, open_targets, targets_folder
from linnet.tasks.ner.distillation.teachers import Teacher, find_teachers, student_tags, teacher_problems
from linnet.tasks.ner.distillation.texts import UnlabelledTexts, read_texts
from linnet.tasks.ner.examples import Examples
from linnet.tasks.ner.settings import NerSettings
from linnet.training.job import LabelledWindow
from linnet.training.processes import from_main_process

__all__ = ["NAME", "SoftCorpus", "add_taught_labels", "distillation_problems", "prepare_soft_corpus"]

NAME = "[distill]"  # in place of the name of a corpus


@dataclass(frozen=True)
class SoftCorpus:
    """Unlabelled sentences as windows whose targets are numbers of words, and the loss that looks these up."""

    settings: DistillSettings
    teachers: tuple[Teacher, ...]
    texts: UnlabelledTexts
    examples: list[LabelledWindow]
    loss: SoftLoss
    n_scored: int  # sentences that are left out because the target is scored on them

    def turns(self, sampling: SamplingSettings) -> Callable[[Sequence[int]], list[float]]:
        """Return a rule for the batches of an epoch: the texts, which come last, have their share of all."""

        def count(n_batches: Sequence[int]) -> list[float]:
            gold = count_turns(n_batches[:-1], **sampling.model_dump())
            share = self.settings.share
            return [*gold, max(1, round(sum(gold) * share / (1 - share)))]

        return count

    @property
    def n_sentences(self) -> int:
        """How many sentences are learned from."""
        return len({example.window.sentence for example in self.examples})

    def describe(self) -> dict[str, Any]:
        """Return for `metrics.json` who taught what on which texts."""
        return {
            "teachers": {
                teacher.name: {"labels": teacher.labels, "fingerprint": teacher.fingerprint}
                for teacher in self.teachers
            },
            "texts": self.texts.fingerprint,
            "sentences": self.n_sentences,
            "words": sum(len(example.window.starts) for example in self.examples),
            "scored_sentences_left_out": self.n_scored,
        }


def add_taught_labels(label_set: LabelSet, settings: NerSettings) -> LabelSet:
    """Return the tags of the student: those of its corpora, and those that it learns from teachers alone."""
    wanted = settings.distill.labels if settings.distill is not None else ()
    return LabelSet.of_tags({*label_set.labels, *wanted}, settings.tagging) if wanted else label_set


def distillation_problems(settings: NerSettings, label_set: LabelSet | None) -> list[LinnetError]:
    """Return why the student cannot learn from these teachers; tags that are not known yet are not compared."""
    distill = settings.distill
    if distill is None:
        return []
    teachers: list[Teacher] = []
    problems = problems_of(lambda: teachers.extend(find_teachers(distill)))
    if label_set is not None and not problems:
        problems += teacher_problems(teachers, label_set, settings.tagging, distill.labels)
    return problems


def prepare_soft_corpus(
    settings: NerSettings, label_set: LabelSet, word_encoder: WordEncoder, scored: Iterable[Examples]
) -> SoftCorpus | None:
    """Return the texts with their targets, which are computed where they are not kept; None without distillation.

    Args:
        settings: of the training.
        label_set: the tags of the student.
        word_encoder: of the student.
        scored: the splits on which the student is scored; their sentences are not learned from.
    """
    distill = settings.distill
    if distill is None:
        return None
    teachers, texts = find_teachers(distill), read_texts(distill, seed=settings.sample_seed)
    folder = targets_folder(distill, teachers, texts)
    from_main_process(lambda: compute_targets(folder, teachers, texts, threads=settings.threads))
    voices = [
        Voice(open_targets(folder, number, teacher, texts), student_tags(teacher, label_set))
        for number, teacher in enumerate(teachers, 1)
    ]
    held_out = {tuple(row.words) for split in scored for row in split.rows}
    examples = [
        _number_words(window, texts)
        for window in word_encoder.encode(texts.sentences)
        if texts.sentences[window.sentence] not in held_out
    ]
    if not examples:
        raise BadFile(
            "distill.texts: all sentences are those of devel or test, which are not learned from",
            "give other texts as well",
        )
    return SoftCorpus(
        settings=distill,
        teachers=tuple(teachers),
        texts=texts,
        examples=examples,
        loss=SoftLoss(label_set, voices, temperature=distill.temperature, min_confidence=distill.min_confidence),
        n_scored=sum(words in held_out for words in texts.sentences),
    )


def _number_words(window: EncodedWindow, texts: UnlabelledTexts) -> LabelledWindow:
    labels = [IGNORED] * len(window.ids)
    first = texts.first_words[window.sentence] + window.own_first
    for number, start in enumerate(window.starts, first):
        labels[start] = number
    return LabelledWindow(window, labels, NAME)
