"""A model with `same_abbreviations` finds the same mentions by every command."""

import json
import shutil
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import linnet
from linnet.annotation.annotate import annotate_path
from linnet.batches.encoding import Batch
from linnet.documents.document import Document, Sentence, Span
from linnet.errors import BadFile
from linnet.export.exporting import export_model
from linnet.formats.reading import read_documents
from linnet.models.model_folder import read_facts, write_facts
from linnet.tasks.ner import predictor as predicting
from linnet.tasks.ner.evaluation import evaluate
from linnet.tasks.ner.model_checks import open_encoder
from linnet.tasks.ner.passes.same_abbreviations import ONLY_SENTENCES, make_consistent
from tests import tiny
from tests.export.exported import export_again
from tests.serving.http.services import client_of, make_service

TEXT = "Cystic fibrosis (CF) is rare. We gave aspirin. Now CF is severe."
LONG, FIRST, SECOND = (0, 15, "Disease"), (17, 19, "Disease"), (51, 53, "Disease")


class Finder:
    """An engine that marks `fibrosis` and the word before it as a Disease, by the sub-words of the tiny tokenizer."""

    def __init__(self, names: tuple[str, ...], wanted: list[int]) -> None:
        self.names, self.wanted = names, wanted

    def logits(self, batch: Batch) -> Any:
        scores = np.zeros((*batch.ids.shape, len(self.names)), np.float32)
        scores[..., self.names.index("O")] = 5
        for row, ids in enumerate(batch.ids.tolist()):
            for place in range(len(ids) - len(self.wanted) + 1):
                if ids[place : place + len(self.wanted)] == self.wanted:
                    scores[row, place, self.names.index("B-Disease")] = 9
                    scores[row, place + 1 : place + len(self.wanted), self.names.index("I-Disease")] = 9
        return scores


@pytest.fixture
def model(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a model folder that asks for the pass, with an engine that finds the long form only."""
    folder = tmp_path / "model"
    shutil.copytree(tiny.trained(), folder)
    facts = read_facts(folder)
    write_facts(folder, replace(facts, same_abbreviations=True))
    encoder = open_encoder(folder, facts)
    (window,) = encoder.encode([["cystic", "fibrosis"]])
    engine = Finder(facts.tags, list(window.ids[1:-1]))
    monkeypatch.setattr(predicting, "open_chosen_engine", lambda *_, **__: (engine, 1, None))
    monkeypatch.setattr(predicting, "check_scores", lambda *_: None)
    return folder


def places(document: Document) -> list[tuple[int, int, str]]:
    return [(span.start, span.end, span.label) for span in document.spans]


def annotated(folder: Path, model: Path, **options: Any) -> Document:
    (folder / "in.txt").write_text(TEXT, encoding="utf-8")
    annotate_path(folder / "in.txt", model=model, output=folder / "out.jsonl", overwrite=True, **options)
    (found,) = read_documents(folder / "out.jsonl")
    return found


def served(model: Any) -> list[tuple[int, int, str]]:
    with client_of(make_service(model)) as client:
        (document,) = client.post("/annotate", json={"text": TEXT}).json()["documents"]
    return [(span["start"], span["end"], span["label"]) for span in document["spans"]]


def evaluated(folder: Path, model: Path) -> list[tuple[int, int, str]]:
    gold = Document("1", TEXT, (Span(*LONG),))
    (folder / "gold.jsonl").write_text(json.dumps(_as_json(gold)) + "\n", encoding="utf-8")
    found = evaluate(model, folder / "gold.jsonl", n_resamples=10)
    rows = zip(found.examples.rows, found.predicted, strict=True)
    return [
        (row.sentence.tokens[first][0], row.sentence.tokens[end - 1][1], label)
        for row, each in rows
        for first, end, label, _ in each.mentions
    ]


def _as_json(document: Document) -> dict[str, Any]:
    spans = [{"start": span.start, "end": span.end, "label": span.label} for span in document.spans]
    return {"id": document.id, "text": document.text, "spans": spans}


def test_annotate_evaluate_serve_and_python_find_the_same(tmp_path: Path, model: Path) -> None:
    python = linnet.load(model)

    (found,) = python.annotate([TEXT])

    assert places(found) == [LONG, FIRST, SECOND]
    assert [span.id for span in found.spans] == ["T1", "T2", "T3"]
    assert places(annotated(tmp_path, model)) == places(found)
    assert evaluated(tmp_path, model) == places(found)
    assert served(python) == places(found)


def test_the_option_of_annotate_comes_before_the_choice_of_the_model(tmp_path: Path, model: Path) -> None:
    off = annotated(tmp_path, model, same_abbreviations=False)
    write_facts(model, replace(read_facts(model), same_abbreviations=False))
    on = annotated(tmp_path, model, same_abbreviations=True)

    assert places(off) == [LONG] == places(annotated(tmp_path, model))
    assert places(on) == [LONG, FIRST, SECOND]
    assert "no same abbreviations" in off.infons["annotated_by"]


def test_evaluation_sees_whole_documents_and_says_where_there_are_none(tmp_path: Path, model: Path) -> None:
    words = "Cystic/B-Disease fibrosis/I-Disease (/O CF/B-Disease )/O\n\nCF/B-Disease is/O rare/O\n".replace("/", "\t")
    sentences = words.replace(" ", "\n")
    (tmp_path / "marked.tsv").write_text(f"-DOCSTART-\tO\n\n{sentences}\n-DOCSTART-\tO\n\nCF\tO\n", encoding="utf-8")
    (tmp_path / "bare.tsv").write_text(sentences, encoding="utf-8")
    (tmp_path / "documents.txt").write_text("a\na\n", encoding="utf-8")

    marked = evaluate(model, tmp_path / "marked.tsv", n_resamples=10)
    bare = evaluate(model, tmp_path / "bare.tsv", n_resamples=10)
    joined = evaluate(model, tmp_path / "bare.tsv", n_resamples=10, documents=tmp_path / "documents.txt")

    assert [len(each.mentions) for each in marked.predicted] == [2, 1, 0]
    assert (marked.main_score, ONLY_SENTENCES in marked.notes) == (1.0, False)
    assert ([len(each.mentions) for each in bare.predicted], ONLY_SENTENCES in bare.notes) == ([2, 0], True)
    assert ([len(each.mentions) for each in joined.predicted], ONLY_SENTENCES in joined.notes) == ([2, 1], False)
    assert joined.predicted[1].tags == ["B-Disease", "O", "O"]


def test_what_cuts_a_word_of_the_document_is_not_added() -> None:
    text = "Cystic fibrosis (CF) and CF-like"
    sentence = Sentence(0, 32, ((0, 6), (7, 15), (16, 20), (21, 24), (25, 32)))

    assert make_consistent(text, [sentence], [Span(*LONG)]) == [Span(*LONG)]


def test_a_recipe_writes_the_choice_and_an_export_keeps_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    export_again(monkeypatch)
    run = tiny.train(tmp_path / "run", epochs=1, same_abbreviations=True)
    shutil.copytree(tiny.trained(), tmp_path / "model")
    write_facts(tmp_path / "model", replace(read_facts(tiny.trained()), same_abbreviations=True))

    export_model(tmp_path / "model", tmp_path / "exported")

    assert read_facts(run.folder).same_abbreviations
    assert read_facts(tmp_path / "exported").same_abbreviations
    assert "same_abbreviations" not in json.loads((tiny.trained() / "linnet.json").read_text(encoding="utf-8"))


def test_a_choice_that_is_no_truth_value_is_refused(model: Path) -> None:
    facts = json.loads((model / "linnet.json").read_text(encoding="utf-8"))
    (model / "linnet.json").write_text(json.dumps({**facts, "same_abbreviations": "yes"}), encoding="utf-8")

    with pytest.raises(BadFile, match="'same_abbreviations' is 'yes', expected bool"):
        linnet.load(model)
