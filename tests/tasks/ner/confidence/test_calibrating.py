"""Calibration of a tagger: fitted on devel, kept in the model folder, applied by every engine."""

import json
from pathlib import Path

import numpy as np
import pytest

from linnet.errors import BadFile
from linnet.labels.label_set import LabelSet
from linnet.labels.mention import Mention
from linnet.metrics.mentions.calibration import Calibration
from linnet.models.model_folder import read_facts
from linnet.tasks.ner.confidence.calibrating import calibrate, describe_calibration, fit_to, reliability_of
from linnet.tasks.ner.decoding import Decoder, PredictedSentence
from linnet.tasks.ner.predictor import load
from tests import tiny
from tests.export.exported import change_facts, copied, exported

HALVED = Calibration("logistic", (-5.0, 5.0), (-2.5, 2.5), 100)
TEXT = "ataxia was treated with aspirin ."


def predicted(*scores: float) -> PredictedSentence:
    mentions = [Mention(number, number + 1, "Disease") for number in range(len(scores))]
    return PredictedSentence(["B-Disease"] * len(scores), mentions, list(scores))


@pytest.mark.parametrize("is_exported", [False, True])
def test_every_engine_gives_calibrated_scores(tmp_path: Path, is_exported: bool) -> None:
    source = exported() if is_exported else tiny.trained()
    folder = copied(tmp_path / "model", source=source)
    change_facts(folder, {"calibration": HALVED.as_dict()})

    before, after = (load(each).annotate_one(TEXT).spans for each in (source, folder))

    expected = HALVED.apply([span.score or 0 for span in before]).tolist()
    assert [span.score for span in after] == pytest.approx(expected, abs=1e-5)
    assert [span.score for span in after] != [span.score for span in before]


def test_a_broken_calibration_is_refused(tmp_path: Path) -> None:
    folder = copied(tmp_path / "model", source=tiny.trained())
    change_facts(folder, {"calibration": {"method": "magic"}})

    with pytest.raises(BadFile, match=r"linnet.json: 'calibration' is broken"):
        load(folder)


def test_it_is_fitted_to_what_is_right_by_strict_matching() -> None:
    rows = [predicted(0.99, 0.99)] * 50
    gold = [(Mention(0, 1, "Disease"), Mention(1, 2, "Chemical"))] * 50

    calibration = fit_to(gold, rows)

    assert calibration is not None
    assert calibration.apply([0.99])[0] == pytest.approx(0.5, abs=0.02)
    assert reliability_of(gold, rows).ece == pytest.approx(0.49)
    assert reliability_of(gold, calibrate(rows, calibration)).ece == pytest.approx(0, abs=0.02)
    told = describe_calibration(calibration, {"devel": reliability_of(gold, rows)})
    assert (told["method"], told["fitted_on"], told["ece_before"]) == ("logistic", 100, {"devel": 0.49})


def test_a_run_with_few_mentions_is_not_calibrated_and_says_so() -> None:
    metrics = json.loads((tiny.trained() / "metrics.json").read_text(encoding="utf-8"))["calibration"]

    assert not read_facts(tiny.trained()).calibration
    assert (metrics["method"], "fewer than 50" in metrics["reason"]) == ("none", True)
    assert 0 <= metrics["ece"] <= 1
    assert "## Confidence" in (tiny.trained() / "report.md").read_text(encoding="utf-8")
    assert "are not calibrated: fewer than 50" in (tiny.trained() / "README.md").read_text(encoding="utf-8")


def test_a_run_with_enough_mentions_keeps_its_calibration(tmp_path: Path) -> None:
    corpus = tiny.write_corpus(tmp_path / "corpus", devel=60, test=60)

    run = tiny.train(tmp_path / "run", data=str(corpus), epochs=6, learning_rate=0.03)

    found = read_facts(run.folder).calibration
    assert found["method"] == run.metrics["calibration"]["method"] == "logistic"
    assert (run.folder / "reliability.png").is_file()
    for name in ("report.md", "README.md"):
        text = (run.folder / name).read_text(encoding="utf-8")
        assert f"are calibrated by a logistic curve on {found['n_mentions']} mentions of devel" in text
        assert "not calibrated" not in text
    assert run.metrics["devel"]["calibration"]["mentions"] == found["n_mentions"]


def test_scores_of_a_crf_use_its_marginals_where_the_model_says_so() -> None:
    label_set = LabelSet(("O", "B-X", "I-X"))
    logits = np.array([[0.0, 1.0, 0.0], [0.0, 0.0, 1.0]], np.float32)
    learned = {
        "start": np.zeros(3, np.float32),
        "transitions": np.array([[0, 0, 0], [0, 0, 3], [0, 0, 0]], np.float32),
        "end": np.zeros(3, np.float32),
    }

    plain = Decoder(label_set, "iob2", "crf", learned).decode(logits)
    marginal = Decoder(label_set, "iob2", "crf", learned, has_marginals=True).decode(logits)

    assert plain.tags == marginal.tags == ["B-X", "I-X"]
    assert marginal.scores[0] > plain.scores[0] + 0.2  # the step that the CRF has learned makes it surer
