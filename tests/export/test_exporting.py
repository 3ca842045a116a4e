"""Exported folders: complete, checked against the original, and absent where the check fails."""

import math
import shutil
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from linnet.batches.encoding import Batch
from linnet.contracts import LossInterval
from linnet.documents.document import Document, Span
from linnet.errors import BadFile, BadSetting, LinnetError
from linnet.export.exporting import export_model
from linnet.models.model_folder import file_fingerprint, model_fingerprint, read_facts
from linnet.tasks.ner.examples import read_examples
from linnet.tasks.ner.exporting import NOTHING_TO_LOSE, TagParity, compare, embedded_sentences
from linnet.tasks.ner.predictor import Engine, FloatArray, Predictor, load
from tests import tiny
from tests.export.exported import SENTENCES, change_facts, export_again, exported, with_transitions


@pytest.fixture(autouse=True)
def one_export(monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory) -> None:
    export_again(monkeypatch)
    monkeypatch.setenv("LINNET_CACHE", str(tmp_path_factory.mktemp("cache")))  # checks are kept there


class Shifted:
    """An engine that adds something to the first tag's scores of another one."""

    def __init__(self, engine: Engine, shift: float) -> None:
        self.engine = engine
        self.shift = shift

    def logits(self, batch: Batch) -> FloatArray:
        scores = self.engine.logits(batch).copy()
        scores[..., 0] += self.shift
        return scores


def shift_exported(monkeypatch: pytest.MonkeyPatch, shift: float) -> None:
    """Let the exported model say something else than the original."""

    def changed(folder: Path, *, engine: str, device: str | None = None, precision: str = "auto") -> Predictor:
        found = load(folder, engine=engine, device=device, precision=precision)
        if engine == "onnx":
            found.engine = Shifted(found.engine, shift)
        return found

    monkeypatch.setattr("linnet.tasks.ner.exporting.load", changed)


def test_the_folder_holds_what_the_engine_needs_and_nothing_else() -> None:
    names = {path.name for path in exported().iterdir()}
    facts = read_facts(exported())

    assert names == {"README.md", "config.json", "linnet.json", "model.onnx", "tokenizer.json"}
    assert facts.onnx is not None
    assert facts.onnx.file_fingerprint == file_fingerprint(exported() / "model.onnx")
    assert facts.onnx.model_fingerprint == model_fingerprint(tiny.trained())
    assert replace(facts, onnx=None) == read_facts(tiny.trained())


def test_embedded_sentences_have_one_that_is_longer_than_the_window(tmp_path: Path) -> None:
    done = export_model(tiny.trained(), tmp_path / "onnx")

    assert done.parity.as_dict()["sentences"] > 100
    assert done.parity.n_different == 0
    assert done.parity.largest_difference <= 1e-4
    assert max(map(len, embedded_sentences(64))) == 128


def test_a_corpus_gives_the_f1_of_both(tmp_path: Path) -> None:
    done = export_model(tiny.trained(), tmp_path / "int8", int8=True, check=tiny.corpus())
    file = export_model(tiny.trained(), tmp_path / "other", check=tiny.corpus() / "devel.tsv")

    told, other = done.parity.as_dict(), file.parity.as_dict()
    assert (told["sentences"], other["sentences"]) == (8, 8)
    assert told["f1"] is not None
    assert done.parity.points_lost is not None
    assert abs(done.parity.points_lost) <= 0.5
    assert other["f1"] == other["exported_f1"]


def test_without_a_corpus_int8_tells_the_share_of_equal_tags(tmp_path: Path) -> None:
    parity = export_model(tiny.trained(), tmp_path / "int8", int8=True).parity

    assert 0.9 < parity.as_dict()["equal_tags"] <= 1  # a network of 16 numbers is coarser than real ones
    assert parity.as_dict()["f1"] is parity.points_lost is None


def test_what_a_crf_learned_goes_with_the_model(tmp_path: Path) -> None:
    source = with_transitions(tmp_path / "crf")

    export_model(source, tmp_path / "onnx")

    ours, theirs, plain = (list(load(each).tag(SENTENCES)) for each in (tmp_path / "onnx", source, exported()))
    assert [each.tags for each in ours] == [each.tags for each in theirs]
    assert [each.tags for each in ours] != [each.tags for each in plain]


@pytest.mark.parametrize("shift", [0.001, 100.0, float("nan")])
def test_float32_that_differs_is_refused_and_nothing_is_left(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, shift: float
) -> None:
    shift_exported(monkeypatch, shift)

    with pytest.raises(LinnetError, match="not finite" if math.isnan(shift) else "differs from the original"):
        export_model(tiny.trained(), tmp_path / "onnx")

    assert not list(tmp_path.iterdir())


def test_int8_that_loses_too_much_is_refused_and_nothing_is_left(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shift_exported(monkeypatch, 100.0)

    with pytest.raises(LinnetError, match=r"int8 loses .* more than the 0\.5 allowed") as caught:
        export_model(tiny.trained(), tmp_path / "int8", int8=True, check=tiny.corpus())

    assert "--tolerance" in caught.value.remedy
    assert not list(tmp_path.iterdir())
    assert export_model(tiny.trained(), tmp_path / "x", int8=True, check=tiny.corpus(), tolerance=100).folder.is_dir()


def test_a_model_that_finds_nothing_has_a_note_that_f1_shows_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = TagParity(n_sentences=8, words=100, equal_words=100, largest_difference=0.0, f1=0.0, exported_f1=0.0)
    monkeypatch.setattr("linnet.tasks.ner.exporting.ExportableTagger.compare", lambda _, exported: found)

    done = export_model(tiny.trained(), tmp_path / "onnx", check=tiny.corpus())

    assert done.notes == (NOTHING_TO_LOSE,)
    assert replace(found, f1=0.5).notes == replace(found, f1=None).notes == ()


def let_int8_lose(monkeypatch: pytest.MonkeyPatch, interval: LossInterval) -> list[Path]:
    """Let each check find a loss of 0.54 points with this interval; return the list of folders that are checked."""
    checked: list[Path] = []

    def find_loss(_: object, exported: Path) -> TagParity:
        checked.append(exported)
        return TagParity(
            n_sentences=8,
            words=100,
            equal_words=99,
            largest_difference=0.1,
            f1=0.8254,
            exported_f1=0.82,
            loss_interval=interval,
        )

    monkeypatch.setattr("linnet.tasks.ner.exporting.ExportableTagger.compare", find_loss)
    return checked


def test_a_loss_that_may_be_chance_is_accepted_and_reported_with_its_interval(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Issue 22: int8 was refused for 0.54 F1, about 5 mentions of 960."""
    let_int8_lose(monkeypatch, LossInterval(low=-0.2, high=1.3, units="sentences", n_units=8))

    done = export_model(tiny.trained(), tmp_path / "int8", int8=True, check=tiny.corpus())

    shown = "95 % interval -0.20 to 1.30, paired bootstrap over 8 sentences"
    assert done.notes == (
        "int8 loses 0.54 points, more than the 0.5 allowed, but this may be chance: the interval of the loss includes "
        f"0 ({shown}); a larger corpus (`--check`) tells more",
    )
    assert done.parity.sentences()[1] == f"strict F1: 82.54 before, 82.00 after: 0.54 points lost ({shown})"
    assert (done.as_dict()["points_lost_low"], done.as_dict()["units"]) == (-0.2, "sentences")


def test_a_loss_that_is_more_than_chance_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    let_int8_lose(monkeypatch, LossInterval(low=0.1, high=1.0, units="sentences", n_units=8))

    with pytest.raises(
        LinnetError, match=r"int8 loses 0\.54 points, more than the 0\.5 allowed .*interval 0\.10 to 1\.00"
    ):
        export_model(tiny.trained(), tmp_path / "int8", int8=True, check=tiny.corpus())

    assert not list(tmp_path.iterdir())


def test_another_tolerance_needs_no_new_check(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    checked = let_int8_lose(monkeypatch, LossInterval(low=0.1, high=1.0, units="sentences", n_units=8))
    with pytest.raises(LinnetError, match="int8 loses"):
        export_model(tiny.trained(), tmp_path / "int8", int8=True, check=tiny.corpus())

    done = export_model(tiny.trained(), tmp_path / "int8", int8=True, check=tiny.corpus(), tolerance=1)
    export_model(tiny.trained(), tmp_path / "other", int8=True, check=tiny.corpus(), split="devel", tolerance=1)

    assert done.parity.points_lost == pytest.approx(0.54)
    assert done.parity.loss_interval == LossInterval(low=0.1, high=1.0, units="sentences", n_units=8)
    assert "was not computed again" in done.notes[0]
    assert len(checked) == 2  # the second for the other split


def test_a_refused_export_leaves_the_older_one_as_it_was(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    export_model(tiny.trained(), tmp_path / "onnx")
    before = file_fingerprint(tmp_path / "onnx" / "model.onnx")
    shift_exported(monkeypatch, 100.0)

    with pytest.raises(LinnetError, match="differs"):
        export_model(tiny.trained(), tmp_path / "onnx", overwrite=True)

    assert file_fingerprint(tmp_path / "onnx" / "model.onnx") == before
    assert isinstance(load(tmp_path / "onnx"), Predictor)


def test_only_an_older_export_is_overwritten(tmp_path: Path) -> None:
    export_model(tiny.trained(), tmp_path / "onnx")
    with pytest.raises(BadFile, match="exists already"):
        export_model(tiny.trained(), tmp_path / "onnx")
    assert export_model(tiny.trained(), tmp_path / "onnx", overwrite=True).folder.is_dir()

    (tmp_path / "thesis").mkdir()
    (tmp_path / "thesis" / "chapter.txt").write_text("years of work", encoding="utf-8")
    with pytest.raises(BadFile, match="holds no exported model"):
        export_model(tiny.trained(), tmp_path / "thesis", overwrite=True)


def test_a_model_is_never_replaced_by_its_own_export(tmp_path: Path) -> None:
    model = Path(shutil.copytree(tiny.trained(), tmp_path / "runs" / "model"))

    for target in (model, tmp_path / "runs", tmp_path / "runs" / "model" / ".." / "model"):
        with pytest.raises(BadSetting, match="would replace the model itself"):
            export_model(model, target, overwrite=True)

    assert (model / "model.safetensors").is_file()


def test_an_exported_model_cannot_be_exported_again(tmp_path: Path) -> None:
    with pytest.raises(BadSetting, match="this is an exported model"):
        export_model(exported(), tmp_path / "again")


def test_a_corpus_that_cannot_be_scored_is_refused(tmp_path: Path) -> None:
    for name, text in {"gene": "p53\tB-Gene\n\n", "none": "p53\tO\n\n"}.items():
        (tmp_path / f"{name}.tsv").write_text(text, encoding="utf-8")

    with pytest.raises(BadSetting, match="labels that the model does not know: Gene"):
        export_model(tiny.trained(), tmp_path / "onnx", check=tmp_path / "gene.tsv")
    with pytest.raises(BadSetting, match="the split has no mention"):
        export_model(tiny.trained(), tmp_path / "onnx", check=tmp_path / "none.tsv")


def test_only_scores_that_tags_are_taken_from_are_compared() -> None:
    original = load(tiny.trained())

    class Later:
        """Says something else for all but the first sub-words of words."""

        def logits(self, batch: Batch) -> FloatArray:
            scores = original.engine.logits(batch).copy()
            for row, window in enumerate(batch.windows):
                is_read = np.isin(np.arange(scores.shape[1]), window.starts)
                scores[row, ~is_read] += 5
            return scores

    parity = compare(original, Predictor(Later(), original.encoder, original.decoder), SENTENCES, None)

    assert parity == TagParity(30, sum(map(len, SENTENCES)), sum(map(len, SENTENCES)), 0.0)


def test_mentions_that_tags_cannot_hold_count_in_both_scores() -> None:
    found, inside = (Span(0, 15, "Disease"), Span(33, 43, "Chemical")), Span(7, 15, "Disease")
    document = Document("1", "cystic fibrosis was treated with folic acid .", (*found, inside))
    examples = read_examples([document], "iob2")
    original = load(tiny.trained())

    parity = compare(original, original, examples.words, examples)

    assert parity.f1 == parity.exported_f1 == pytest.approx(2 * 2 / (2 + 3))


def test_a_model_of_others_keeps_its_way_of_decoding(tmp_path: Path) -> None:
    source = Path(shutil.copytree(tiny.trained(), tmp_path / "theirs"))
    change_facts(source, {"decoding": "argmax"})

    export_model(source, tmp_path / "onnx")

    assert load(tmp_path / "onnx").decoder.decoding == "argmax"
