"""Class weights and loss of a corpus, from the settings."""

import pytest
import torch

from linnet.errors import BadSetting
from linnet.labels.label_set import LabelSet
from linnet.losses.class_weights import compute_class_weights, scale_weights
from linnet.losses.cost_sensitive import TokenLoss
from linnet.losses.crf import CrfLoss
from linnet.losses.marginal import MarginalLoss
from linnet.losses.weighting import Weighting, weigh
from linnet.settings.training import LossSettings, WindowSettings
from linnet.tasks.ner.losses import build_weighted_loss
from linnet.tasks.ner.settings import NerSettings

TAGS = LabelSet(("O", "B-X", "I-X"))
COUNTS = {"O": 8, "B-X": 2, "I-X": 4}


def settings(loss: LossSettings, **others: object) -> NerSettings:
    return NerSettings.model_validate({"data": "demo", "output": "run", "loss": loss.model_dump(), **others})


def weights_of(loss: object) -> list[float]:
    assert isinstance(loss, TokenLoss)
    return loss.weights.tolist()


def test_a_scheme_computes_the_weights_and_a_recipe_may_give_them() -> None:
    computed = compute_class_weights(LossSettings(scheme="ins"), COUNTS)
    given = compute_class_weights(LossSettings(weights={"O": 1.0, "B-X": 3.0, "I-X": 2.0}), COUNTS)

    assert computed.weights == {"O": 1 / 8, "B-X": 1 / 2, "I-X": 1 / 4}
    assert (given.scheme, given.weights) == ("given", {"O": 1.0, "B-X": 3.0, "I-X": 2.0})


def test_the_largest_weight_is_scaled_to_one() -> None:
    assert scale_weights(weigh(COUNTS, "ins")) == {"O": 0.25, "B-X": 1.0, "I-X": 0.5}


def test_without_a_scheme_there_are_no_weights() -> None:
    assert scale_weights(weigh(COUNTS, "none")) is None


def test_the_loss_has_the_settings_and_the_scaled_weights() -> None:
    loss = LossSettings(name="focal", scheme="ins", gamma=0.0)

    built = build_weighted_loss(settings(loss), TAGS, compute_class_weights(loss, COUNTS))

    logits, targets = torch.tensor([[[1.0, 2.0, 0.5], [0.0, 1.0, 3.0]]]), torch.tensor([[0, 1]])
    plain = torch.nn.functional.cross_entropy(logits[0], targets[0], weight=torch.tensor([0.25, 1.0, 0.5]))
    assert weights_of(built) == [0.25, 1.0, 0.5]
    assert float(built(logits, targets)) == pytest.approx(float(plain))  # gamma 0 is the cross-entropy


def test_the_loss_of_a_corpus_comes_before_that_of_the_recipe() -> None:
    own = LossSettings(name="crf")

    built = build_weighted_loss(settings(LossSettings()), TAGS, weigh(COUNTS, "none"), own)

    assert isinstance(built, CrfLoss)


def test_tags_that_a_corpus_does_not_annotate_need_no_weight() -> None:
    tags = LabelSet(("O", "B-X", "I-X", "B-Y", "I-Y"))
    loss = LossSettings(scheme="ins")

    built = build_weighted_loss(settings(loss), tags, compute_class_weights(loss, COUNTS), unannotated=["B-Y", "I-Y"])

    assert isinstance(built, MarginalLoss)
    assert weights_of(built) == [0.25, 1.0, 0.5, 1.0, 1.0]


@pytest.mark.parametrize(
    ("loss", "message"),
    [
        (LossSettings(name="focal"), "loss 'focal' does not know partial labels"),
        (LossSettings(smoothing=0.1), "partial labels cannot be smoothed"),
    ],
)
def test_partial_labels_need_the_plain_cross_entropy(loss: LossSettings, message: str) -> None:
    with pytest.raises(BadSetting, match=message):
        build_weighted_loss(settings(loss), TAGS, weigh(COUNTS, "none"), unannotated=["B-X", "I-X"])


def test_a_crf_is_refused_where_all_sub_words_are_tagged() -> None:
    loss = LossSettings(name="crf")
    window = WindowSettings(all_subwords=True).model_dump()

    with pytest.raises(BadSetting, match=r"window\.all_subwords"):
        build_weighted_loss(settings(loss, window=window), TAGS, weigh(COUNTS, "none"))


def test_equal_weights_of_a_scheme_are_exactly_one() -> None:
    weighting: Weighting = weigh({"O": 5, "B-X": 5, "I-X": 5}, "welt")

    assert scale_weights(weighting) == {"O": 1.0, "B-X": 1.0, "I-X": 1.0}
