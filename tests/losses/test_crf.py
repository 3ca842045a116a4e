from itertools import pairwise, permutations, product

import pytest
import torch
from torch import Tensor

from linnet.errors import BadSetting
from linnet.labels.label_set import LabelSet
from linnet.labels.tagging import TAGGINGS, first_fault
from linnet.losses.cost_sensitive import IGNORED, build_loss
from linnet.losses.crf import CrfLoss, LinearChainCRF, compact

LABELS = LabelSet(("O", "B-X", "I-X"))


def random_field(label_set: LabelSet, *, tagging: str | None = None, seed: int = 1) -> LinearChainCRF:
    """A field in double precision with scores of its own."""
    field = LinearChainCRF(label_set, tagging=tagging).double()
    generator = torch.Generator().manual_seed(seed)
    with torch.no_grad():
        for parameter in field.parameters():
            parameter.copy_(torch.randn(parameter.shape, generator=generator, dtype=torch.float64))
    return field


def random_emissions(*shape: int, seed: int = 2) -> Tensor:
    return torch.randn(*shape, generator=torch.Generator().manual_seed(seed), dtype=torch.float64)


def mask_of(lengths: list[int], n_words: int) -> Tensor:
    return torch.arange(n_words) < torch.tensor(lengths).unsqueeze(1)


def score_by_hand(field: LinearChainCRF, emissions: Tensor, tags: tuple[int, ...]) -> float:
    """The score of one row of tags, term by term; emissions (words, tags)."""
    if not tags:
        return 0.0
    score = field.start[tags[0]] + field.end[tags[-1]]
    for word, tag in enumerate(tags):
        score = score + emissions[word, tag]
    for before, tag in pairwise(tags):
        score = score + field.transitions[before, tag]
    return score.item()


def scores_of_all_rows(field: LinearChainCRF, emissions: Tensor) -> dict[tuple[int, ...], float]:
    n_words, n_tags = emissions.shape
    return {tags: score_by_hand(field, emissions, tags) for tags in product(range(n_tags), repeat=n_words)}


def best_of(scores: dict[tuple[int, ...], float]) -> tuple[int, ...]:
    return max(scores, key=lambda tags: scores[tags])


@pytest.mark.parametrize("n_tags", [1, 2, 3, 4])
@pytest.mark.parametrize("n_words", [1, 2, 3, 4])
def test_partition_likelihood_and_decoding_agree_with_brute_force(n_tags: int, n_words: int) -> None:
    field = random_field(LabelSet(tuple("OABC"[:n_tags])))
    emissions = random_emissions(1, n_words, n_tags)
    mask = mask_of([n_words], n_words)
    scores = scores_of_all_rows(field, emissions[0])

    log_sum = torch.tensor(list(scores.values()), dtype=torch.float64).logsumexp(0).item()
    assert field.log_partition(emissions, mask).item() == pytest.approx(log_sum, rel=1e-12)
    assert field.viterbi(emissions, mask) == [list(best_of(scores))]
    for tags, score in scores.items():
        found = field.log_likelihood(emissions, torch.tensor([tags]), mask).item()
        assert found == pytest.approx(score - log_sum, rel=1e-9, abs=1e-12)


def test_the_probabilities_of_all_rows_sum_to_one() -> None:
    field = random_field(LABELS)
    rows = torch.tensor(list(product(range(3), repeat=4)))
    emissions = random_emissions(1, 4, 3).expand(len(rows), -1, -1)

    likelihoods = field.log_likelihood(emissions, rows, torch.ones(len(rows), 4, dtype=torch.bool))

    assert likelihoods.exp().sum().item() == pytest.approx(1, rel=1e-12)


def test_rows_of_different_length_do_not_disturb_each_other() -> None:
    field = random_field(LABELS)
    lengths = [4, 0, 1, 3, 2] * 8
    emissions, mask = random_emissions(40, 4, 3), mask_of(lengths, 4)
    tags = (torch.arange(160).reshape(40, 4) % 3).masked_fill(~mask, IGNORED)

    together = field.log_likelihood(emissions, tags, mask)
    decoded = field.viterbi(emissions, mask)

    for row, length in enumerate(lengths):
        one = slice(row, row + 1)
        alone = field.log_likelihood(emissions[one, :length], tags[one, :length], mask[one, :length])
        assert together[row].item() == pytest.approx(alone.item(), rel=1e-12)
        assert decoded[one] == field.viterbi(emissions[one, :length], mask[one, :length])
        assert len(decoded[row]) == length


def test_a_row_without_words_is_certain_and_has_no_tags() -> None:
    field = random_field(LABELS)

    assert field.log_likelihood(random_emissions(1, 2, 3), torch.tensor([[5, 5]]), mask_of([0], 2)).item() == 0
    assert field.viterbi(random_emissions(1, 2, 3), mask_of([0], 2)) == [[]]
    assert field.viterbi(random_emissions(2, 0, 3), mask_of([0, 0], 0)) == [[], []]


def test_among_ties_decoding_returns_a_row_with_the_best_score() -> None:
    field, n_tied = LinearChainCRF(LABELS).double(), 0
    emissions = torch.randint(0, 2, (20, 4, 3), generator=torch.Generator().manual_seed(4)).double()

    for row, tags in enumerate(field.viterbi(emissions, torch.ones(20, 4, dtype=torch.bool))):
        scores = scores_of_all_rows(field, emissions[row])
        n_tied += list(scores.values()).count(max(scores.values())) > 1

        assert scores[tuple(tags)] == max(scores.values())
    assert n_tied > 10


@pytest.mark.parametrize("tagging", TAGGINGS)
def test_constrained_decoding_returns_the_best_allowed_row(tagging: str) -> None:
    label_set = LabelSet.of_tags(["X", "Y"] if tagging in ("io", "iob1", "iob2") else ["X"], tagging)
    field = random_field(label_set, tagging=tagging)
    emissions = 3 * random_emissions(8, 3, len(label_set))

    for row, tags in enumerate(field.viterbi(emissions, torch.ones(8, 3, dtype=torch.bool))):
        allowed = {
            numbers: score
            for numbers, score in scores_of_all_rows(field, emissions[row]).items()
            if first_fault([label_set.names[number] for number in numbers], tagging) is None
        }
        assert tuple(tags) == best_of(allowed)


@pytest.mark.parametrize("tagging", TAGGINGS)
def test_constrained_decoding_is_valid_against_any_emissions(tagging: str) -> None:
    label_set = LabelSet.of_tags(["X", "Y"], tagging)
    emissions = torch.zeros(6, 6, len(label_set))
    emissions[..., -1] = 1e30  # begs for the last tag everywhere
    mask = mask_of([0, 1, 2, 3, 5, 6], 6)

    for tags in LinearChainCRF(label_set, tagging=tagging).viterbi(emissions, mask):
        assert first_fault([label_set.names[tag] for tag in tags], tagging) is None


def test_a_true_row_that_the_tagging_forbids_can_still_be_learned_from() -> None:
    emissions, mask = random_emissions(1, 2, 3), mask_of([2], 2)
    cut_mention = torch.tensor([[2, 0]])  # a window that begins inside a mention: I-X O

    constrained = random_field(LABELS, tagging="iob2").log_likelihood(emissions, cut_mention, mask)

    assert constrained.item() == random_field(LABELS).log_likelihood(emissions, cut_mention, mask).item()


def test_constraints_need_the_tag_outside() -> None:
    with pytest.raises(BadSetting, match="needs the tag 'O'"):
        LinearChainCRF(LabelSet(("B-X", "I-X")), tagging="iob2")
    with pytest.raises(BadSetting, match="no tagging called 'iob3'"):
        LinearChainCRF(LABELS, tagging="iob3")


def test_gradients_agree_with_finite_differences() -> None:
    loss = CrfLoss(random_field(LABELS))
    targets = torch.tensor([[0, 1, 2], [1, IGNORED, 2], [IGNORED] * 3])
    scores = {name: value.detach().clone().requires_grad_() for name, value in loss.named_parameters()}

    def cost(logits: Tensor, *values: Tensor) -> Tensor:
        result = torch.func.functional_call(loss, dict(zip(scores, values, strict=True)), (logits, targets))
        assert isinstance(result, Tensor)
        return result

    assert torch.autograd.gradcheck(cost, (random_emissions(3, 3, 3).requires_grad_(), *scores.values()))


def test_long_rows_with_large_scores_stay_finite_in_single_precision() -> None:
    field = LinearChainCRF(LABELS)
    emissions = (1000 * random_emissions(1, 400, 3)).float().requires_grad_()
    mask = torch.ones(1, 400, dtype=torch.bool)

    best = torch.tensor(field.viterbi(emissions, mask))
    likelihood = field.log_likelihood(emissions, best, mask)
    (gradient,) = torch.autograd.grad(likelihood.sum(), emissions)

    assert torch.isfinite(likelihood).all()
    assert likelihood.item() <= 0.1  # a logarithm of a probability, up to rounding of scores near a million
    assert torch.isfinite(gradient).all()


def test_junk_under_the_padding_reaches_neither_value_nor_gradient() -> None:
    field = random_field(LABELS)
    emissions = random_emissions(1, 3, 3)
    emissions[0, 2] = torch.nan
    emissions.requires_grad_()

    likelihood = field.log_likelihood(emissions, torch.tensor([[0, 1, IGNORED]]), mask_of([2], 3))
    (gradient,) = torch.autograd.grad(likelihood.sum(), emissions)

    assert torch.isfinite(likelihood).all()
    assert torch.isfinite(gradient).all()
    assert not gradient[0, 2].any()


def test_a_word_after_padding_is_a_mistake_of_the_caller() -> None:
    with pytest.raises(ValueError, match="compact"):
        LinearChainCRF(LABELS).viterbi(torch.zeros(1, 3, 3), torch.tensor([[True, False, True]]))


def test_compacting_keeps_the_order_and_drops_the_gaps() -> None:
    values = torch.tensor([[1, 2, 3, 4], [5, 6, 7, 8], [9, 9, 9, 9]])
    is_kept = torch.tensor([[True, False, True, True], [False, True, False, False], [False] * 4])

    words, mask = compact(values, is_kept)
    vectors, _ = compact(torch.stack([values, -values], dim=2), is_kept)

    assert mask.tolist() == [[True, True, True], [True, False, False], [False] * 3]
    assert [row[keep].tolist() for row, keep in zip(words, mask, strict=True)] == [[1, 3, 4], [6], []]
    assert vectors[mask].tolist() == [[1, -1], [3, -3], [4, -4], [6, -6]]


def test_compacting_keeps_the_order_of_long_rows() -> None:
    values = torch.arange(5000).unsqueeze(0)

    words, _ = compact(values, values % 3 != 1)

    assert words.tolist() == [[value for value in range(5000) if value % 3 != 1]]


@pytest.mark.parametrize("shape", [(0, 3), (2, 0), (2, 3)])
def test_compacting_nothing_leaves_nothing(shape: tuple[int, int]) -> None:
    words, mask = compact(torch.zeros(*shape, 3), torch.zeros(shape, dtype=torch.bool))

    assert words.shape == (shape[0], 0, 3)
    assert mask.shape == (shape[0], 0)


def test_ignored_sub_words_do_not_come_between_words() -> None:
    loss = CrfLoss(random_field(LABELS))
    logits = random_emissions(1, 5, 3)
    targets = torch.tensor([[1, IGNORED, 2, 0, IGNORED]])  # a word of two sub-words, two words, padding

    cost = loss(logits, targets)

    words = logits[:, [0, 2, 3]]
    likelihood = loss.field.log_likelihood(words, torch.tensor([[1, 2, 0]]), mask_of([3], 3))
    assert cost.item() == pytest.approx(-likelihood.item() / 3, rel=1e-12)
    assert loss.decode(logits, targets != IGNORED) == loss.field.viterbi(words, mask_of([3], 3))


def test_an_untrained_field_costs_what_the_cross_entropy_costs() -> None:
    logits = random_emissions(2, 4, 3)
    targets = torch.tensor([[0, 1, 2, 0], [1, IGNORED, 0, IGNORED]])

    cost = build_loss("crf", LABELS)(logits, targets)

    torch.testing.assert_close(cost, build_loss("cross-entropy", LABELS)(logits, targets))


def test_the_order_of_labels_changes_neither_likelihood_nor_gradients_nor_tags() -> None:
    field, emissions = random_field(LABELS, tagging="iob2"), random_emissions(2, 3, 3).requires_grad_()
    tags, mask = torch.tensor([[0, 1, 2], [1, 0, 0]]), mask_of([3, 2], 3)
    likelihood = field.log_likelihood(emissions, tags, mask)
    (gradient,) = torch.autograd.grad(likelihood.sum(), emissions)
    decoded = [[LABELS.names[tag] for tag in row] for row in field.viterbi(emissions, mask)]

    for names in permutations(LABELS.names):
        order = LABELS.ids(names)
        permuted = LinearChainCRF(LabelSet(names), tagging="iob2").double()
        with torch.no_grad():
            permuted.start.copy_(field.start[order])
            permuted.transitions.copy_(field.transitions[order][:, order])
            permuted.end.copy_(field.end[order])
        new_emissions = emissions.detach()[..., order].requires_grad_()
        new_tags = torch.tensor(LabelSet(names).ids(LABELS.names))[tags]

        new_likelihood = permuted.log_likelihood(new_emissions, new_tags, mask)

        (new_gradient,) = torch.autograd.grad(new_likelihood.sum(), new_emissions)
        torch.testing.assert_close(new_likelihood, likelihood)
        torch.testing.assert_close(new_gradient, gradient[..., order])
        assert [[names[tag] for tag in row] for row in permuted.viterbi(new_emissions, mask)] == decoded


def test_the_field_is_trained_with_the_network_and_saved_without_its_constraints() -> None:
    loss = build_loss("crf", LABELS, None, tagging="iob2")

    assert isinstance(loss, torch.nn.Module)
    assert set(loss.state_dict()) == {"field.start", "field.transitions", "field.end"}
    cost = loss(torch.zeros(1, 2, 3), torch.tensor([[1, 2]]))
    assert all(gradient.any() for gradient in torch.autograd.grad(cost, list(loss.parameters())))


def test_weights_are_refused_with_a_reason_unless_they_are_those_of_none() -> None:
    assert isinstance(build_loss("crf", LABELS, {"O": 1.0, "B-X": 1.0, "I-X": 1.0}), CrfLoss)
    with pytest.raises(BadSetting, match="scores whole sequences") as caught:
        build_loss("crf", LABELS, {"O": 0.2, "B-X": 0.4, "I-X": 0.4})

    assert "'cross-entropy'" in caught.value.remedy


def test_the_loss_says_what_it_is() -> None:
    for heading in ("What it computes:", "Expected inputs:", "When to prefer it:", "Source:"):
        assert heading in (CrfLoss.__doc__ or "")
