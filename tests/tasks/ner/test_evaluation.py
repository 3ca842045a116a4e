"""Evaluation: every word predicted, every gold mention counted, and the file says the same as the score."""

import json
import shutil
from pathlib import Path
from types import SimpleNamespace
from typing import cast

import pytest

from linnet.contracts import ReadOptions
from linnet.documents.document import Document, Span
from linnet.errors import BadFile, BadSetting, UnknownName
from linnet.formats.rows import read_tagged
from linnet.labels.mention import Mention
from linnet.metrics.mentions.scores import score
from linnet.reports.mistakes import find_mistakes
from linnet.scoring import score_files
from linnet.tasks.ner import evaluation as module
from linnet.tasks.ner.decoding import PredictedSentence
from linnet.tasks.ner.evaluation import evaluate, evaluate_examples, read_predictions, write_predictions
from linnet.tasks.ner.examples import read_examples
from linnet.tasks.ner.predictor import Predictor, load
from linnet.training.run_folder import open_run
from tests import tiny


def without_facts(folder: Path) -> Path:
    """Return the trained model as others would have saved it."""
    names = ("config.json", "model.safetensors", "tokenizer.json", "tokenizer_config.json")
    folder.mkdir()
    for name in names:
        shutil.copy(tiny.trained() / name, folder)
    return folder


def test_a_saved_model_scores_as_it_did_in_training() -> None:
    found = evaluate(tiny.trained(), tiny.corpus())

    metrics = open_run(tiny.trained()).metrics
    scores = json.loads(json.dumps(found.scores.as_dict()))
    assert {name: metrics[name] for name in scores} == scores
    assert metrics["strict"]["micro"]["f1"] > 0.5


def test_an_evaluation_is_shown_in_one_line() -> None:
    shown = repr(evaluate(tiny.trained(), tiny.corpus()))

    assert shown.startswith("<Evaluation on test: <Scores: strict F1 ")
    assert "\n" not in shown
    assert len(shown) < 300


def test_other_splits_and_single_files_can_be_evaluated() -> None:
    devel = evaluate(tiny.trained(), tiny.corpus(), split="dev", n_resamples=0)
    file = evaluate(tiny.trained(), tiny.corpus() / "devel.tsv", n_resamples=0)

    assert devel.scores.as_dict() == file.scores.as_dict()
    assert (devel.split, file.split) == ("devel", "devel")
    assert [row.words for row in devel.examples.rows] == [[word for word, _ in row] for row in tiny.sentences(8, 1)]


def test_mentions_below_a_threshold_are_left_out_as_in_annotation(tmp_path: Path) -> None:
    every = evaluate(tiny.trained(), tiny.corpus(), split="devel", n_resamples=0)
    confidences = sorted(score for sentence in every.predicted for score in sentence.scores)
    least = round(confidences[len(confidences) // 2], 6)

    found = evaluate(tiny.trained(), tiny.corpus(), split="devel", n_resamples=0, min_score=least)
    write_predictions(tmp_path / "predictions.tsv", found)

    kept = [score for score in confidences if round(score, 6) >= least]
    assert 0 < len(kept) < len(confidences)
    assert sorted(score for sentence in found.predicted for score in sentence.scores) == kept
    assert found.scores.matching("strict").micro.predicted == len(kept)
    assert score(read_predictions(tmp_path / "predictions.tsv"), n_resamples=0).as_dict() == found.scores.as_dict()


def test_devel_has_a_table_to_choose_a_threshold_from() -> None:
    found = evaluate(tiny.trained(), tiny.corpus(), split="devel", n_resamples=0)
    test = evaluate(tiny.trained(), tiny.corpus(), n_resamples=0)

    first, *_, last = found.as_dict()["thresholds"]
    micro = found.scores.matching("strict").micro
    assert (first["min_score"], first["f1"], first["mentions"]) == (0, pytest.approx(micro.f1), micro.predicted)
    assert last["mentions"] <= first["mentions"]
    assert [table.title for table in found.tables() if "--min-score" in table.title] == ["strict, by --min-score"]
    assert not [table for table in test.tables() if "--min-score" in table.title]  # test is no place to choose


@pytest.mark.parametrize(
    ("min_score", "message"), [("Genes=0.5", "names Genes, which the model does not find"), ("2", "from 0 to 1")]
)
def test_a_wrong_threshold_is_refused(min_score: str, message: str) -> None:
    with pytest.raises(BadSetting, match=message):
        evaluate(tiny.trained(), tiny.corpus(), min_score=min_score)


def test_a_file_says_which_sentences_are_one_document(tmp_path: Path) -> None:
    file, predictions = tmp_path / "documents.txt", tmp_path / "predictions.tsv"
    file.write_text("a\na\n" + "".join(f"{number}\n" for number in range(6)), encoding="utf-8")

    usual = evaluate(tiny.trained(), tiny.corpus(), split="dev", n_resamples=20)
    found = evaluate(tiny.trained(), tiny.corpus(), split="dev", n_resamples=20, documents=file)
    write_predictions(predictions, found)

    assert (usual.scores.units, usual.scores.n_units) == ("sentences", 8)
    assert (found.scores.units, found.scores.n_units) == ("documents", 7)
    assert found.scores.matching("strict").micro.f1 == usual.scores.matching("strict").micro.f1
    assert score(read_predictions(predictions), n_resamples=20).as_dict() == found.scores.as_dict()


def test_documents_that_are_not_known_are_refused_before_the_model_predicts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Predictor, "tag", None)

    with pytest.raises(BadSetting, match="not known which sentences belong to one document"):
        evaluate(tiny.trained(), tiny.corpus(), resample="documents")


def test_a_split_that_is_not_there_is_not_replaced_by_another(tmp_path: Path) -> None:
    shutil.copy(tiny.corpus() / "train.tsv", tmp_path)

    with pytest.raises(UnknownName, match="has no split 'test'"):
        evaluate(tiny.trained(), tmp_path)


def test_a_file_is_not_scored_as_a_split_that_it_is_not() -> None:
    with pytest.raises(UnknownName, match=r"test.tsv is the test split by its name, not 'nope'"):
        evaluate(tiny.trained(), tiny.corpus() / "test.tsv", split="nope")
    with pytest.raises(UnknownName, match=r"devel.tsv is the devel split by its name, not 'test'"):
        evaluate(tiny.trained(), tiny.corpus() / "devel.tsv", split="test")


def test_gold_mentions_that_tags_cannot_hold_count_as_missed(tmp_path: Path) -> None:
    text = "cystic fibrosis was treated with folic acid ."
    held = Span(0, 15, "Disease"), Span(33, 43, "Chemical")
    beside = Span(7, 15, "Disease"), Span(0, 43, "Chemical", fragments=((0, 6), (39, 43)))
    predictor = load(tiny.trained())

    plain, whole = (
        evaluate_examples(predictor, read_examples([Document("1", text, spans)], "iob2"), n_resamples=0)
        for spans in (held, (*held, *beside))
    )
    write_predictions(tmp_path / "predictions.tsv", whole)
    again = score(read_predictions(tmp_path / "predictions.tsv"), n_resamples=0)

    right, all_of_it = (each.scores.matching("strict").micro for each in (plain, whole))
    assert (right.correct, right.gold) == (2, 2)
    assert (all_of_it.correct, all_of_it.gold, all_of_it.predicted) == (2, 4, 2)
    assert again.as_dict() == whole.scores.as_dict()
    assert [(mistake.kind, mistake.texts[0]) for mistake in find_mistakes(whole.sentences)] == [
        ("missed", "cystic … acid"),
        ("missed", "fibrosis"),
    ]


def test_mentions_that_io_joins_are_scored_apart(tmp_path: Path) -> None:
    text = "ataxia ataxia was seen ."
    touching = Span(0, 6, "Disease"), Span(7, 13, "Disease")
    examples = read_examples([Document("1", text, touching)], "io")
    joined = PredictedSentence(["I-Disease", "I-Disease", "O", "O", "O"], [Mention(0, 2, "Disease")], [0.9])
    predictor = SimpleNamespace(
        has_same_abbreviations=False, min_score={}, tag=lambda _: [joined], decoder=SimpleNamespace(tagging="io")
    )

    found = evaluate_examples(cast(Predictor, predictor), examples, n_resamples=0)
    write_predictions(tmp_path / "predictions.tsv", found)
    units = read_predictions(tmp_path / "predictions.tsv")
    again = score(units, n_resamples=0)

    strict = found.scores.matching("strict").micro
    assert (strict.correct, strict.gold, strict.predicted) == (0, 2, 1)
    assert [unit.gold for unit in units] == read_examples([Document("1", text, touching)], "iob2").gold
    assert again.as_dict() == found.scores.as_dict()


def test_mentions_beside_the_tags_of_an_earlier_model_are_not_read_again(tmp_path: Path) -> None:
    (tmp_path / "predictions.gold.jsonl").write_text('[0, [[0, 1, "Disease", []]]]\n', encoding="utf-8")

    write_predictions(tmp_path / "predictions.tsv", evaluate(tiny.trained(), tiny.corpus(), n_resamples=0))

    assert [path.name for path in tmp_path.iterdir()] == ["predictions.tsv"]


def test_mentions_beside_the_tags_that_cannot_be_read_are_refused(tmp_path: Path) -> None:
    write_predictions(tmp_path / "predictions.tsv", evaluate(tiny.trained(), tiny.corpus(), n_resamples=0))
    (tmp_path / "predictions.gold.jsonl").write_text('[99999, [[0, 1, "Disease", []]]]\n', encoding="utf-8")

    with pytest.raises(BadFile, match=r"predictions.gold.jsonl:1: these are no mentions of a sentence"):
        read_predictions(tmp_path / "predictions.tsv")


def test_a_model_of_others_is_evaluated_too(tmp_path: Path) -> None:
    ours = evaluate(tiny.trained(), tiny.corpus(), decoding="argmax", n_resamples=0)
    theirs = evaluate(without_facts(tmp_path / "model"), tiny.corpus(), n_resamples=0)

    assert theirs.scores.as_dict() == ours.scores.as_dict()


def test_labels_that_the_model_does_not_know_are_refused_by_name(tmp_path: Path) -> None:
    path = tmp_path / "test.tsv"
    path.write_text("p53\tB-Gene\nataxia\tB-Disease\n\n", encoding="utf-8")

    with pytest.raises(BadSetting, match="labels that the model does not know: Gene") as refused:
        evaluate(tiny.trained(), path)
    assert "the model knows Chemical, Disease" in refused.value.remedy


@pytest.mark.parametrize("has_facts", [True, False])
@pytest.mark.parametrize(
    ("map", "message"),
    [
        (None, "labels that the model does not know: Gene"),
        ({"Diseases": "Gene"}, "the model has no label 'Diseases'"),
        ({"Disease": "Genes"}, "the corpus has no label 'Genes'"),
    ],
)
def test_labels_are_checked_before_the_model_is_loaded(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, has_facts: bool, map: dict[str, str] | None, message: str
) -> None:
    model = tiny.trained() if has_facts else without_facts(tmp_path / "model")
    (tmp_path / "test.tsv").write_text("p53\tB-Gene\n\n", encoding="utf-8")
    monkeypatch.setattr(module, "load", lambda *_, **__: pytest.fail("the model was loaded"))

    with pytest.raises(BadSetting, match=message):
        evaluate(model, tmp_path / "test.tsv", map=map)


@pytest.mark.parametrize("decoding", ["valid", "argmax"])
def test_the_predictions_file_gives_the_same_scores_again(tmp_path: Path, decoding: str) -> None:
    found = evaluate(tiny.trained(), tiny.corpus(), decoding=decoding, n_resamples=0)
    path = tmp_path / "predictions.tsv"
    write_predictions(path, found)

    rows = list(zip(*(read_tagged(path, ReadOptions(tag_column=column)) for column in (2, 3)), strict=True))
    gold, predicted = tmp_path / "gold.tsv", tmp_path / "predicted.tsv"
    gold.write_text(tiny.conll(list(zip(a.words, a.tags, strict=True)) for a, _ in rows if a.words), encoding="utf-8")
    predicted.write_text(
        tiny.conll(list(zip(b.words, b.tags, strict=True)) for _, b in rows if b.words), encoding="utf-8"
    )

    assert score_files(gold, predicted, n_resamples=0).matching("strict") == found.scores.matching("strict")
    assert len(read_predictions(path)) == len(found.predicted)


def test_documents_stay_apart_in_the_predictions_file(tmp_path: Path) -> None:
    documents = [
        Document("one\ttwo\n", "No ataxia.\n\nAspirin."),
        Document("2", "\x1d\n\nNo ataxia."),  # its first sentence has no word
        Document("3", "", ()),
        Document("4", "Aspirin.", (Span(0, 7, "Chemical"),)),
    ]
    examples = read_examples(documents, "iob2")
    path = tmp_path / "predictions.tsv"

    write_predictions(path, evaluate_examples(load(tiny.trained()), examples, n_resamples=0))

    rows = list(read_tagged(path, ReadOptions(tag_column=2)))
    assert [row.begins for row in rows if row.begins is not None] == ["one two", "2", "4"]
    assert [list(row.words) for row in rows if row.words] == examples.words


def test_reviewed_sentences_have_gold_and_predicted_mentions_with_scores() -> None:
    found = evaluate(tiny.trained(), tiny.corpus(), n_resamples=0)

    for sentence, row, predicted in zip(found.sentences, found.examples.rows, found.predicted, strict=True):
        assert [sentence.text[start:end] for start, end in sentence.tokens or ()] == row.words
        assert row.text[sentence.start :].startswith(sentence.text)
        assert len(sentence.predicted) == len(predicted.mentions)
        assert sentence.scores == tuple(predicted.scores)
        assert all(0 < value <= 1 for value in predicted.scores)
