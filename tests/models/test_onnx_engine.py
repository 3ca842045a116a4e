"""The ONNX engine: the same tags as torch, without torch, and a clear word where the folder is not what it seems."""

import hashlib
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from linnet.batches.encoding import Batch, collate
from linnet.errors import BadFile, BadSetting
from linnet.models.onnx_engine import OnnxEngine
from linnet.models.torch_engine import TorchEngine
from linnet.tasks.ner.predictor import load
from tests import tiny
from tests.campaign.hostile_models import NETWORK_CHANGES, change_network
from tests.export.exported import LONG, SENTENCES, change_facts, copied, exported

TEXT = "cystic fibrosis was treated with folic acid ."


def test_scores_are_those_of_torch() -> None:
    ours, theirs = load(exported()), load(tiny.trained())
    batch = collate(list(ours.encoder.encode([*SENTENCES, LONG])), ours.encoder.pad_id)

    found = ours.engine.logits(batch)

    is_real = batch.mask.astype(bool)
    np.testing.assert_allclose(found[is_real], theirs.engine.logits(batch)[is_real], atol=1e-4)  # what issue 6 asks for


@pytest.mark.parametrize("int8", [False, True])
def test_scores_of_a_sentence_do_not_depend_on_those_beside_it(int8: bool) -> None:
    predictor = load(exported(int8=int8), threads=1)
    windows = list(predictor.encoder.encode([["no", "ataxia"], *SENTENCES]))

    [alone] = predictor.engine.logits(collate(windows[:1], predictor.encoder.pad_id))
    beside = predictor.engine.logits(collate(windows, predictor.encoder.pad_id))[0]

    np.testing.assert_allclose(beside[: len(alone)], alone, atol=1e-5)  # float32's rounding, not a step of int8


def test_a_sentence_longer_than_the_window_gets_the_tags_of_torch() -> None:
    [ours] = load(exported()).tag([LONG])
    [theirs] = load(tiny.trained()).tag([LONG])

    assert len(ours.tags) == len(LONG)
    assert ours.tags == theirs.tags


def test_mentions_are_found_without_torch() -> None:
    program = (
        "import json, sys, linnet\n"
        f"[document] = linnet.load({str(exported())!r}).annotate([{TEXT!r}])\n"
        "found = [(span.start, span.end, span.label) for span in document.spans]\n"
        "heavy = {'torch', 'transformers', 'matplotlib', 'scipy'}\n"
        "print(json.dumps([found, sorted(heavy & {name.partition('.')[0] for name in sys.modules})]))\n"
    )

    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)

    assert done.stderr == ""
    assert json.loads(done.stdout) == [[[0, 15, "Disease"], [33, 43, "Chemical"]], []]


def test_the_engine_is_chosen_by_what_the_folder_holds(tmp_path: Path) -> None:
    both = copied(tmp_path / "both", source=tiny.trained())
    for name in ("model.onnx", "linnet.json"):
        (both / name).write_bytes((exported() / name).read_bytes())

    assert isinstance(load(tiny.trained()).engine, TorchEngine)
    assert isinstance(load(exported()).engine, OnnxEngine)
    assert isinstance(load(both).engine, TorchEngine)
    assert isinstance(load(both, engine="onnx").engine, OnnxEngine)


def test_each_thread_computes_a_batch_of_its_own() -> None:
    predictor = load(exported(), threads=2)

    assert isinstance(predictor.engine, OnnxEngine)
    options = predictor.engine.session.get_session_options()
    assert (options.intra_op_num_threads, options.inter_op_num_threads) == (1, 1)
    assert predictor.n_parallel == 2


def test_batches_of_an_exported_model_have_little_padding(monkeypatch: pytest.MonkeyPatch) -> None:
    predictor = load(exported(), threads=1)
    shapes: list[tuple[int, ...]] = []
    compute = predictor.engine.logits

    def record(batch: Batch) -> Any:
        shapes.append(batch.ids.shape)
        return compute(batch)

    monkeypatch.setattr(predictor.engine, "logits", record)
    list(predictor.tag([["."]] * 20 + [["."] * 12] * 20))

    assert [n_windows for n_windows, _ in shapes] == [20, 20]
    assert shapes[0][1] < 12 < shapes[1][1]


def test_an_engine_that_does_not_fit_the_folder_is_refused() -> None:
    with pytest.raises(BadSetting, match="`linnet export"):
        load(tiny.trained(), engine="onnx")
    with pytest.raises(BadSetting, match="exported model, which the engine torch cannot run"):
        load(exported(), engine="torch")
    with pytest.raises(BadSetting, match="no engine called 'tensorflow'"):
        load(tiny.trained(), engine="tensorflow")
    with pytest.raises(BadSetting, match="runs on CPUs, not on 'cuda'"):
        load(exported(), device="cuda")


def test_a_network_of_another_version_is_refused(tmp_path: Path) -> None:
    folder = copied(tmp_path / "mixed")
    (folder / "model.onnx").write_bytes((exported(int8=True) / "model.onnx").read_bytes())

    with pytest.raises(BadFile, match="not the network that was exported with its folder"):
        load(folder)


def test_facts_without_a_word_on_the_network_are_refused(tmp_path: Path) -> None:
    folder = copied(tmp_path / "model")

    change_facts(folder, {"onnx": {"int8": False}})
    with pytest.raises(BadFile, match="'onnx' does not say"):
        load(folder)
    change_facts(folder, {"onnx": None})
    with pytest.raises(BadFile, match=r"says nothing about model\.onnx"):
        load(folder)


def test_a_file_that_is_no_network_is_refused(tmp_path: Path) -> None:
    folder = copied(tmp_path / "model")
    (folder / "model.onnx").write_bytes(b"nonsense")
    facts = json.loads((folder / "linnet.json").read_text(encoding="utf-8"))["onnx"]

    change_facts(folder, {"onnx": facts | {"file_fingerprint": hashlib.sha256(b"nonsense").hexdigest()}})

    with pytest.raises(BadFile, match=r"ONNX Runtime .* cannot open the network"):
        load(folder)


@pytest.mark.parametrize("change", NETWORK_CHANGES)
def test_a_network_that_was_changed_and_signed_is_refused(tmp_path: Path, change: str) -> None:
    folder = copied(tmp_path / "model")
    change_network(folder, change=NETWORK_CHANGES[change])

    with pytest.raises(BadFile):
        load(folder)
