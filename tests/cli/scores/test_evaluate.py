"""`linnet evaluate`: scores that can be computed again, and a page to look at the errors."""

import json
import shutil
from pathlib import Path

import pytest
import torch

from linnet.training.run_folder import open_run
from tests import tiny
from tests.cli.running import run
from tests.tasks.linking.corpora import corpus_folder, tiny_vocabulary


def test_json_has_the_scores_of_the_run(capsys: pytest.CaptureFixture[str]) -> None:
    done = run(capsys, "evaluate", tiny.trained(), tiny.corpus(), "--json")

    assert (done.code, done.err) == (0, "")
    scores = json.loads(done.out)
    metrics = open_run(tiny.trained()).metrics
    scored = {"model": str(tiny.trained()), "corpus": str(tiny.corpus()), "split": "test"}
    assert {key: scores.pop(key) for key in scored} == scored
    calibration = scores.pop("calibration")
    recorded = {key: metrics["calibration"][key] for key in calibration}
    bins, own_bins = recorded.pop("bins"), calibration.pop("bins")
    assert recorded == pytest.approx(calibration, abs=2e-6)  # batches differ, and with them the last digit
    assert bins == [pytest.approx(each, abs=2e-6) for each in own_bins]
    assert {key: metrics[key] for key in scores} == scores
    assert {"strict", "conll", "exact", "partial", "type", "fair", "weighted_fair", "tokens", "tags"} <= set(scores)


def test_a_threshold_leaves_out_unsure_mentions(capsys: pytest.CaptureFixture[str]) -> None:
    done = run(
        capsys, "evaluate", tiny.trained(), tiny.corpus(), "--min-score", "0", "--min-score", "Disease=1", "--json"
    )

    labels = json.loads(done.out)["strict"]["labels"]
    assert labels["Disease"]["predicted"] == 0 < labels["Chemical"]["predicted"]


def test_threads_of_the_cpu_are_chosen(capsys: pytest.CaptureFixture[str]) -> None:
    before = torch.get_num_threads()
    try:
        done = run(capsys, "evaluate", tiny.trained(), tiny.corpus(), "--threads", 2, "--json")

        assert (done.code, torch.get_num_threads()) == (0, 2)
    finally:
        torch.set_num_threads(before)


def test_the_predictions_file_is_scored_alike(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "predictions.tsv"
    evaluated = run(capsys, "evaluate", tiny.trained(), tiny.corpus(), "--predictions", path, "--json")

    scored = run(capsys, "score", tiny.corpus() / "test.tsv", path, "--json")
    alone = run(capsys, "score", path, "--json")
    perfect = run(capsys, "score", tiny.corpus() / "test.tsv", path, "--tag-column", 2, "--json")

    strict = json.loads(evaluated.out)["strict"]
    assert json.loads(scored.out)["strict"]["micro"] == strict["micro"]
    assert json.loads(scored.out)["strict"]["labels"] == strict["labels"]
    assert json.loads(alone.out)["strict"] == strict
    assert json.loads(alone.out)["tags"] == json.loads(evaluated.out)["tags"]
    assert json.loads(perfect.out)["strict"]["micro"]["f1"] == 1  # the second column is gold


def test_the_page_is_written(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    done = run(capsys, "evaluate", tiny.trained(), tiny.corpus(), "--split", "devel", "--report", tmp_path / "page")
    file = run(capsys, "evaluate", tiny.trained(), tiny.corpus() / "devel.tsv", "--report", tmp_path / "other")

    page = (tmp_path / "page" / "index.html").read_text(encoding="utf-8")
    assert done.code == file.code == 0
    assert f"{tmp_path / 'page' / 'index.html'}: open it in a browser" in done.out
    assert done.out.startswith(f"{tiny.trained()} on {tiny.corpus()}, devel split\n")
    assert file.out.startswith(f"{tiny.trained()} on {tiny.corpus() / 'devel.tsv'}\n")
    assert "trained on tiny-corpus, devel" in page
    assert "http://" not in page.replace("http://www.w3.org", "")
    assert "trained on devel.tsv" in (tmp_path / "other" / "index.html").read_text(encoding="utf-8")


def test_a_model_of_others_is_evaluated(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for name in ("config.json", "model.safetensors", "tokenizer.json"):
        shutil.copy(tiny.trained() / name, tmp_path)

    theirs = run(capsys, "evaluate", tmp_path, tiny.corpus(), "--json")
    ours = run(capsys, "evaluate", tiny.trained(), tiny.corpus(), "--decoding", "argmax", "--json")

    assert theirs.code == 0
    assert json.loads(theirs.out) == json.loads(ours.out) | {"model": str(tmp_path)}


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--split", "nonsense"), "has no split 'nonsense'"),
        (("--decoding", "greedy"), "no decoding called 'greedy'"),
        (("--resample", "words"), "words"),
    ],
)
def test_wrong_options_are_refused(capsys: pytest.CaptureFixture[str], options: tuple[str, ...], message: str) -> None:
    done = run(capsys, "evaluate", tiny.trained(), tiny.corpus(), *options)

    assert (done.code, done.out) == (2, "")
    assert message in done.err


def test_a_model_that_does_not_fit_the_corpus_is_refused_by_its_labels(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "test.tsv").write_text("p53\tB-Gene\n\n", encoding="utf-8")

    done = run(capsys, "evaluate", tiny.trained(), tmp_path)

    assert done.code == 2
    assert "labels that the model does not know: Gene" in done.err
    assert "the model knows Chemical, Disease" in done.err
    assert "say which mean the same with `--map MODEL=CORPUS`" in done.err


def test_one_label_of_a_corpus_is_scored(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rows = tiny.conll(tiny.sentences(12, 2))
    (tmp_path / "test.tsv").write_text(rows + "p53\tB-Gene\n\n", encoding="utf-8")

    refused = run(capsys, "evaluate", tiny.trained(), tmp_path)
    done = run(capsys, "evaluate", tiny.trained(), tmp_path, "--keep-labels", "Disease", "--json")
    unknown = run(capsys, "evaluate", tiny.trained(), tmp_path, "--keep-labels", "Gene")

    assert "score only what it knows with `--keep-labels Chemical,Disease`" in refused.err
    found = json.loads(done.out)
    assert found["strict"]["labels"].keys() == {"Disease"}
    assert found["mapping"]["only_corpus"] == {"Chemical": rows.count("B-Chemical"), "Gene": 1}
    assert "`--keep-labels` leaves out, not scored: Chemical (" in done.err
    assert (unknown.code, "labels that the model does not know: Gene" in unknown.err) == (2, True)


@pytest.fixture
def other_corpus(tmp_path: Path) -> Path:
    """A corpus with another name for diseases, genes besides, and no chemicals; its genes are in training only."""
    rows = [[(word, tag.replace("Disease", "Disorder")) for word, tag in row] for row in tiny.sentences(12, 2)]
    plain = [[(word, "O" if "Chemical" in tag else tag) for word, tag in row] for row in rows]
    (tmp_path / "train.tsv").write_text("p53\tB-Gene\n\n", encoding="utf-8")
    (tmp_path / "test.tsv").write_text(tiny.conll(plain) + "we\tB-Species\n\n", encoding="utf-8")
    return tmp_path


def test_labels_of_another_corpus_are_mapped_and_the_rest_is_counted(
    other_corpus: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    refused = run(capsys, "evaluate", tiny.trained(), other_corpus)
    done = run(capsys, "evaluate", tiny.trained(), other_corpus, "--map", "Disease=Disorder", "--json")

    assert (refused.code, "e.g. `--map Disease=Disorder`" in refused.err) == (2, True)
    assert f"linnet: {other_corpus} has labels that the model does not know" in refused.err
    found = json.loads(done.out)
    gold = sum(tag == "B-Disease" for row in tiny.sentences(12, 2) for _, tag in row)
    assert done.code == 0
    assert found["strict"]["labels"].keys() == {"Disorder"}
    assert found["strict"]["micro"]["gold"] == gold
    assert found["mapping"]["map"] == {"Disease": "Disorder"}
    assert found["mapping"]["labels"] == ["Disorder"]
    assert found["mapping"]["only_corpus"] == {"Gene": 0, "Species": 1}
    assert found["mapping"]["only_model"]["Chemical"] > 0
    assert "warning: labels that the corpus does not have, not scored: Chemical (" in done.err
    assert "warning: labels that the model does not have, not scored: Species (1" in done.err


def test_a_map_scores_as_if_the_corpus_had_the_models_names(
    tmp_path: Path, other_corpus: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text = (other_corpus / "test.tsv").read_text(encoding="utf-8")
    (tmp_path / "same").mkdir()
    text = text.replace("Disorder", "Disease").replace("B-Species", "O")
    (tmp_path / "same" / "test.tsv").write_text(text, encoding="utf-8")

    mapped = run(capsys, "evaluate", tiny.trained(), other_corpus, "--map", "Disease=Disorder", "--json")
    same = run(capsys, "evaluate", tiny.trained(), tmp_path / "same", "--map", "Disease=Disease", "--json")
    plain = run(capsys, "evaluate", tiny.trained(), tmp_path / "same", "--json")

    scores = [json.loads(done.out) for done in (mapped, same, plain)]
    assert scores[0]["strict"]["micro"] == scores[1]["strict"]["micro"]
    counts = ("correct", "predicted", "gold")
    assert [[each["strict"]["labels"]["Disease"][name] for name in counts] for each in scores[2:]] == [
        [each["strict"]["labels"]["Disease"][name] for name in counts] for each in scores[1:2]
    ]
    assert scores[2]["strict"]["micro"]["predicted"] > scores[1]["strict"]["micro"]["predicted"]
    assert "note: mentions predicted as Chemical, which gold does not have, counted as wrong" in plain.err
    assert "mapping" not in scores[2]


def test_several_labels_of_the_model_may_mean_one(other_corpus: Path, capsys: pytest.CaptureFixture[str]) -> None:
    maps = ("--map", "Disease=Disorder", "--map", "Chemical=Disorder")
    done = run(capsys, "evaluate", tiny.trained(), other_corpus, *maps, "--json")

    found = json.loads(done.out)
    assert found["mapping"]["only_model"] == {}
    assert found["strict"]["labels"].keys() == {"Disorder"}


def test_predictions_and_page_of_a_mapped_evaluation_are_those_that_were_scored(
    tmp_path: Path, other_corpus: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "out" / "predictions.tsv"
    options = ("--predictions", path, "--report", tmp_path / "page", "--map", "Disease=Disorder")

    done = run(capsys, "evaluate", tiny.trained(), other_corpus, *options)

    page = (tmp_path / "page" / "index.html").read_text(encoding="utf-8")
    tags = {line.split("\t")[column] for line in path.read_text().split("\n") if line for column in (1, 2)}
    assert done.code == 0
    assert tags <= {"O", "B-Disorder", "I-Disorder"}
    assert "Disease as Disorder" in page
    assert "not scored: Chemical" in page


@pytest.mark.parametrize(
    ("maps", "message"),
    [
        (("Disease=Disorders",), "the corpus has no label 'Disorders', but Disorder, Gene, Species"),
        (("Diseases=Disorder",), "the model has no label 'Diseases', but Chemical, Disease"),
        (("Disease",), "--map Disease: expected MODEL=CORPUS"),
        (("Disease=Gene", "Disease=Disorder"), "two names, 'Gene' and 'Disorder'"),
        (("Disease=Gene", "Disease", "Disease=Disorder"), "expected MODEL=CORPUS\n  --map gives the model's label"),
    ],
)
def test_a_map_of_labels_that_are_not_there_is_refused(
    other_corpus: Path, capsys: pytest.CaptureFixture[str], maps: tuple[str, ...], message: str
) -> None:
    options = [option for each in maps for option in ("--map", each)]

    done = run(capsys, "evaluate", tiny.trained(), other_corpus, *options)

    assert (done.code, done.out) == (2, "")
    assert message in done.err


def test_a_label_that_only_another_split_has_can_be_mapped_to(
    other_corpus: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    maps = ("--map", "Chemical=Gene", "--map", "Disease=Disorder")
    done = run(capsys, "evaluate", tiny.trained(), other_corpus, *maps, "--json")

    assert done.code == 0
    assert json.loads(done.out)["mapping"]["labels"] == ["Disorder", "Gene"]


def test_a_folder_that_is_no_model_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    done = run(capsys, "evaluate", tiny.corpus(), tiny.corpus())

    assert done.code == 2
    assert "is no model folder" in done.err


def test_existing_outputs_are_replaced_only_on_request(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    outputs = {"--report": tmp_path / "page", "--predictions": tmp_path / "predicted.tsv"}
    (tmp_path / "page").mkdir()
    for name in ("page/index.html", "page/notes.txt", "predicted.tsv"):
        (tmp_path / name).write_text("precious", encoding="utf-8")

    with monkeypatch.context() as patch:
        patch.setattr("linnet.models.evaluation.evaluate", pytest.fail)  # refused before the work
        for option, path in {**outputs, "--predictions ": tmp_path / "predicted.x"}.items():
            (tmp_path / "predicted.gold.jsonl").touch()  # is written, or removed, beside the predictions
            refused = run(capsys, "evaluate", tiny.trained(), tiny.corpus(), option.strip(), path)
            assert refused.code == 2
            assert "exists already" in refused.err
            assert "`--overwrite`" in refused.err

    options = [each for pair in outputs.items() for each in pair]
    assert run(capsys, "evaluate", tiny.trained(), tiny.corpus(), *options, "--overwrite").code == 0
    assert "precious" not in (tmp_path / "predicted.tsv").read_text(encoding="utf-8")
    assert "precious" not in (tmp_path / "page" / "index.html").read_text(encoding="utf-8")
    assert (tmp_path / "page" / "notes.txt").read_text(encoding="utf-8") == "precious"


def test_links_of_found_mentions_are_scored_under_a_title_with_model_and_vocabulary(
    capsys: pytest.CaptureFixture[str],
) -> None:
    vocabulary = tiny_vocabulary().folder

    done = run(capsys, "evaluate", tiny.trained(), corpus_folder(), "--vocabulary", vocabulary)

    assert done.code == 0
    title = f"{tiny.trained()} on {corpus_folder()}, test split, linked with {vocabulary}"
    assert done.out.splitlines()[0] == title
    assert "links of found mentions; in percent" in done.out
