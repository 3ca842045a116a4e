"""TensorFlow 1 checkpoints become encoders that compute the same; what does not fit is refused with a list."""

import errno
import json
import sys
import warnings
from collections.abc import Callable, Mapping
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
import torch
from transformers import AlbertForPreTraining, AutoModel, AutoModelForMaskedLM, BertForPreTraining

from linnet.errors import BadFile, BadSetting, MissingExtra
from linnet.models.encoders import quietly
from linnet.pretraining.tensorflow.checkpoint import ImportedCheckpoint, import_checkpoint
from linnet.pretraining.tensorflow.names import find_targets
from tests import tiny
from tests.cli.running import run
from tests.pretraining.tensorflow import tf_reference
from tests.pretraining.tensorflow.tf_reference import ALBERT, BERT

PIECES = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", "gene", "##s", "cure", "cancer", "."]  # two fewer than rows
IDS = [2, 5, 6, 7, 8, 9, 3]
FAMILIES: dict[str, Any] = {
    "bert": (BERT, tf_reference.bert_shapes, tf_reference.bert_states, BertForPreTraining),
    "albert": (ALBERT, tf_reference.albert_shapes, tf_reference.albert_states, AlbertForPreTraining),
}
each_family = pytest.mark.parametrize("family", FAMILIES)


class FakeReader:
    """A checkpoint that stands in memory."""

    def __init__(self, arrays: Mapping[str, Any]) -> None:
        self.arrays = arrays

    def get_variable_to_shape_map(self) -> dict[str, list[int]]:
        return {name: list(array.shape) for name, array in self.arrays.items()}

    def get_tensor(self, name: str) -> Any:
        return self.arrays[name]


def write_folder(folder: Path, config: Mapping[str, Any], *checkpoints: str) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "bert_config.json").write_text(json.dumps(dict(config)), encoding="utf-8")
    (folder / "vocab.txt").write_text("\n".join(PIECES) + "\n", encoding="utf-8")
    for name in checkpoints or ("model.ckpt-10",):
        (folder / f"{name}.index").touch()
        (folder / f"{name}.data-00000-of-00001").touch()
    return folder


def convert(place: Path, config: Mapping[str, Any], arrays: Mapping[str, Any]) -> tuple[Path, ImportedCheckpoint]:
    done = import_checkpoint(
        write_folder(place / "tf", config), place / "out", open_reader=lambda prefix: FakeReader(arrays)
    )
    return place / "out", done


def opened(kind: Any, folder: Path) -> Any:
    """Open the folder, and see that every weight comes from its file."""
    with quietly():
        model, report = kind.from_pretrained(folder, output_loading_info=True)
    assert not report["missing_keys"]
    assert not report["mismatched_keys"]
    return model.eval()


def states_of(folder: Path) -> list[Any]:
    with torch.no_grad():
        output = opened(AutoModel, folder)(torch.tensor([IDS]), output_hidden_states=True)
    return [state[0].numpy() for state in output.hidden_states]


@each_family
def test_hidden_states_are_those_that_the_variables_compute(tmp_path: Path, family: str) -> None:
    config, shapes, states, _ = FAMILIES[family]
    arrays = tf_reference.values(shapes(config))

    folder, _ = convert(tmp_path, config, arrays)

    expected = states({name: array.astype(np.float64) for name, array in arrays.items()}, config, IDS)
    found = states_of(folder)
    assert len(found) == len(expected)
    assert all(np.abs(one - other).max() < 1e-5 for one, other in zip(found, expected, strict=True))


@each_family
def test_both_heads_say_what_the_variables_compute(tmp_path: Path, family: str) -> None:
    config, shapes, states, kind = FAMILIES[family]
    arrays = tf_reference.values(shapes(config))
    last = states(arrays, config, IDS)[-1]

    folder, done = convert(tmp_path, config, arrays)

    with torch.no_grad():
        both = opened(kind, folder)(torch.tensor([IDS]))
        words = opened(AutoModelForMaskedLM, folder)(torch.tensor([IDS])).logits
    expected = tf_reference.word_scores(arrays, config, last, is_albert=family == "albert")
    pair = both.sop_logits if family == "albert" else both.seq_relationship_logits
    assert done.parts == ("pooler", "predictions", "seq_relationship")
    assert np.abs(words[0].numpy() - expected).max() < 1e-4  # scores are larger than states
    assert np.abs(both.prediction_logits[0].numpy() - expected).max() < 1e-4
    assert np.abs(pair[0].numpy() - tf_reference.pair_scores(arrays, config, last)).max() < 1e-4


@each_family
def test_a_torch_network_survives_the_way_to_tensorflow_names_and_back(tmp_path: Path, family: str) -> None:
    config, shapes, _, kind = FAMILIES[family]
    first, _ = convert(tmp_path / "first", config, tf_reference.values(shapes(config)))
    network = opened(kind, first)
    own = network.state_dict()
    arrays = {
        name: (own[target.name].T if target.is_transposed else own[target.name]).numpy()
        for part in find_targets(network.config).values()
        for name, target in part.items()
    }

    second, _ = convert(tmp_path / "second", config, arrays)

    assert set(arrays) == set(shapes(config))
    assert all(
        np.abs(one - other).max() <= 1e-6 for one, other in zip(states_of(first), states_of(second), strict=True)
    )


def test_embeddings_as_wide_as_the_layers_are_not_projected(tmp_path: Path) -> None:
    config = {**ALBERT, "embedding_size": ALBERT["hidden_size"]}
    arrays = tf_reference.values(tf_reference.albert_shapes(config))

    folder, _ = convert(tmp_path, config, arrays)

    expected = tf_reference.albert_states(arrays, config, IDS)
    assert np.abs(states_of(folder)[-1] - expected[-1]).max() < 1e-5


def test_variables_of_the_optimiser_are_left_out_and_counted(tmp_path: Path) -> None:
    arrays = tf_reference.values(tf_reference.albert_shapes())
    of_optimiser = {f"{name}/{slot}": array for name, array in arrays.items() for slot in ("adam_m", "adam_v")}

    _, done = convert(tmp_path, ALBERT, {**arrays, **of_optimiser, "global_step": np.array(10)})

    assert (done.n_variables, done.n_of_the_optimiser) == (len(arrays), 2 * len(arrays) + 1)
    assert done.unused_settings == ("net_structure_type",)
    assert any("of the optimiser were left out" in note for note in done.notes)
    assert any("2 rows of the embeddings" in note for note in done.notes)


def test_names_from_a_hub_module_are_understood(tmp_path: Path) -> None:
    arrays = tf_reference.values(tf_reference.albert_shapes())

    folder, _ = convert(tmp_path, ALBERT, {f"module/{name}": array for name, array in arrays.items()})

    assert np.abs(states_of(folder)[-1] - tf_reference.albert_states(arrays, ALBERT, IDS)[-1]).max() < 1e-5


def test_a_checkpoint_without_heads_becomes_an_encoder(tmp_path: Path) -> None:
    shapes = {name: shape for name, shape in tf_reference.bert_shapes().items() if not name.startswith("cls/")}
    arrays = tf_reference.values(shapes)

    folder, done = convert(tmp_path, BERT, arrays)

    assert done.parts == ("pooler",)
    assert json.loads((folder / "config.json").read_text())["architectures"] == ["BertModel"]
    assert np.abs(states_of(folder)[-1] - tf_reference.bert_states(arrays, BERT, IDS)[-1]).max() < 1e-5


def test_missing_and_extra_tensors_are_listed(tmp_path: Path) -> None:
    arrays = tf_reference.values(tf_reference.bert_shapes())
    del arrays["bert/encoder/layer_1/output/dense/bias"]
    del arrays["cls/predictions/output_bias"]
    arrays["output_weights"] = np.zeros((2, 8))

    with pytest.raises(BadFile) as caught:
        convert(tmp_path, BERT, arrays)

    assert "2 tensors are missing" in caught.value.problem
    assert "bert/encoder/layer_1/output/dense/bias" in caught.value.problem
    assert "cls/predictions/output_bias" in caught.value.problem
    assert "1 tensors do not belong to such a model:\n    output_weights" in caught.value.problem
    assert not (tmp_path / "out").exists()


def test_shapes_must_be_those_of_the_configuration(tmp_path: Path) -> None:
    arrays = tf_reference.values(tf_reference.bert_shapes())

    with pytest.raises(BadFile, match=r"intermediate/dense/kernel: \(8, 10\), by the configuration \(8, 11\)"):
        convert(tmp_path, {**BERT, "intermediate_size": 11}, arrays)


def test_values_that_are_not_finite_are_refused(tmp_path: Path) -> None:
    arrays = tf_reference.values(tf_reference.bert_shapes())
    arrays["bert/pooler/dense/bias"][0] = np.nan

    with pytest.raises(BadFile, match="bert/pooler/dense/bias has values that are not finite"):
        convert(tmp_path, BERT, arrays)


def test_the_newest_of_several_checkpoints_is_used_with_a_note(tmp_path: Path) -> None:
    folder = write_folder(tmp_path / "tf", BERT, "model.ckpt-9", "model.ckpt-1000", "model.ckpt-best")
    opened_prefixes = []

    def reader(prefix: Path) -> FakeReader:
        opened_prefixes.append(prefix.name)
        return FakeReader(tf_reference.values(tf_reference.bert_shapes()))

    newest = import_checkpoint(folder, tmp_path / "newest", open_reader=reader)
    named = import_checkpoint(folder, tmp_path / "named", checkpoint="model.ckpt-best", open_reader=reader)

    assert opened_prefixes == ["model.ckpt-1000", "model.ckpt-best"]
    assert newest.others == ("model.ckpt-9", "model.ckpt-best")
    assert "model.ckpt-1000 was used" in newest.notes[0]
    assert named.checkpoint == "model.ckpt-best"


def remove_checkpoint(folder: Path) -> None:
    (folder / "model.ckpt-10.index").unlink()


def remove_weights(folder: Path) -> None:
    (folder / "model.ckpt-10.data-00000-of-00001").unlink()


def remove_vocabulary(folder: Path) -> None:
    (folder / "vocab.txt").unlink()


def remove_config(folder: Path) -> None:
    (folder / "bert_config.json").unlink()


def break_config(folder: Path) -> None:
    (folder / "bert_config.json").write_text("{", encoding="utf-8")


def empty_config(folder: Path) -> None:
    (folder / "bert_config.json").write_text("{}", encoding="utf-8")


def repeat_a_word(folder: Path) -> None:
    (folder / "vocab.txt").write_text("\n".join([*PIECES, "gene"]), encoding="utf-8")


def lose_the_mask(folder: Path) -> None:
    (folder / "vocab.txt").write_text("\n".join(PIECES).replace("[MASK]", "mask"), encoding="utf-8")


def lengthen_the_vocabulary(folder: Path) -> None:
    (folder / "vocab.txt").write_text("\n".join([*PIECES, "a", "b", "c"]), encoding="utf-8")


@pytest.mark.parametrize(
    ("damage", "problem"),
    [
        (remove_checkpoint, "there is no checkpoint .* found: bert_config.json, model.ckpt-10.data"),
        (remove_weights, "model.ckpt-10.index is there, but not its weights"),
        (remove_vocabulary, "there is no vocabulary; found: bert_config.json"),
        (remove_config, r"expected one \*config.json"),
        (break_config, "bert_config.json:1: this is not JSON"),
        (empty_config, "no configuration of BERT or ALBERT"),
        (repeat_a_word, "1 sub-words occur more than once: 'gene'"),
        (lose_the_mask, r"these sub-words are missing: \[MASK\]"),
        (lengthen_the_vocabulary, "13 sub-words, but the configuration has 12"),
    ],
)
def test_a_folder_that_is_not_whole_is_refused_with_what_was_found(
    tmp_path: Path, damage: Callable[[Path], None], problem: str
) -> None:
    folder = write_folder(tmp_path / "tf", BERT)
    damage(folder)

    with pytest.raises(BadFile, match=problem):
        import_checkpoint(folder, tmp_path / "out", open_reader=lambda prefix: FakeReader({}))


def test_the_checkpoint_itself_is_never_overwritten(tmp_path: Path) -> None:
    folder = write_folder(tmp_path / "models" / "tf", BERT)
    before = sorted(path.name for path in folder.iterdir())

    for output in (folder, tmp_path / "models", folder / ".." / "tf"):
        with pytest.raises(BadSetting, match="would replace the checkpoint itself"):
            import_checkpoint(folder, output, overwrite=True, open_reader=lambda prefix: FakeReader({}))

    assert sorted(path.name for path in folder.iterdir()) == before


def test_only_an_older_conversion_is_overwritten(tmp_path: Path) -> None:
    folder, arrays = write_folder(tmp_path / "tf", BERT), tf_reference.values(tf_reference.bert_shapes())

    def convert_again(output: Path) -> None:
        import_checkpoint(folder, output, overwrite=True, open_reader=lambda prefix: FakeReader(arrays))

    convert_again(tmp_path / "out")
    convert_again(tmp_path / "out")
    (tmp_path / "out" / "notes.txt").write_text("years of work", encoding="utf-8")
    (tmp_path / "thesis").mkdir()
    (tmp_path / "thesis" / "chapter.txt").write_text("years of work", encoding="utf-8")
    model = tiny.write_encoder(tmp_path / "model")  # has the same files as a conversion, and is none
    for output in (tmp_path / "out", tmp_path / "thesis", model):
        with pytest.raises(BadFile, match="holds no converted checkpoint, or more than that"):
            convert_again(output)

    assert (tmp_path / "out" / "notes.txt").is_file()
    assert (tmp_path / "thesis" / "chapter.txt").is_file()


def test_a_full_disk_leaves_nothing_half_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def no_space(*_: object, **__: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr("linnet.pretraining.tensorflow.checkpoint.save_file", no_space)

    with pytest.raises(BadFile, match="No space left on device"):
        convert(tmp_path, BERT, tf_reference.values(tf_reference.bert_shapes()))

    assert [path.name for path in tmp_path.iterdir()] == ["tf"]


def test_without_tensorflow_the_extra_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "tensorflow", None)

    with pytest.raises(MissingExtra) as caught:
        import_checkpoint(write_folder(tmp_path / "tf", BERT), tmp_path / "out")

    assert "[tensorflow]'" in caught.value.remedy
    assert not (tmp_path / "out").exists()


def test_linnet_trains_from_what_was_converted(tmp_path: Path) -> None:
    folder, _ = convert(tmp_path, ALBERT, tf_reference.values(tf_reference.albert_shapes()))

    trained = tiny.train(tmp_path / "run", encoder=str(folder), max_length=16, epochs=1)

    assert (trained.folder / "model.safetensors").is_file()


def test_the_command_says_what_it_did(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    arrays = tf_reference.values(tf_reference.albert_shapes())
    monkeypatch.setattr(
        "linnet.pretraining.tensorflow.checkpoint.open_with_tensorflow", lambda prefix: FakeReader(arrays)
    )
    folder = write_folder(tmp_path / "tf", ALBERT)

    done = run(capsys, "import-checkpoint", folder, tmp_path / "out")

    assert done.code == 0, done.err
    assert f"ALBERT from model.ckpt-10, {len(arrays)} tensors" in done.out
    assert "heads: masked words and pairs of sentences; vocabulary: 10 sub-words, small letters only" in done.out
    assert "net_structure_type" in done.err


@pytest.mark.slow
@each_family
def test_a_checkpoint_that_tensorflow_wrote_computes_the_same_here(tmp_path: Path, family: str) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # TensorFlow's own affairs
        tf = pytest.importorskip("tensorflow").compat.v1
    config, shapes, states, _ = FAMILIES[family]
    folder = write_folder(tmp_path / "tf", config)
    for path in folder.glob("model.ckpt*"):
        path.unlink()
    do = SimpleNamespace(
        take=tf.gather,
        reshape=tf.reshape,
        transpose=tf.transpose,
        exp=tf.exp,
        tanh=tf.tanh,
        erf=tf.erf,
        sum=lambda value: tf.reduce_sum(value, axis=-1, keepdims=True),
    )
    with tf.Graph().as_default(), tf.Session() as session:
        variables = {
            name: tf.get_variable(name, initializer=tf.constant(array))
            for name, array in tf_reference.values(shapes(config)).items()
        }
        step = tf.train.get_or_create_global_step()
        output = states(variables, config, IDS, do)
        session.run(tf.global_variables_initializer())
        tf.train.Saver().save(session, str(folder / "model.ckpt"), global_step=step)
        expected = session.run(output)

    done = import_checkpoint(folder, tmp_path / "out")

    assert (done.checkpoint, done.n_of_the_optimiser) == ("model.ckpt-0", 1)
    found = states_of(tmp_path / "out")
    assert all(np.abs(one - other).max() < 1e-4 for one, other in zip(found, expected, strict=True))

    (data,) = folder.glob("model.ckpt-0.data-*")
    data.write_bytes(data.read_bytes()[:2000])
    with pytest.raises(BadFile, match="TensorFlow cannot read this checkpoint"):
        import_checkpoint(folder, tmp_path / "cut")
    assert not (tmp_path / "cut").exists()
