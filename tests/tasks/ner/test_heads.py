"""Heads by name: a batch teaches the encoder and its own head, and heads outlive the training that made them."""

from pathlib import Path
from typing import Any

import pytest
import torch
from safetensors.torch import load_file
from torch import Tensor, nn
from transformers import PretrainedConfig

from linnet.errors import BadFile, BadSetting
from linnet.labels.label_set import LabelSet
from linnet.losses.crf import LinearChainCRF
from linnet.models.encoders import find_encoder
from linnet.models.named_heads import Heads, heads_of
from linnet.models.torch_engine import open_engine
from linnet.tasks.ner.evaluation import evaluate
from linnet.tasks.ner.heads import build_heads, kept_heads, take_kept_heads, untaken_heads, with_one_head, write_heads
from linnet.tasks.ner.plan import build_model
from linnet.tasks.ner.prepared import PreparedTraining, prepare
from linnet.training.job import to_tensors
from linnet.training.network import NetworkWithLosses
from tests import tiny
from tests.tasks.ner import several

TAGS = {"target": ("O", "B-X", "I-X"), "other": ("O", "B-Y", "I-Y", "B-Z", "I-Z")}


def network_with_heads(kind: str = "linear", *, target: str = "target", architecture: str = "BertModel") -> Any:
    """Return as much of a network as heads need."""
    torch.manual_seed(1)
    network: Any = nn.Module()
    network.config = PretrainedConfig(architectures=[architecture])
    network.name_or_path = "nowhere"
    network.classifier = nn.Linear(4, len(TAGS[target]))
    build_heads(network, {name: len(tags) for name, tags in TAGS.items()}, target=target, kind=kind)
    return network


def states(network: Any) -> dict[str, dict[str, Tensor]]:
    heads = heads_of(network)
    return {name: {key: each.clone() for key, each in heads[name].state_dict().items()} for name in heads.names}


def test_the_targets_head_is_the_classifier_that_was_there() -> None:
    torch.manual_seed(1)
    plain = nn.Linear(4, 3)

    network = network_with_heads()

    assert torch.equal(states(network)["target"]["weight"], plain.weight)


@pytest.mark.parametrize(("architecture", "is_taken"), [("BertModel", True), ("BertForTokenClassification", False)])
def test_a_fresh_classifier_is_the_last_of_two_layers_but_not_one_that_learned_alone(
    architecture: str, is_taken: bool
) -> None:
    torch.manual_seed(1)
    plain = nn.Linear(4, 3)

    network = network_with_heads("two-layer", architecture=architecture)

    assert torch.equal(states(network)["target"]["2.weight"], plain.weight) == is_taken


def test_a_two_layer_head_over_a_model_with_a_linear_one_begins_anew(tmp_path: Path) -> None:
    first = tiny.train(tmp_path / "first", epochs=0)
    found = prepare(tiny.settings(tmp_path / "again", head="two-layer", encoder=str(first.folder)))

    heads = heads_of(build_model(found).network)

    learned = load_file(first.folder / "model.safetensors")["classifier.weight"]
    assert not torch.equal(heads[heads.target].state_dict()["2.weight"], learned)


def test_what_is_evaluated_is_the_targets() -> None:
    heads = heads_of(network_with_heads())
    heads.use("other")
    hidden = torch.ones(2, 7, 4)

    assert heads.train()(hidden).shape == (2, 7, 5)
    assert heads.eval()(hidden).shape == (2, 7, 3)


def test_a_head_that_is_not_there_is_refused_by_name() -> None:
    with pytest.raises(BadSetting, match="no head 'third'") as refused:
        heads_of(network_with_heads()).use("third")
    assert "target, other" in refused.value.remedy


def test_a_head_may_have_any_name() -> None:
    heads = Heads({"a.b c/ü": nn.Linear(2, 3), "weight": nn.Linear(2, 4)}, "weight")

    heads.use("a.b c/ü")

    assert heads(torch.ones(1, 2)).shape == (1, 3)


def prepared(folder: Path, **given: Any) -> PreparedTraining:
    return prepare(tiny.settings(folder, **several.joint(**given)))


def touched(model: NetworkWithLosses, found: PreparedTraining, number: int) -> set[str]:
    """Return the parameters that a batch of the corpus of this number moves."""
    examples = found.corpora[number].examples[:8]
    batch = to_tensors(examples, found.word_encoder.pad_id)
    model.zero_grad()
    model(**batch, share=1 / model.mass(batch["labels"], batch["corpus"])).backward()
    return {name for name, each in model.named_parameters() if each.grad is not None and bool(each.grad.any())}


@pytest.mark.parametrize("given", [{}, {"head": "two-layer"}, {"loss": {"name": "crf"}}, {"lora": {"rank": 2}}])
def test_the_gradient_of_a_batch_touches_the_encoder_and_only_its_own_head(
    tmp_path: Path, given: dict[str, Any]
) -> None:
    found = prepared(tmp_path, **given)
    model = build_model(found).train()

    moved = [touched(model, found, number) for number in (0, 1)]

    for number, names in enumerate(moved):
        heads = {name.split("heads.")[1].split(".")[0] for name in names if "heads." in name}
        losses = {name.split(".")[1] for name in names if name.startswith("losses.")}
        assert heads == {str(number)}
        assert losses <= {str(number)}
        assert any("encoder.layer.0" in name for name in names)
        assert any("encoder.layer.1" in name for name in names)


def test_corpora_of_one_head_share_it_and_what_a_crf_learns(tmp_path: Path) -> None:
    corpora = [{**each, "head": "one"} for each in several.members(map={"Chemical": "Disease"})]

    found = prepared(tmp_path, corpora=corpora, loss={"name": "crf"})
    model = build_model(found)

    assert len(heads_of(model.network).names) == 1
    assert model.corpora["diseases"].loss is model.corpora["chemicals"].loss


def test_the_weight_of_a_corpus_is_a_factor_on_its_loss(tmp_path: Path) -> None:
    def cost(weight: float) -> float:
        found = prepared(tmp_path, corpora=several.members(weight=weight), scheme="welt")
        torch.manual_seed(1)
        model = build_model(found).eval()
        heads_of(model.network).target = "chemicals"  # of which eval mode gives the scores
        batch = to_tensors(found.corpora[1].examples[:8], found.word_encoder.pad_id)
        return float(model(**batch, share=1 / model.mass(batch["labels"], "chemicals")).detach())

    assert cost(3.0) == pytest.approx(3 * cost(1.0), rel=1e-6)


def test_a_batch_of_two_corpora_is_refused(tmp_path: Path) -> None:
    found = prepared(tmp_path)

    with pytest.raises(ValueError, match="examples of chemicals, diseases"):
        to_tensors([corpus.examples[0] for corpus in found.corpora], 0)


@pytest.mark.parametrize("kind", ["linear", "two-layer"])
def test_kept_heads_are_taken_by_name_where_tags_and_kind_agree(tmp_path: Path, kind: str) -> None:
    old = network_with_heads(kind)
    with torch.no_grad():
        for parameter in old.classifier.parameters():
            parameter.add_(1.0)
    write_heads(tmp_path, {name: heads_of(old)[name] for name in TAGS}, TAGS)
    new = network_with_heads(kind, target="other")  # the roles may change

    taken = take_kept_heads(new, str(tmp_path), TAGS)

    assert taken == ["target", "other"]
    for name, state in states(old).items():
        torch.testing.assert_close(states(new)[name], state)
    assert kept_heads(str(tmp_path)) == {name: list(tags) for name, tags in TAGS.items()}


def test_heads_of_other_tags_names_or_kinds_are_not_taken(tmp_path: Path) -> None:
    write_heads(tmp_path, {name: heads_of(network_with_heads())[name] for name in TAGS}, TAGS)

    assert take_kept_heads(network_with_heads("two-layer"), str(tmp_path), TAGS) == []
    assert take_kept_heads(network_with_heads(), str(tmp_path), {**TAGS, "other": TAGS["other"][::-1]}) == ["target"]
    assert take_kept_heads(network_with_heads(), str(tmp_path / "nowhere"), TAGS) == []


def field_of(name: str, value: float = 0.0) -> LinearChainCRF:
    field = LinearChainCRF(LabelSet(TAGS[name]))
    with torch.no_grad():
        for parameter in field.parameters():
            parameter.add_(value)
    return field


def test_what_a_crf_has_learned_is_kept_with_its_head(tmp_path: Path) -> None:
    heads = {name: heads_of(network_with_heads())[name] for name in TAGS}
    write_heads(tmp_path, heads, TAGS, {name: field_of(name, number) for number, name in enumerate(TAGS, 1)})
    fields = {name: field_of(name) for name in TAGS}

    taken = take_kept_heads(network_with_heads(), str(tmp_path), TAGS, fields)

    assert taken == ["target", "other"]
    assert kept_heads(str(tmp_path)) == {name: list(tags) for name, tags in TAGS.items()}
    for number, name in enumerate(TAGS, 1):
        assert all(bool((each == number).all()) for each in fields[name].state_dict().values())


def test_heads_with_and_without_a_crf_begin_with_what_was_kept(tmp_path: Path) -> None:
    heads = {name: heads_of(network_with_heads())[name] for name in TAGS}
    with_field, without = tmp_path / "with", tmp_path / "without"  # the second as earlier versions wrote it
    for folder, fields in ((with_field, {"other": field_of("other", 1.0)}), (without, {})):
        folder.mkdir()
        write_heads(folder, heads, TAGS, fields)
    field = field_of("other")

    assert take_kept_heads(network_with_heads(), str(with_field), TAGS) == ["target", "other"]
    assert take_kept_heads(network_with_heads(), str(without), TAGS, {"other": field}) == ["target", "other"]
    assert not any(bool(each.any()) for each in field.state_dict().values())


def test_every_kept_head_that_is_not_taken_is_told_with_the_reason(tmp_path: Path) -> None:
    folder = tiny.write_encoder(tmp_path / "encoder")
    write_heads(folder, {name: heads_of(network_with_heads())[name] for name in TAGS}, TAGS)
    encoder = find_encoder(str(folder))

    def told(tags: dict[str, tuple[str, ...]], kind: str = "linear") -> list[str]:
        return [each.replace(str(folder), "E") for each in untaken_heads(encoder, tags, kind)]

    assert told(TAGS) == []
    assert told({**TAGS, "other": TAGS["other"][::-1]}) == ["the head 'other' began anew: that of E has other tags"]
    assert told(TAGS, "two-layer") == [
        f"the head {name!r} began anew: that of E is linear, not two-layer" for name in TAGS
    ]
    [unused] = told({"target": TAGS["target"], "third": TAGS["other"]})
    assert unused.startswith("the head 'other' of E was not used: the heads of this training are target, third;")
    assert "--data other=FOLDER" in unused


def test_a_training_goes_on_with_what_its_crf_has_learned(tmp_path: Path) -> None:
    given = several.joint(loss={"name": "crf"}, keep_heads=True)
    first = tiny.train(tmp_path / "first", **given, epochs=1, learning_rate=0.02)

    again = tiny.train(tmp_path / "again", **given, epochs=0, encoder=str(first.folder))

    before, after = (load_file(run.folder / "heads.safetensors") for run in (first, again))
    fields = [key for key in before if ".crf." in key]
    assert len(fields) == 6  # start, transitions and end of two heads
    for key in fields:
        assert bool(before[key].any())
        assert torch.equal(before[key], after[key])
    assert torch.equal(load_file(again.folder / "crf.safetensors")["transitions"], before["0.crf.transitions"])


def test_a_run_says_which_kept_heads_it_did_not_take(tmp_path: Path) -> None:
    first = tiny.train(tmp_path / "first", **several.joint(keep_heads=True, epochs=0))
    target, _ = several.members()
    given: dict[str, Any] = {"data": None, "corpora": [target], "head": "two-layer", "encoder": str(first.folder)}

    again = tiny.train(tmp_path / "again", epochs=0, **given)

    kind, name = again.metrics["warnings"]
    assert kind == f"the head 'diseases' began anew: that of {first.folder} is linear, not two-layer"
    assert name.startswith(f"the head 'chemicals' of {first.folder} was not used: the heads of this training are dis")


def test_a_file_that_holds_no_heads_is_refused(tmp_path: Path) -> None:
    (tmp_path / "heads.safetensors").write_bytes(b"nothing of the kind")

    with pytest.raises(BadFile, match="holds no heads"):
        kept_heads(str(tmp_path))


def test_one_head_makes_an_ordinary_network() -> None:
    network = network_with_heads()

    heads = with_one_head(network)

    assert isinstance(network.classifier, nn.Linear)
    assert network.classifier is heads["target"]
    assert set(heads) == {"target", "other"}


@pytest.mark.parametrize("family", tiny.FAMILIES)
def test_a_two_layer_head_is_opened_as_it_was_saved(tmp_path: Path, family: str) -> None:
    run = tiny.train(tmp_path / "run", epochs=0, head="two-layer", encoder=str(tiny.encoder(family)))

    network: Any = open_engine(run.folder).network
    saved = load_file(run.folder / "model.safetensors")
    assert run.facts.head == "two-layer"
    assert [type(each) for each in network.classifier] == [nn.Linear, nn.ReLU, nn.Linear]
    for name, tensor in network.classifier.state_dict().items():
        assert torch.equal(tensor, saved[f"classifier.{name}"])
    assert "opens with Linnet only" in (run.folder / "README.md").read_text(encoding="utf-8")


def test_a_two_layer_model_predicts_what_was_scored_and_can_be_trained_on(tmp_path: Path) -> None:
    first = tiny.train(tmp_path / "first", epochs=1, head="two-layer", learning_rate=0.02)
    again = tiny.train(tmp_path / "again", epochs=0, head="two-layer", encoder=str(first.folder))

    assert again.metrics["strict"] == first.metrics["strict"]
    assert evaluate(first.folder, tiny.corpus()).scores.as_dict()["strict"] == first.metrics["strict"]


def test_a_model_goes_on_with_its_head_only_where_the_tags_are_the_same(tmp_path: Path) -> None:
    first = tiny.train(tmp_path / "first", epochs=1, data=str(several.diseases()), learning_rate=0.02)
    other = tmp_path / "other"
    other.mkdir()
    for split in ("train", "devel"):
        text = (several.diseases() / f"{split}.tsv").read_text(encoding="utf-8").replace("Disease", "Gene")
        (other / f"{split}.tsv").write_text(text, encoding="utf-8")

    same = tiny.train(tmp_path / "same", epochs=0, data=str(several.diseases()), encoder=str(first.folder))
    changed = tiny.train(tmp_path / "changed", epochs=0, data=str(other), encoder=str(first.folder))

    heads = [load_file(run.folder / "model.safetensors")["classifier.weight"] for run in (first, same, changed)]
    assert torch.equal(heads[0], heads[1])
    assert not torch.equal(heads[0], heads[2])  # as many tags, but others
