"""Prediction: every word gets one tag, every mention exact offsets, in the order of what was given."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from itertools import islice
from pathlib import Path
from threading import Barrier
from typing import Any

import numpy as np
import pytest
import torch

from linnet.annotation.blocks import Block
from linnet.annotation.pipeline import annotate_block
from linnet.batches.encoding import Batch, WordEncoder
from linnet.documents.document import Document, Passage, Relation, Sentence, Span
from linnet.errors import BadFile, BadSetting
from linnet.formats.corpus import read_corpus
from linnet.labels.label_set import LabelSet
from linnet.models.torch_engine import open_tokenizer
from linnet.tasks.ner.decoding import Decoder
from linnet.tasks.ner.examples import read_examples
from linnet.tasks.ner.plan import TaggingPlan
from linnet.tasks.ner.predictor import LOOK_AHEAD, FloatArray, Predictor, load
from linnet.tasks.ner.results import predictor_of
from tests import tiny
from tests.export.exported import exported

TAGS = LabelSet.of_tags(["X"], "iob2")


class Oracle:
    """An engine that says B-X wherever a word begins with the letter x, and counts what it is asked."""

    def __init__(self, encoder: WordEncoder) -> None:
        self.x = encoder.tokenizer.token_to_id("x")
        self.n_batches = 0

    def logits(self, batch: Batch) -> FloatArray:
        self.n_batches += 1
        scores = np.zeros((*batch.ids.shape, 3), np.float32)
        scores[..., 0] = 1
        scores[..., 1] = np.where(batch.ids == self.x, 9, 0)
        return scores


def oracle(*, max_length: int = 16) -> Predictor:
    encoder = WordEncoder(open_tokenizer(tiny.trained()), max_length=max_length)
    return Predictor(Oracle(encoder), encoder, Decoder(TAGS, "iob2"))


def test_every_word_of_every_sentence_gets_one_tag() -> None:
    sentences = [["x", "no", "x"], [], ["no"] * 300 + ["x"], ["\u200b", "x"]]

    found = list(oracle().tag(sentences))

    assert [[n for n, tag in enumerate(each.tags) if tag != "O"] for each in found] == [[0, 2], [], [300], [1]]
    assert [len(each.tags) for each in found] == [len(words) for words in sentences]


@pytest.mark.parametrize("family", tiny.FAMILIES)
def test_an_untrained_network_tags_every_word(family: str, tmp_path: Path) -> None:
    plan = tiny.plan_of(tiny.settings(tmp_path, encoder=str(tiny.encoder(family))))
    assert isinstance(plan, TaggingPlan)
    torch.manual_seed(1)
    predictor = predictor_of(plan.prepared, plan.build())
    sentences = read_examples(read_corpus(tiny.corpus()).train, "iob2").words

    found = list(predictor.tag(sentences))

    assert [len(each.tags) for each in found] == [len(words) for words in sentences]


def test_a_long_sentence_is_predicted_like_its_short_parts() -> None:
    words = [("x", "no", "was")[n * n % 3] for n in range(3000)]

    [found] = oracle(max_length=64).tag([words])

    assert found.tags == ["B-X" if word == "x" else "O" for word in words]


def test_mentions_have_the_offsets_of_the_text() -> None:
    text = "  No x!\n\nThen\tx, and\u00a0x. "

    [document] = oracle().annotate([text])

    assert document.text == text
    assert [(span.start, span.end, span.label, span.id) for span in document.spans] == [
        *((5, 6, "X", "T1"), (14, 15, "X", "T2"), (21, 22, "X", "T3")),
    ]
    assert all(span.score is not None and 0 < span.score <= 1 for span in document.spans)


def test_documents_come_back_in_order_whatever_their_length() -> None:
    texts = ["x " * (1 + 7 * n % 13) for n in range(40)]
    texts[5:5] = ["", " \n\t "]

    found = list(oracle().annotate(texts))

    assert [document.text for document in found] == texts
    assert [len(document.spans) for document in found] == [text.count("x") for text in texts]
    assert [document.id for document in found] == [str(number) for number in range(1, 43)]


def test_documents_are_taken_as_they_are_needed() -> None:
    taken = 0

    def endless() -> Iterator[str]:
        nonlocal taken
        while True:
            taken += 1
            yield "no x."

    assert len(list(islice(oracle().annotate(endless()), 3))) == 3
    assert taken == LOOK_AHEAD


def test_sentences_of_many_documents_share_batches() -> None:
    predictor = oracle()

    list(predictor.annotate(["no x."] * 64))

    assert isinstance(predictor.engine, Oracle)
    assert predictor.engine.n_batches == 1


def test_a_documents_own_words_are_kept_and_its_mentions_replaced() -> None:
    text = "x-ray of x"
    document = Document(
        *("d", text, (Span(0, 5, "Old", id="T9"),), (Relation("r", ()),), (Passage(0, 10, {"type": "title"}),)),
        sentences=(Sentence(0, 10, ((0, 5), (6, 8), (9, 10))),),
    )

    [found] = oracle().annotate([document])

    assert [(span.start, span.end, span.label) for span in found.spans] == [(0, 5, "X"), (9, 10, "X")]
    assert (found.relations, found.passages, found.sentences) == ((), document.passages, document.sentences)


def test_a_mention_that_only_its_neighbours_allow_still_has_a_score_above_zero() -> None:
    predictor = oracle()
    predictor.engine = Certain()

    [document] = predictor.annotate(["no x"])

    assert [span.score for span in document.spans] == [1e-6]


class Certain:
    """An engine that would say I-X for everything, which iob2 does not allow."""

    def logits(self, batch: Batch) -> FloatArray:
        scores = np.zeros((*batch.ids.shape, 3), np.float32)
        scores[...] = (-200, 0, 150)
        return scores


def test_batches_computed_at_once_give_what_they_give_one_after_the_other() -> None:
    sentences = [["no", "ataxia"] * number for number in range(1, 30)] * 8
    alone, together = load(tiny.trained()), load(tiny.trained())
    together.n_parallel = 3
    n_at_once = Barrier(3, timeout=60)
    logits = together.engine.logits

    def waiting(batch: Batch) -> FloatArray:
        if len(seen) < 3:
            seen.append(batch)
            n_at_once.wait()  # nobody goes on before three are here
        return logits(batch)

    seen: list[Batch] = []
    together.engine.logits = waiting  # type: ignore[method-assign]

    assert list(together.tag(sentences)) == list(alone.tag(sentences))
    assert len(seen) == 3


@pytest.mark.parametrize("engine", ["torch", "onnx"])
def test_threads_can_share_a_model(engine: str) -> None:
    folder = exported() if engine == "onnx" else tiny.trained()
    model = load(folder, engine=engine)
    documents = [
        Document(f"{thread}-{n}", " ".join(document.text.split()[: 5 + 3 * n]))
        for thread in range(4)
        for n, document in enumerate(islice(read_corpus(tiny.corpus()).test, 6))
    ]
    expected = list(model.annotate(documents))
    shares = [documents[thread::4] for thread in range(4)]

    with ThreadPoolExecutor(4) as pool:
        found = list(pool.map(lambda share: list(model.annotate(share)), shares))

    assert [found[n % 4][n // 4] for n in range(len(documents))] == expected


def test_what_is_no_text_is_refused_with_its_number() -> None:
    texts: list[Any] = ["a", None]

    with pytest.raises(BadSetting, match="text 2 is None, expected a text or a document"):
        list(load(tiny.trained()).annotate(texts))


def test_one_text_is_not_taken_for_many() -> None:
    with pytest.raises(BadSetting, match="this is one text, not several"):
        next(load(tiny.trained()).annotate("ataxia"))


def test_a_trained_model_finds_what_it_was_trained_on() -> None:
    text = "cystic fibrosis was treated with folic acid ."

    [document] = load(tiny.trained()).annotate([text])

    assert [(text[span.start : span.end], span.label) for span in document.spans] == [
        ("cystic fibrosis", "Disease"),
        ("folic acid", "Chemical"),
    ]


def test_decoding_can_be_chosen_when_a_model_is_loaded() -> None:
    assert load(tiny.trained()).decoder.decoding == "valid"
    assert load(tiny.trained(), decoding="argmax").decoder.decoding == "argmax"
    with pytest.raises(BadSetting, match="no decoding called 'greedy'"):
        load(tiny.trained(), decoding="greedy")


def test_a_folder_that_is_no_model_is_refused(tmp_path: Path) -> None:
    with pytest.raises(BadFile, match="is no model folder"):
        load(tmp_path)


class Spoiled(Oracle):
    """An engine whose scores are not finite wherever a word begins with the letter y."""

    y: int
    value: float

    def logits(self, batch: Batch) -> FloatArray:
        scores = super().logits(batch)
        scores[batch.ids == self.y] = self.value
        return scores


def spoiled(value: float) -> Predictor:
    found = oracle()
    engine = Spoiled(found.encoder)
    engine.y, engine.value = found.encoder.tokenizer.token_to_id("y") or 0, value
    return Predictor(engine, found.encoder, found.decoder)


@pytest.mark.parametrize("value", [np.nan, np.inf, -np.inf])
def test_scores_that_are_not_finite_make_a_document_fail_alone(value: float) -> None:
    documents = [Document("1", "x no x"), Document("2", "no y"), Document("3", "x")]

    found = annotate_block(Block(0, documents), spoiled(value), is_strict=False)

    assert [(each.id, len(each.spans)) for each in found.documents] == [("1", 2), ("3", 1)]
    assert [(each.document, "not finite" in each.reason) for each in found.failures] == [("2", True)]


def test_scores_that_are_not_finite_are_no_tags_and_no_mentions() -> None:
    predictor = spoiled(np.nan)

    with pytest.raises(BadFile, match="not finite"):
        list(predictor.tag([["no", "y"]]))
    with pytest.raises(BadFile, match="not finite"):
        list(predictor.annotate(["no y"]))


def test_scores_of_padding_need_not_be_finite() -> None:
    predictor = spoiled(np.nan)
    predictor.encoder.pad_id = predictor.engine.y  # type: ignore[attr-defined]  # padding looks like the letter

    assert [each.tags for each in predictor.tag([["x"], ["no", "no", "no"]])] == [["B-X"], ["O", "O", "O"]]


@pytest.mark.parametrize(("is_exported", "engine"), [(False, "torch"), (True, "onnx")])
def test_a_model_shows_its_name_its_labels_and_its_engine(is_exported: bool, engine: str) -> None:
    folder = exported() if is_exported else tiny.trained()

    assert repr(load(folder)) == f"<NER model {folder.name}: Chemical, Disease; engine {engine}>"
