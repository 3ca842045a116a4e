"""The loss of soft targets: lowest where the student agrees, silent about types that a teacher does not know."""

from typing import Any

import numpy as np
import pytest
import torch
from torch.nn import functional

from linnet.labels.label_set import LabelSet
from linnet.losses.cost_sensitive import IGNORED
from linnet.tasks.ner.distillation.loss import SoftLoss, Voice

STUDENT = LabelSet(("O", "B-A", "B-B"))
LOGITS = torch.tensor([[[2.0, 0.5, -1.0], [0.0, 1.0, 0.5], [9.0, 9.0, 9.0]]])
WORDS = torch.tensor([[0, 1, IGNORED]])


def voice(probabilities: list[list[float]], tags: tuple[str, ...] = STUDENT.names) -> Voice:
    return Voice(np.log(np.array(probabilities, np.float16)), tags)


def loss_of(*voices: Voice, logits: torch.Tensor = LOGITS, **given: Any) -> torch.Tensor:
    options = {"temperature": 1.0, "min_confidence": 0.0, **given}
    found: torch.Tensor = SoftLoss(STUDENT, voices, **options)(logits, WORDS)
    return found


def test_one_teacher_of_all_tags_is_the_cross_entropy() -> None:
    target = [[0.7, 0.2, 0.1], [0.1, 0.3, 0.6]]

    expected = functional.cross_entropy(LOGITS[0, :2], torch.tensor(target))

    assert float(loss_of(voice(target))) == pytest.approx(float(expected), abs=2e-3)


def test_temperature_softens_both_sides_and_scales_by_its_square() -> None:
    target = torch.tensor([[0.7, 0.2, 0.1], [0.1, 0.3, 0.6]])

    softened = functional.softmax(target.log() / 2, dim=-1)
    expected = 4 * functional.cross_entropy(LOGITS[0, :2] / 2, softened)

    assert float(loss_of(voice(target.tolist()), temperature=2.0)) == pytest.approx(float(expected), abs=4e-3)


def test_a_teacher_leaves_open_what_it_does_not_know() -> None:
    of_a = voice([[0.9, 0.1], [0.9, 0.1]], ("O", "B-A"))
    logits = LOGITS.clone().requires_grad_()
    moved = LOGITS.clone()
    moved[0, 0] = torch.tensor([2.0, 0.5, -1.0]).log_softmax(0)
    shared = moved[0, 0, [0, 2]].logsumexp(0) - torch.log(torch.tensor(2.0))
    moved[0, 0, 0] = moved[0, 0, 2] = shared  # the same sum of O and B-B, divided in another way

    same = loss_of(of_a, logits=moved)
    gradient = torch.autograd.grad(loss_of(of_a, logits=logits), logits)[0]

    assert same.item() == pytest.approx(float(loss_of(of_a)), abs=1e-5)
    assert torch.equal(gradient[0, 2], torch.zeros(3))  # the ignored word
    assert gradient[0, 0].abs().sum() > 0


def test_types_of_the_teacher_that_the_student_does_not_learn_are_added_to_outside() -> None:
    folded = voice([[0.5, 0.2, 0.2, 0.1]] * 2, ("O", "B-A", "B-B", "O"))

    assert float(loss_of(folded)) == pytest.approx(float(loss_of(voice([[0.6, 0.2, 0.2]] * 2))), abs=2e-3)


def test_words_that_a_teacher_is_not_sure_of_are_not_learned_from_it() -> None:
    unsure, sure = [0.4, 0.3, 0.3], [0.05, 0.05, 0.9]

    found = loss_of(voice([unsure, sure]), min_confidence=0.8)
    only = functional.cross_entropy(LOGITS[0, 1:2], torch.tensor([sure]))

    assert float(found) == pytest.approx(float(only), abs=2e-3)


def test_without_a_word_that_anyone_is_sure_of_the_loss_is_zero_and_has_a_gradient() -> None:
    logits = LOGITS.clone().requires_grad_()

    found = loss_of(voice([[0.4, 0.3, 0.3]] * 2), min_confidence=0.9, logits=logits)

    assert found.item() == 0
    assert torch.equal(torch.autograd.grad(found, logits)[0], torch.zeros_like(logits))


def test_teachers_count_alike() -> None:
    one, two = [[0.7, 0.2, 0.1]] * 2, [[0.1, 0.3, 0.6]] * 2

    mean = (loss_of(voice(one)) + loss_of(voice(two))) / 2

    assert float(loss_of(voice(one), voice(two))) == pytest.approx(float(mean), abs=1e-5)
