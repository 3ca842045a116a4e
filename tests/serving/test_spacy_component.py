"""Our component in a spaCy pipeline: entities on spaCy's own tokens, batched, saved by path, beside others."""

import json
import pickle
import runpy
import subprocess
import sys
from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from safetensors.numpy import load_file, save_file

from linnet.documents.document import Document, Link
from linnet.errors import BadFile, BadSetting
from linnet.serving.spacy_component import LinnetComponent
from linnet.tasks.ner.predictor import Predictor, load
from tests import text_corpora, tiny
from tests.export.exported import copied, exported

spacy = pytest.importorskip("spacy")
ROOT = Path(__file__).parents[2]
TEXT = "cystic fibrosis was treated with folic acid ."
FOUND = [("cystic fibrosis", "Disease"), ("folic acid", "Chemical")]


def pipeline(model: Path | None = None, *before: str, **config: Any) -> Any:  # Any: a Language, whose import is put off
    nlp = spacy.blank("en")
    for name in before:
        nlp.add_pipe(name)
    nlp.add_pipe("linnet", config={"model": str(model or tiny.trained()), **config})
    return nlp


def entities(doc: Any) -> list[tuple[str, str]]:
    return [(entity.text, entity.label_) for entity in doc.ents]


def ruled(*patterns: dict[str, str], **config: Any) -> Any:
    """Return a pipeline with a component of spaCy's before ours, which marks the patterns."""
    nlp = spacy.blank("en")
    nlp.add_pipe("entity_ruler").add_patterns(list(patterns))
    nlp.add_pipe("linnet", config={"model": str(tiny.trained()), **config})
    return nlp


@pytest.fixture
def taken(monkeypatch: pytest.MonkeyPatch) -> list[Document]:
    """The documents that the predictor was given."""
    given: list[Document] = []
    annotate = Predictor.annotate

    def keep(self: Predictor, texts: Iterable[str | Document]) -> Iterator[Document]:
        documents = [each for each in texts if isinstance(each, Document)]
        given.extend(documents)
        return annotate(self, documents)

    monkeypatch.setattr(Predictor, "annotate", keep)
    return given


def words(document: Document) -> list[list[str]]:
    return [[document.text[start:end] for start, end in sentence.tokens] for sentence in document.sentences]


@pytest.mark.long
def test_the_factory_is_known_after_installation_and_costs_nothing_before_it_is_used() -> None:
    program = (
        "import spacy, sys; print(spacy.blank('en').has_factory('linnet'), 'linnet.tasks.ner.predictor' in sys.modules)"
    )

    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)

    assert done.stdout.split() == ["True", "False"]


@pytest.mark.parametrize("engine", ["torch", pytest.param("onnx", marks=pytest.mark.slow)])  # exporting takes seconds
def test_mentions_become_entities_with_scores(engine: str) -> None:
    nlp = pipeline(exported() if engine == "onnx" else tiny.trained(), engine=engine)

    doc = nlp(TEXT)

    expected = load(tiny.trained()).annotate_one(TEXT).spans
    assert entities(doc) == FOUND
    assert [(entity.start_char, entity.end_char) for entity in doc.ents] == [
        (each.start, each.end) for each in expected
    ]
    assert [entity._.linnet_score for entity in doc.ents] == pytest.approx([each.score for each in expected], abs=1e-4)
    assert [span.text for span in doc.spans["linnet"]] == [text for text, _ in FOUND]
    assert nlp.get_pipe("linnet").labels == ("Chemical", "Disease")


@pytest.mark.parametrize(
    "text",
    [f"  {TEXT}\n\n \t{TEXT}", "cystic  fibrosis\u00a0was treated", "(cystic fibrosis)/folic acid-treated mice", ""],
)
def test_an_entity_is_what_stands_at_its_offsets(text: str) -> None:
    doc = pipeline()(text)

    assert doc.text == text
    assert bool(doc.ents) == bool(text)
    for entity in doc.ents:
        assert entity.text == text[entity.start_char : entity.end_char]
        assert entity.text == entity.text.strip()


def test_words_are_those_of_spacy_and_sentences_where_it_has_any(taken: list[Document]) -> None:
    text = "No ataxia.  Anaemia-like\nsigns: none."

    pipeline()(text)
    pipeline(None, "sentencizer")(text)

    own = [["No", "ataxia", "."], ["Anaemia", "-", "like"], ["signs", ":", "none", "."]]
    assert [words(document) for document in taken] == [[own[0], own[1] + own[2]], [own[0], own[1] + own[2]]]
    assert all(document.text == text for document in taken)


def test_sentences_that_only_spacy_sees_are_kept(taken: list[Document]) -> None:
    nlp = pipeline()
    doc = nlp.make_doc("ataxia and anaemia were seen")
    for token in doc:
        token.is_sent_start = token.i in (0, 3)

    nlp(doc)

    assert words(taken[0]) == [["ataxia", "and", "anaemia"], ["were", "seen"]]


def test_a_word_that_was_merged_over_our_sentence_end_stays_one_word(taken: list[Document]) -> None:
    nlp = pipeline()
    doc = nlp.make_doc("It was ataxia. Anaemia came.")
    with doc.retokenize() as retokenizer:
        retokenizer.merge(doc[2:5])

    nlp(doc)

    assert words(taken[0]) == [["It", "was", "ataxia. Anaemia"], ["came", "."]]


def test_documents_come_back_in_order_and_are_predicted_together_as_many_as_asked_for(taken: list[Document]) -> None:
    nlp = pipeline()
    n_read = 0

    def texts() -> Iterator[str]:
        nonlocal n_read
        for number in range(100):
            n_read += 1
            yield f"{TEXT} {number}"

    stream = nlp.pipe(texts(), batch_size=8)
    first = next(stream)

    assert first[-1].text == "0"
    assert len(taken) == 8
    assert n_read <= 17  # spaCy itself makes the next batch before it is asked for
    assert [doc[-1].text for doc in stream] == [str(number) for number in range(1, 100)]


def test_batches_give_what_single_documents_give() -> None:
    texts = [" ".join(word for word, _ in row) for row in tiny.sentences(20, 3)]
    nlp = pipeline()

    together = [entities(doc) for doc in nlp.pipe([*texts, ""])]

    assert together == [entities(nlp(text)) for text in [*texts, ""]]
    assert any(together)


def test_a_mention_replaces_the_entities_that_it_overlaps_and_leaves_the_others() -> None:
    patterns = [
        {"label": "GENE", "pattern": "fibrosis", "id": "HGNC:1"},
        {"label": "VERB", "pattern": "treated", "id": "treat"},
    ]

    doc = ruled(*patterns)(TEXT)

    assert entities(doc) == [FOUND[0], ("treated", "VERB"), FOUND[1]]
    assert [entity.ent_id_ for entity in doc.ents] == ["", "treat", ""]
    assert [entity._.linnet_score is None for entity in doc.ents] == [False, True, False]


def test_without_overwriting_a_mention_gives_way_but_can_be_looked_up() -> None:
    doc = ruled({"label": "GENE", "pattern": "fibrosis", "id": "HGNC:1"}, overwrite=False)(TEXT)

    assert entities(doc) == [("fibrosis", "GENE"), FOUND[1]]
    assert doc.ents[0].ent_id_ == "HGNC:1"
    assert [span.text for span in doc.spans["linnet"]] == ["cystic fibrosis", "folic acid"]


def test_two_models_in_one_pipeline_have_a_name_each() -> None:
    nlp = pipeline()
    nlp.add_pipe("linnet", name="second", config={"model": str(tiny.trained())})

    doc = nlp(TEXT)

    assert entities(doc) == FOUND
    assert len(doc.spans["linnet"]) == len(doc.spans["second"]) == 2


def test_entities_and_scores_survive_on_disk() -> None:
    from spacy.tokens import DocBin

    nlp = pipeline()
    doc = nlp(TEXT)

    [again] = (
        DocBin(store_user_data=True).from_bytes(DocBin(docs=[doc], store_user_data=True).to_bytes()).get_docs(nlp.vocab)
    )

    assert entities(again) == FOUND
    assert [entity._.linnet_score for entity in again.ents] == [entity._.linnet_score for entity in doc.ents]


def test_a_saved_pipeline_keeps_where_the_model_is_not_its_weights(tmp_path: Path) -> None:
    pipeline(overwrite=False, threads=1).to_disk(tmp_path / "saved")

    nlp = spacy.load(tmp_path / "saved")

    assert entities(nlp(TEXT)) == FOUND
    component = nlp.get_pipe("linnet")
    assert (component.model, component.overwrite, component.options["threads"]) == (str(tiny.trained()), False, 1)
    kept = list((tmp_path / "saved" / "linnet").iterdir())
    assert [path.name for path in kept] == ["model.json"]
    assert json.loads(kept[0].read_text(encoding="utf-8"))["model"] == str(tiny.trained())


def test_a_saved_pipeline_refuses_another_model_in_the_same_place_and_takes_one_that_is_named(tmp_path: Path) -> None:
    model = copied(tmp_path / "model", source=tiny.trained())
    pipeline(model).to_disk(tmp_path / "saved")
    weights = load_file(model / "model.safetensors")
    save_file({name: 2 * value for name, value in weights.items()}, model / "model.safetensors", {"format": "pt"})

    with pytest.raises(BadFile, match="not the model that the pipeline was saved with"):
        spacy.load(tmp_path / "saved")
    nlp = spacy.load(tmp_path / "saved", config={"components.linnet.model": str(tiny.trained())})

    assert entities(nlp(TEXT)) == FOUND


def test_a_copy_for_another_process_loads_the_model_from_its_folder() -> None:
    component = pipeline(threads=1).get_pipe("linnet")

    pickled = pickle.dumps(component)
    copy = pickle.loads(pickled)

    assert len(pickled) < 1000
    assert entities(copy(spacy.blank("en").make_doc(TEXT))) == FOUND


def test_a_folder_that_is_not_there_is_refused_when_the_component_is_added(tmp_path: Path) -> None:
    with pytest.raises(BadFile, match="there is no such model folder") as refused:
        pipeline(tmp_path / "nowhere")

    assert "linnet train" in refused.value.remedy


def test_settings_that_do_not_exist_are_refused() -> None:
    with pytest.raises(BadSetting, match="the engine onnx needs an exported model"):
        pipeline(engine="onnx")
    with pytest.raises(ValueError, match="treads"):
        pipeline(treads=1)
    with pytest.raises(ValueError, match="model"):
        spacy.blank("en").add_pipe("linnet")


def test_the_pipelines_error_handler_decides_about_documents_that_break_the_model(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    nlp = pipeline()
    failed: list[str] = []
    nlp.set_error_handler(lambda name, component, docs, error: failed.extend(f"{name}: {error}" for _ in docs))
    prepare = Predictor.prepare

    def picky(self: Predictor, documents: list[Document]) -> Any:
        if any("poison" in document.text for document in documents):
            raise RuntimeError("cannot read this")
        return prepare(self, documents)

    monkeypatch.setattr(Predictor, "prepare", picky)

    docs = list(nlp.pipe([TEXT, "a poison pill", TEXT], batch_size=1))

    assert [entities(doc) for doc in docs] == [FOUND, FOUND]
    assert failed == ["linnet: cannot read this"]
    with pytest.raises(RuntimeError, match="cannot read this"):
        next(pipeline().pipe(["a poison pill"]))


def test_the_component_can_be_used_without_a_pipeline() -> None:
    component = LinnetComponent("mine", str(tiny.trained()))

    doc = component(spacy.blank("en").make_doc(TEXT))

    assert entities(doc) == FOUND
    assert len(doc.spans["mine"]) == 2


def test_the_example_of_the_docs_prints_entities(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "argv", ["", str(tiny.trained()), TEXT])

    runpy.run_path(str(ROOT / "docs" / "examples" / "spacy_pipeline.py"), run_name="__main__")

    assert [line.rsplit(" ", 1)[0] for line in capsys.readouterr().out.splitlines()] == [
        "Disease 0 15 cystic fibrosis",
        "Chemical 33 43 folic acid",
    ]


def test_a_model_about_whole_texts_is_refused() -> None:
    with pytest.raises(BadSetting, match="does not annotate documents"):
        pipeline(text_corpora.trained("classification"))


LITHIUM = "Lithium caused tremor and seizures."
LINKED = [("Lithium", ""), ("tremor", "mesh:D014202"), ("seizures", "mesh:D012640")]


def concepts(doc: Any) -> list[tuple[str, str]]:
    return [(entity.text, entity.kb_id_) for entity in doc.ents]


@pytest.mark.parametrize("link", ["demo", ["demo"], {"Disease": "demo"}])
def test_with_a_vocabulary_entities_have_the_identifiers_of_their_concepts(link: Any) -> None:
    doc = pipeline(Path("bio"), link=link)(LITHIUM)

    assert concepts(doc) == LINKED
    assert [span.kb_id_ for span in doc.spans["linnet"]] == [identifier for _, identifier in LINKED]


def test_a_mention_that_names_several_concepts_has_all_their_identifiers(monkeypatch: pytest.MonkeyPatch) -> None:
    nlp = pipeline()

    class Both:
        def link_documents(self, documents: Iterable[Document]) -> Iterator[Document]:
            for each in documents:
                spans = (replace(span, links=(Link("D1", "x"), Link("D2", "x"))) for span in each.spans)
                yield replace(each, spans=tuple(spans))

    monkeypatch.setattr(nlp.get_pipe("linnet"), "linker", Both())

    assert concepts(nlp(TEXT)) == [(text, "D1|D2") for text, _ in FOUND]


def test_mentions_of_labels_without_a_vocabulary_have_no_identifier() -> None:
    doc = pipeline(Path("bio"), link={"Chemical": "demo"})(LITHIUM)

    assert {entity.kb_id_ for entity in doc.ents if entity.label_ == "Disease"} == {""}


def test_a_vocabulary_that_is_not_there_is_refused_when_the_component_is_added(tmp_path: Path) -> None:
    with pytest.raises(BadFile, match="nowhere"):
        pipeline(link=str(tmp_path / "nowhere"))


def test_a_threshold_leaves_out_what_linnet_load_leaves_out() -> None:
    scores = {entity.label_: entity._.linnet_score for entity in pipeline()(TEXT).ents}
    between = sum(scores.values()) / 2

    of_all = pipeline(min_score=between)(TEXT)
    of_one = pipeline(min_score={"Disease": 1})(TEXT)
    of_others = pipeline(min_score={"*": 1.0, "Disease": 0.0})(TEXT)

    assert entities(of_all) == [(text, label) for text, label in FOUND if scores[label] >= between]
    assert len(of_all.ents) == 1
    assert entities(of_one) == [FOUND[1]]
    assert entities(of_others) == [FOUND[0]]


def test_thresholds_that_make_no_sense_are_refused() -> None:
    with pytest.raises(BadSetting, match="confidence is from 0 to 1, found 2"):
        pipeline(min_score=2)
    with pytest.raises(BadSetting, match="min_score names Planet"):
        pipeline(min_score={"Planet": 0.5})


def test_links_and_thresholds_survive_saving_and_copying(tmp_path: Path) -> None:
    nlp = pipeline(Path("bio"), link={"Disease": "demo"}, min_score={"Chemical": 1.0})
    nlp.to_disk(tmp_path / "saved")

    again = spacy.load(tmp_path / "saved")
    copy = pickle.loads(pickle.dumps(nlp.get_pipe("linnet")))

    assert concepts(again(LITHIUM)) == LINKED[1:]
    assert concepts(copy(spacy.blank("en").make_doc(LITHIUM))) == LINKED[1:]


def test_a_saved_pipeline_refuses_another_vocabulary_in_the_same_place(tmp_path: Path) -> None:
    pipeline(link="demo").to_disk(tmp_path / "saved")
    kept = tmp_path / "saved" / "linnet" / "model.json"
    values = json.loads(kept.read_text(encoding="utf-8"))
    kept.write_text(json.dumps(values | {"linker": {"vocabulary": "another"}}), encoding="utf-8")

    with pytest.raises(BadFile, match="not the vocabulary that the pipeline was saved with"):
        spacy.load(tmp_path / "saved")
