import json
import shutil
from pathlib import Path

import pytest
import torch
from safetensors.torch import load_file, save_file
from torch import nn
from transformers import pipeline
from typer.testing import CliRunner

from linnet.annotation.annotate import annotate_path
from linnet.cli.main import app
from linnet.errors import BadFile, BadSetting
from linnet.models.heads import merge_gerbera_heads
from linnet.models.loading import load
from linnet.models.published.opening import model_folder
from linnet.tasks.ner.evaluation import evaluate
from linnet.tasks.ner.predictor import Predictor
from linnet.tasks.ner.predictor import load as load_tagger
from tests import tiny
from tests.models.published.look_alikes import as_torch_file, drop, set_config, tagger

TEXT = "ataxia was treated with aspirin ."
TAGS = ("O", "B-Chemical", "I-Chemical", "B-Disease", "I-Disease")


def mentions(predictor: object, text: str = TEXT) -> list[tuple[int, int, str]]:
    assert isinstance(predictor, Predictor)
    return [(span.start, span.end, span.label) for span in predictor.annotate_one(text).spans]


def trained_tags() -> tuple[str, ...]:
    names = json.loads((tiny.trained() / "config.json").read_text(encoding="utf-8"))["id2label"]
    return tuple(names[str(number)] for number in range(len(names)))


def labels_file(folder: Path, *tags: str) -> Path:
    path = folder / "labels.txt"
    path.write_text("".join(f"{tag}\n" for tag in tags), encoding="utf-8")
    return path


def one_label(folder: Path, *names: str) -> Path:
    """Write a tagger for diseases only, whose three outputs have these names."""
    made = tagger(folder, *names)
    weights = load_file(made / "model.safetensors")
    order = [trained_tags().index(tag) for tag in ("O", "B-Disease", "I-Disease")]
    for part in ("weight", "bias"):
        weights[f"classifier.{part}"] = weights[f"classifier.{part}"][order].contiguous()
    save_file(weights, made / "model.safetensors", metadata={"format": "pt"})
    return made


def test_a_published_tagger_in_torchs_own_format_finds_what_the_original_finds(tmp_path: Path) -> None:
    folder = as_torch_file(tagger(tmp_path / "tagger"))

    assert mentions(load(str(folder), decoding="valid")) == mentions(load(tiny.trained())) != []


def test_a_tagger_without_tokenizer_json_is_opened(tmp_path: Path) -> None:
    folder = tagger(tmp_path / "tagger")
    vocab = json.loads((folder / "tokenizer.json").read_text(encoding="utf-8"))["model"]["vocab"]
    (folder / "vocab.txt").write_text("".join(f"{piece}\n" for piece in sorted(vocab, key=vocab.__getitem__)))
    drop(folder, "tokenizer.json", "tokenizer_config.json", "special_tokens_map.json")

    assert mentions(load(folder, decoding="valid")) == mentions(load(tiny.trained()))


def test_outputs_without_names_take_them_from_a_labels_file(tmp_path: Path) -> None:
    folder = tagger(tmp_path / "tagger", *(f"LABEL_{number}" for number in range(5)))
    labels = labels_file(tmp_path, *trained_tags())

    assert mentions(load(folder, labels=labels, decoding="valid")) == mentions(load(tiny.trained()))


def test_outputs_without_names_are_refused_without_a_labels_file(tmp_path: Path) -> None:
    folder = tagger(tmp_path / "tagger", *(f"LABEL_{number}" for number in range(5)))

    with pytest.raises(BadFile, match="outputs have no names") as refused:
        load(folder)

    assert "--labels" in refused.value.remedy


@pytest.mark.parametrize(("tags", "number"), [(("O", "B-Disease"), 2), (("B", "I", "O", "E", "S", "U"), 6)])
def test_a_labels_file_of_another_size_is_refused(tmp_path: Path, tags: tuple[str, ...], number: int) -> None:
    folder = tagger(tmp_path / "tagger")

    with pytest.raises(BadSetting, match=rf"names {number} labels .* has 5 outputs"):
        load(folder, labels=labels_file(tmp_path, *tags))


def test_a_labels_file_names_o_first_where_it_leaves_it_out(tmp_path: Path) -> None:
    folder = one_label(tmp_path / "tagger", "LABEL_0", "LABEL_1", "LABEL_2")

    found = load_tagger(folder, labels=labels_file(tmp_path, "B-Disease", "I-Disease"))

    assert found.label_set.names == ("O", "B-Disease", "I-Disease")


def test_bare_tags_mark_the_label_that_is_named(tmp_path: Path) -> None:
    folder = one_label(tmp_path / "tagger", "O", "B", "I")

    assert {label for _, _, label in mentions(load(folder, label="Disease"))} == {"Disease"}


def test_bare_tags_without_a_label_are_refused(tmp_path: Path) -> None:
    folder = one_label(tmp_path / "tagger", "O", "B", "I")

    with pytest.raises(BadFile, match="do not say which entity type") as refused:
        load(folder)

    assert "--label" in refused.value.remedy


def test_bare_tags_mean_the_only_label_of_the_corpus_they_are_scored_on(tmp_path: Path) -> None:
    folder = one_label(tmp_path / "tagger", "O", "B", "I")
    corpus = tmp_path / "diseases"
    corpus.mkdir()
    rows = [[(word, tag if tag.endswith("Disease") else "O") for word, tag in row] for row in tiny.sentences(8, seed=2)]
    (corpus / "test.tsv").write_text(tiny.conll(rows), encoding="utf-8")

    found = evaluate(folder, corpus)

    assert found.scores.matching("strict").labels.keys() == {"Disease"}
    assert found.scores.matching("strict").micro.f1 > 0.5


def test_a_model_of_ours_takes_no_labels_file(tmp_path: Path) -> None:
    with pytest.raises(BadSetting, match="names its own labels"):
        model_folder(tiny.trained(), labels=labels_file(tmp_path, "O"))


def test_a_label_that_a_model_does_not_need_is_refused(tmp_path: Path) -> None:
    ours, others = tiny.trained(), tagger(tmp_path / "tagger")

    for model in (ours, others):
        with pytest.raises(BadSetting, match=f"{model}: this model names its own labels") as refused:
            load(model, label="Disease")
        assert refused.value.remedy.startswith("leave `--label` out; ")
        assert "--keep-labels Disease`" in refused.value.remedy
    assert model_folder(ours, label="Disease", may_be_of_corpus=True) == ours


def test_evaluating_and_annotating_treat_a_label_as_they_need_it(tmp_path: Path) -> None:
    (tmp_path / "in.txt").write_text(TEXT, encoding="utf-8")

    found = evaluate(tiny.trained(), tiny.corpus(), label="Disease")  # may be of bare tags in the corpus
    with pytest.raises(BadSetting, match="names its own labels"):
        annotate_path(tmp_path / "in.txt", model=tiny.trained(), output=tmp_path / "out.jsonl", label="Disease")

    assert found.scores.matching("strict").micro.gold > 0
    assert [each.name for each in tmp_path.iterdir()] == ["in.txt"]


def test_a_model_that_is_not_there_is_refused(tmp_path: Path) -> None:
    with pytest.raises(BadFile, match="there is no such model folder") as refused:
        model_folder(tmp_path / "nowhere")
    assert "`bio`, the embedded model" in refused.value.remedy


def test_a_model_that_is_not_there_is_refused_with_those_that_are(tmp_path: Path) -> None:
    shutil.copytree(tiny.trained(), tmp_path / "first")

    with pytest.raises(BadFile, match=r"there is no such model folder; .* has first") as refused:
        model_folder(tmp_path / "frist")

    assert "give one of these" in refused.value.remedy
    assert "hub" not in str(refused.value)


def gerbera(folder: Path) -> tuple[Path, dict[str, torch.Tensor]]:
    """Write a model as GERBERA publishes it: two heads of two layers, and a plain one that nobody trained."""
    made = tagger(folder, "B", "I", "O", architectures=["BERTMultiNER2"])
    weights = load_file(made / "model.safetensors")
    draw = torch.Generator().manual_seed(3)
    width = weights["classifier.weight"].shape[1]
    for name, rows in {"bio": 3, "gener": 3}.items():
        weights[f"{name}_classifier_2.weight"] = torch.randn(width, width, generator=draw)
        weights[f"{name}_classifier_2.bias"] = torch.randn(width, generator=draw)
        weights[f"{name}_classifier.weight"] = torch.randn(rows, width, generator=draw)
        weights[f"{name}_classifier.bias"] = torch.randn(rows, generator=draw)
    weights["classifier.weight"], weights["classifier.bias"] = torch.randn(3, width), torch.zeros(3)
    save_file(weights, made / "model.safetensors", metadata={"format": "pt"})
    as_torch_file(made)
    return made, weights


def test_gerberas_heads_give_the_scores_of_its_own_evaluation(tmp_path: Path) -> None:
    _, weights = gerbera(tmp_path / "gerbera")
    hidden = torch.randn(4, weights["bio_classifier.weight"].shape[1])

    def head(name: str, given: torch.Tensor) -> torch.Tensor:
        inner = nn.functional.linear(
            given, weights[f"{name}_classifier_2.weight"], weights[f"{name}_classifier_2.bias"]
        )
        return nn.functional.linear(
            inner.relu(), weights[f"{name}_classifier.weight"], weights[f"{name}_classifier.bias"]
        )

    merged = merge_gerbera_heads(weights)
    inner = nn.functional.linear(hidden, merged["classifier.0.weight"], merged["classifier.0.bias"]).relu()
    found = nn.functional.linear(inner, merged["classifier.2.weight"], merged["classifier.2.bias"])

    # its forward pass adds both heads, and hands zeros to the general one (modeling.py, else branch)
    torch.testing.assert_close(found, head("bio", hidden) + head("gener", torch.zeros_like(hidden)))
    assert "classifier.weight" not in merged


def test_gerberas_published_model_annotates_with_its_own_head(tmp_path: Path) -> None:
    folder, weights = gerbera(tmp_path / "gerbera")

    found = load_tagger(folder, label="Disease")

    assert found.label_set.names == ("B-Disease", "I-Disease", "O")
    head = found.engine.network.classifier  # type: ignore[attr-defined]
    assert torch.equal(head[0].weight, weights["bio_classifier_2.weight"])


@pytest.mark.parametrize("name", ["bilstm.weight_ih_l0", "ner_head.weight", "my_decoder.bias"])
def test_a_head_that_nobody_knows_is_refused_by_name(tmp_path: Path, name: str) -> None:
    folder = tagger(tmp_path / "tagger")
    weights = load_file(folder / "model.safetensors")
    weights[name] = torch.zeros(4, 4)
    save_file(weights, folder / "model.safetensors", metadata={"format": "pt"})

    with pytest.raises(BadFile, match=f"a head that Linnet does not know.*{name}"):
        load(folder)


def test_a_two_layer_model_does_not_open_in_transformers_with_a_random_head(tmp_path: Path) -> None:
    run = tiny.train(tmp_path / "run", epochs=1, head="two-layer")

    with pytest.raises((ValueError, KeyError), match="linnet-two-layer-tagger"):
        pipeline("token-classification", model=str(run.folder))
    assert load_tagger(run.folder).facts is not None
    assert "library_name: linnet" in (run.folder / "README.md").read_text(encoding="utf-8")


def test_a_two_layer_model_that_was_saved_as_an_ordinary_one_still_opens(tmp_path: Path) -> None:
    run = tiny.train(tmp_path / "run", epochs=1, head="two-layer")
    expected = mentions(load(run.folder))
    set_config(run.folder, model_type="bert", encoder_model_type=None, architectures=["BertForTokenClassification"])

    assert mentions(load(run.folder)) == expected


def test_annotating_says_what_was_done_to_open_a_model_of_others(tmp_path: Path) -> None:
    folder = as_torch_file(tagger(tmp_path / "tagger"))
    (tmp_path / "in.txt").write_text(TEXT, encoding="utf-8")

    done = annotate_path(tmp_path / "in.txt", model=folder, output=tmp_path / "out.jsonl")

    assert any(note.startswith("model: pytorch_model.bin was read") for note in done.notes)


def test_the_commands_take_labels(tmp_path: Path) -> None:
    folder = as_torch_file(tagger(tmp_path / "tagger", *(f"LABEL_{number}" for number in range(5))))
    labels = labels_file(tmp_path, *trained_tags())
    (tmp_path / "in.txt").write_text(TEXT, encoding="utf-8")
    runner = CliRunner()

    annotated = runner.invoke(
        app,
        ["annotate", str(tmp_path / "in.txt"), "--model", str(folder), "--labels", str(labels), "--output",
         str(tmp_path / "out.jsonl")],
    )  # fmt: skip
    scored = runner.invoke(app, ["evaluate", str(folder), str(tiny.corpus()), "--labels", str(labels), "--json"])

    assert (annotated.exit_code, scored.exit_code) == (0, 0), (annotated.output, scored.output)
    spans = json.loads((tmp_path / "out.jsonl").read_text(encoding="utf-8"))["spans"]
    assert {span["label"] for span in spans} <= {"Disease", "Chemical"}
    assert json.loads(scored.stdout)["mentions"] > 0
