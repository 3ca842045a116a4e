"""Networks about texts: saved and opened with the same numbers, by us and in the ordinary way of transformers."""

from pathlib import Path
from typing import Any

import pytest
import torch
from safetensors.torch import load_file
from torch import Tensor
from transformers import AutoModelForSequenceClassification

from linnet.batches.text_windows import TextEncoder, collate_texts
from linnet.errors import BadFile
from linnet.models.encoders import find_encoder, label_names, quietly
from linnet.tasks.texts.kinds import CLASSIFICATION, MULTI_LABEL, REGRESSION, SPANS
from linnet.tasks.texts.networks.engines import tensors
from linnet.tasks.texts.networks.network import (
    HEAD,
    TextNetwork,
    fresh_text_network,
    model_class,
    open_text_network,
    untaken_head,
)
from linnet.tasks.texts.networks.network import save_text_network as save
from linnet.tasks.texts.networks.shape import Shape
from tests import tiny

NAMES = ("no", "perhaps", "yes")
SHAPES = (
    Shape(CLASSIFICATION),
    Shape(CLASSIFICATION, "mean"),
    Shape(CLASSIFICATION, "markers", "max"),
    Shape(MULTI_LABEL),
    Shape(MULTI_LABEL, "mean", "max"),
    Shape(REGRESSION),
    Shape(REGRESSION, "mean"),
    Shape(REGRESSION, "mean", method="bi"),
    Shape(SPANS),
)
SOME = (Shape(CLASSIFICATION), Shape(MULTI_LABEL, "mean", "max"), Shape(CLASSIFICATION, "markers", "max"), Shape(SPANS))
CASES = [
    pytest.param(family, shape, id=f"{family}-{shape.kind}-{shape.pooling}-{shape.method}")
    for family in tiny.FAMILIES
    for shape in (SHAPES if family == "bert" else SOME)  # every family has every class, and one has every shape
]
LONG = "colorectal cancer was treated with folic acid in mice . no cause of ataxia is known"
PAIRS = (("we gave aspirin", "in mice ."), ("no cause", LONG), ("cystic fibrosis was treated", "we"))
Inputs = dict[str, Tensor]


def names(shape: Shape) -> tuple[str, ...]:
    return () if shape.kind is SPANS else ("score",) if shape.kind is REGRESSION else NAMES


def network(shape: Shape, family: str = "bert") -> TextNetwork:
    torch.manual_seed(5)
    return fresh_text_network(find_encoder(str(tiny.encoder(family))), shape, names(shape)).eval()


def inputs(family: str = "bert", max_length: int = 90, *, sides: bool = False) -> Inputs:
    """Return the windows of the pairs as the network reads them; each text by itself where sides are asked for."""
    encoder = TextEncoder(find_encoder(str(tiny.encoder(family))).backend, max_length=max_length)
    texts: list[tuple[str, str | None]] = [*PAIRS]
    if sides:
        texts = [(text, None) for pair in PAIRS for text in pair]
    read = encoder.encode(texts, [[0, 3]] * len(texts))
    windows = [window for each in read for window in each]
    owners = [number // 2 if sides else number for number, each in enumerate(read) for _ in each]
    told = [number % 2 if sides else 0 for number, each in enumerate(read) for _ in each]
    found = tensors(collate_texts(windows, encoder.pad_id))
    return found | {"owners": torch.tensor(owners), "sides": torch.tensor(told)}


def scores(network: TextNetwork, given: Inputs) -> Tensor:
    with torch.inference_mode():
        found: Tensor = network(**given).logits
    return found


def windows_of(given: Inputs) -> Inputs:
    return {name: given[name] for name in ("input_ids", "attention_mask", "token_type_ids", "marks")}


def changed(given: Inputs, **values: Any) -> Inputs:
    return {**given, **values}


@pytest.mark.parametrize("family", ["bert", "modernbert", "mpnet"])
def test_a_head_of_ours_has_the_dropout_that_is_set_or_else_that_of_the_encoder(family: str) -> None:
    encoder, shape = find_encoder(str(tiny.encoder(family))), Shape(CLASSIFICATION, "mean")

    built = [fresh_text_network(encoder, shape, NAMES, dropout=share) for share in (0.37, 0.0, None)]

    assert [each.dropout.p for each in built] == [0.37, 0.0, 0.1]


@pytest.mark.parametrize(("family", "shape"), CASES)
def test_a_saved_network_says_the_same_to_us_and_to_transformers(family: str, shape: Shape, tmp_path: Path) -> None:
    one, given = network(shape, family), inputs(family, sides=shape.method == "bi")
    before = scores(one, given)

    with quietly():
        save(one, tmp_path)
    again = open_text_network(tmp_path, shape, names(shape))
    with quietly():
        plain = model_class(shape).from_pretrained(tmp_path).eval()

    assert all(torch.equal(tensor, again.state_dict()[name]) for name, tensor in one.state_dict().items())
    torch.testing.assert_close(scores(again, given), before, rtol=1e-5, atol=1e-7)  # another place in memory rounds so
    assert type(plain) is type(one.inner)
    assert plain.config.num_labels == len(names(shape)) or shape.kind is SPANS
    read = {name: given[name] for name in ("input_ids", "attention_mask")}
    if getattr(plain.config, "type_vocab_size", 0) > 1:
        read["token_type_ids"] = given["token_type_ids"]
    with torch.inference_mode():
        output, own = plain(**read), one.read(**windows_of(given))
    if shape.kind is SPANS:
        kept = given["attention_mask"].bool()
        torch.testing.assert_close(output.start_logits[kept], own[:, 0][kept], rtol=1e-5, atol=1e-7)
        torch.testing.assert_close(output.end_logits[kept], own[:, 1][kept], rtol=1e-5, atol=1e-7)
    elif model_class(shape) is AutoModelForSequenceClassification:
        torch.testing.assert_close(output.logits, own, rtol=1e-5, atol=1e-7)
    else:
        assert (tmp_path / HEAD).exists() == (shape.method == "cross")


@pytest.mark.parametrize("shape", SHAPES, ids=str)
def test_scores_have_the_shape_that_their_loss_wants(shape: Shape) -> None:
    given = inputs(sides=shape.method == "bi")

    found = scores(network(shape), given)

    wanted = {"classes": (3, 1, 3), "labels": (3, 3, 2), "number": (3, 1, 1)}
    assert found.shape == wanted.get(shape.kind.name, (3, 2, given["input_ids"].shape[1]))


@pytest.mark.parametrize(("family", "shape"), CASES)
def test_padding_does_not_change_scores(family: str, shape: Shape) -> None:
    one, given = network(shape, family), inputs(family, sides=shape.method == "bi")
    padded = {
        name: torch.nn.functional.pad(each, (0, 7), value=one.config.pad_token_id if name == "input_ids" else 0)
        for name, each in given.items()
        if name in ("input_ids", "attention_mask", "token_type_ids")
    }

    alone, wide = scores(one, given), scores(one, changed(given, **padded))

    if shape.kind is SPANS:
        assert (wide[:, :, alone.shape[2] :] < -1e30).all()
        wide = wide[:, :, : alone.shape[2]]
    torch.testing.assert_close(wide, alone, rtol=1e-4, atol=1e-5)


@pytest.mark.parametrize("windows", ["mean", "max"])
def test_the_windows_of_a_text_are_joined_as_the_recipe_says(windows: Any) -> None:
    one, given = network(Shape(CLASSIFICATION, "mean", windows)), inputs(max_length=30)
    assert len(set(given["owners"].tolist())) < len(given["owners"])

    joined = scores(one, given)

    with torch.inference_mode():
        single = one.read(**windows_of(given))
    for text in range(len(PAIRS)):
        own = single[given["owners"] == text]
        by_hand = own.mean(dim=0) if windows == "mean" else own.max(dim=0).values
        torch.testing.assert_close(joined[text, 0], by_hand)


@pytest.mark.parametrize("max_length", [90, 30])
def test_the_order_of_windows_does_not_matter(max_length: int) -> None:
    one, given = network(Shape(MULTI_LABEL)), inputs(max_length=max_length)
    turned = {name: each.flip(0) for name, each in given.items()}

    torch.testing.assert_close(scores(one, turned), scores(one, given))


def test_texts_that_are_read_apart_are_compared_by_their_cosine() -> None:
    one, given = network(Shape(REGRESSION, "mean", method="bi")), inputs(max_length=30, sides=True)

    found = scores(one, given)

    with torch.inference_mode():
        single = one.read(**windows_of(given))
    for text in range(len(PAIRS)):
        first, second = (single[(given["owners"] == text) & (given["sides"] == side)].mean(dim=0) for side in (0, 1))
        torch.testing.assert_close(found[text, 0, 0], first @ second / (first.norm() * second.norm()))


def test_markers_stand_for_a_text() -> None:
    one, given = network(Shape(CLASSIFICATION, "markers")), inputs()
    assert one.head is not None

    found = scores(one, given)

    with torch.inference_mode():
        hidden = one.inner(**{name: given[name] for name in ("input_ids", "attention_mask", "token_type_ids")})
        rows = hidden.last_hidden_state
        marked = torch.stack(
            [torch.cat([row[place] for place in places]) for row, places in zip(rows, given["marks"], strict=True)]
        )
        torch.testing.assert_close(found[:, 0], one.head(marked))


@pytest.mark.parametrize("n_marks", [0, 1])
def test_a_marker_that_is_missing_is_the_first_token(n_marks: int) -> None:
    one, given = network(Shape(CLASSIFICATION, "markers")), inputs()
    marks = given["marks"][:, :n_marks]

    found = scores(one, changed(given, marks=marks))

    filled = torch.nn.functional.pad(marks, (0, 2 - n_marks))
    torch.testing.assert_close(found, scores(one, changed(given, marks=filled)))


def test_labels_are_answered_with_no_at_zero() -> None:
    found = scores(network(Shape(MULTI_LABEL)), inputs())

    assert (found[:, :, 0] == 0).all()
    assert not (found[:, :, 1] == 0).any()


def test_the_types_of_a_pair_are_read_where_the_family_knows_them() -> None:
    one, given = network(Shape(CLASSIFICATION)), inputs()
    without = changed(given, token_type_ids=torch.zeros_like(given["token_type_ids"]))

    assert not torch.equal(scores(one, given), scores(one, without))


@pytest.mark.parametrize(
    ("shape", "problem"),
    [
        (Shape(CLASSIFICATION), "single_label_classification"),
        (Shape(MULTI_LABEL), "multi_label_classification"),
        (Shape(REGRESSION), "regression"),
    ],
)
def test_a_pipeline_is_told_what_the_outputs_are(shape: Shape, problem: str, tmp_path: Path) -> None:
    with quietly():
        save(network(shape), tmp_path)
        found: Any = AutoModelForSequenceClassification.from_pretrained(tmp_path)

    assert found.config.problem_type == problem
    assert tuple(found.config.id2label.values()) == names(shape)


def test_the_same_seed_gives_the_same_fresh_head() -> None:
    shape = Shape(CLASSIFICATION, "mean")

    first, second = network(shape).state_dict(), network(shape).state_dict()

    assert all(torch.equal(first[name], second[name]) for name in first)


def saved(folder: Path, labels: tuple[str, ...], family: str = "bert", kind: Any = CLASSIFICATION) -> TextNetwork:
    """Save a network with these labels as a run would, with its tokenizer, and return it."""
    encoder = find_encoder(str(tiny.encoder(family)))
    torch.manual_seed(5)
    one = fresh_text_network(encoder, Shape(kind), labels).eval()
    with quietly():
        save(one, folder)
        encoder.tokenizer.save_pretrained(folder)
    return one


def last_layer(network: TextNetwork) -> torch.nn.Linear:
    return [each for each in network.inner.modules() if isinstance(each, torch.nn.Linear)][-1]


@pytest.mark.parametrize("family", tiny.FAMILIES)
@pytest.mark.parametrize("labels", [NAMES, ("yes", "no", "perhaps")])
def test_a_head_of_the_same_labels_is_kept_by_their_names(family: str, labels: tuple[str, ...], tmp_path: Path) -> None:
    one, given = saved(tmp_path, NAMES, family), inputs(family)
    encoder = find_encoder(str(tmp_path))

    found = fresh_text_network(encoder, Shape(CLASSIFICATION), labels).eval()

    assert tuple(found.config.id2label.values()) == labels
    before, after = scores(one, given), scores(found, given)
    torch.testing.assert_close(after, before[..., [NAMES.index(label) for label in labels]], rtol=1e-5, atol=1e-7)
    assert list(untaken_head(encoder, Shape(CLASSIFICATION), labels)) == []


@pytest.mark.parametrize("family", tiny.FAMILIES)
@pytest.mark.parametrize(
    ("kept", "labels"),
    [(("no", "yes"), ("absent", "present")), (("LABEL_0", "LABEL_1"), ("no", "yes")), (NAMES, ("no", "yes"))],
)
def test_a_head_of_other_labels_is_not_taken_over(
    family: str, kept: tuple[str, ...], labels: tuple[str, ...], tmp_path: Path
) -> None:
    one = saved(tmp_path, kept, family)
    encoder = find_encoder(str(tmp_path))

    found = fresh_text_network(encoder, Shape(CLASSIFICATION), labels)

    own, old = last_layer(found).weight, last_layer(one).weight
    assert all(not torch.equal(row, other) for row in own for other in old)
    assert own.shape[0] == len(labels)
    assert list(untaken_head(encoder, Shape(CLASSIFICATION), labels)) == [
        f"the head began anew: that of {tmp_path} has other labels"
    ]


def test_the_head_for_answers_is_kept(tmp_path: Path) -> None:
    one = saved(tmp_path, (), kind=SPANS)
    encoder = find_encoder(str(tmp_path))

    found = fresh_text_network(encoder, Shape(SPANS), ())

    assert torch.equal(last_layer(found).weight, last_layer(one).weight)
    assert list(untaken_head(encoder, Shape(SPANS), ())) == []


def test_a_head_that_tags_words_is_no_head_for_texts() -> None:
    tagger = find_encoder(str(tiny.trained()))
    tags = label_names(tagger)

    found = fresh_text_network(tagger, Shape(CLASSIFICATION), [f"{tag}?" for tag in tags])

    kept = load_file(tiny.trained() / "model.safetensors")["classifier.weight"]
    assert last_layer(found).weight.shape == kept.shape
    assert not torch.equal(last_layer(found).weight, kept)
    assert list(untaken_head(tagger, Shape(CLASSIFICATION), tags[:1])) == []


@pytest.mark.parametrize("file", ["model.safetensors", HEAD])
@pytest.mark.parametrize("content", [None, b"", b"broken"])
def test_a_folder_with_a_missing_or_broken_file_is_refused(tmp_path: Path, file: str, content: bytes | None) -> None:
    shape = Shape(CLASSIFICATION, "mean")
    with quietly():
        save(network(shape), tmp_path)
    (tmp_path / file).unlink()
    if content is not None:
        (tmp_path / file).write_bytes(content)

    with pytest.raises(BadFile, match="cannot be opened"):
        open_text_network(tmp_path, shape, NAMES)


def test_a_head_for_other_labels_is_refused(tmp_path: Path) -> None:
    shape = Shape(CLASSIFICATION, "mean")
    with quietly():
        save(network(shape), tmp_path)

    with pytest.raises(BadFile, match="cannot be opened"):
        open_text_network(tmp_path, shape, ("no", "yes"))


def test_weights_without_a_head_are_refused(tmp_path: Path) -> None:
    with quietly():
        save(network(Shape(CLASSIFICATION, "mean")), tmp_path)

    with pytest.raises(BadFile, match="lacks classifier"):
        open_text_network(tmp_path, Shape(CLASSIFICATION), NAMES)
