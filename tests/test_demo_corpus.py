"""The corpus that comes with Linnet is what its guideline says, and honestly hard."""

import re
from collections import Counter
from itertools import combinations, pairwise

import pytest

from linnet.contracts import ReadOptions
from linnet.documents.document import Document, Sentence, Span
from linnet.documents.sentences import with_sentences
from linnet.documents.spans import in_reading_order, nested_spans
from linnet.formats.corpus import Corpus, read_corpus
from linnet.labels.alignment import align
from linnet.reports.statistics import describe

GREEK = re.compile("[α-ωΑ-Ω]")
NEGATED_OR_HEDGED = re.compile(
    r"(?:\bno|\bnot|\bneither|\bnor|\bwithout|\babsence of|\bpossible|\bsuspected|\bprobable|\bpresumed|\bdenied|"
    r"\bexcluded|\bsuggest\w*|\bmay|\bmight)\b(?:\W+\w+){0,4}\W*$"
)
NAMES_INSIDE_NAMES = {  # rule 6 of the guideline: proteins, receptors and scales are other things
    ("demo-007", "angiotensin II"),  # angiotensin II type 1 receptor
    ("demo-032", "methionine"),  # methionine adenosyltransferase 2A
    ("demo-032", "O6-methylguanine"),  # O6-methylguanine-DNA methyltransferase
    ("demo-037", "retinol"),  # retinol-binding protein 4
    ("demo-041", "glutamate"),  # metabotropic glutamate receptor 5
    ("demo-057", "PSP"),  # PSP Rating Scale
}


@pytest.fixture(scope="module")
def corpus() -> Corpus:
    return read_corpus("demo", options=ReadOptions())


@pytest.fixture(scope="module")
def documents(corpus: Corpus) -> list[Document]:
    return [document for split in corpus.splits.values() for document in split.documents]


def spans_in(sentence: Sentence, document: Document) -> list[Span]:
    return in_reading_order(s for s in document.spans if sentence.start <= s.start and s.end <= sentence.end)


def chemicals(documents: list[Document]) -> list[str]:
    return [text for document in documents for span, text in document.mentions() if span.label == "Chemical"]


def test_every_offset_marks_a_whole_name(documents: list[Document]) -> None:
    for document in documents:
        for span, text in document.mentions():
            before, after = document.text[: span.start][-1:], document.text[span.end :][:1]
            assert 0 <= span.start < span.end <= len(document.text)
            assert text == document.text[span.start : span.end] == text.strip()
            assert not (before.isalnum() and text[0].isalnum()), (document.id, text)
            assert not (after.isalnum() and text[-1].isalnum()), (document.id, text)


def test_no_mention_cuts_a_token_or_lies_in_another(documents: list[Document]) -> None:
    for document in documents:
        assert not nested_spans(document.spans)
        assert not [span for row in align(document) for span in (*row.widened, *row.left_out)]


def test_the_labels_are_disease_and_chemical_in_every_split(corpus: Corpus) -> None:
    for split in corpus.splits.values():
        assert {span.label for document in split for span in document.spans} == {"Disease", "Chemical"}


def test_a_document_has_4_to_12_sentences_which_hold_all_its_text_and_its_mentions(documents: list[Document]) -> None:
    for document in documents:
        held = "".join(document.text[s.start : s.end] for s in document.sentences)
        assert 4 <= len(document.sentences) <= 12, document.id
        assert "".join(held.split()) == "".join(document.text.split())
        assert sum(len(spans_in(s, document)) for s in document.sentences) == len(document.spans)


def test_passages_are_title_and_abstract(documents: list[Document]) -> None:
    for document in documents:
        assert [passage.infons["type"] for passage in document.passages] == ["title", "abstract"]
        assert document.text[document.passages[0].end : document.passages[1].start] == "\n"
        assert document.passages[1].end == len(document.text)


def test_our_own_sentence_splitter_finds_the_sentences_that_were_marked_by_hand(documents: list[Document]) -> None:
    for document in documents:
        bare = Document(document.id, document.text, passages=document.passages)
        assert [(s.start, s.end) for s in with_sentences(bare)] == [(s.start, s.end) for s in document.sentences]


def test_there_are_at_least_400_sentences_and_ids_are_unique(documents: list[Document]) -> None:
    assert sum(len(document.sentences) for document in documents) >= 400
    assert len({document.id for document in documents}) == len(documents)


def test_documents_are_split_60_20_20(corpus: Corpus, documents: list[Document]) -> None:
    for name, share in (("train", 0.6), ("devel", 0.2), ("test", 0.2)):
        assert abs(len(corpus.split(name).documents) - share * len(documents)) <= 1


def test_no_sentence_stands_in_two_splits_or_twice(corpus: Corpus) -> None:
    sentences = {
        name: Counter(
            " ".join(document.text[s.start : s.end].casefold().split())
            for document in split
            for s in document.sentences
        )
        for name, split in corpus.splits.items()
    }

    for one, other in combinations(sentences, 2):
        assert not sentences[one].keys() & sentences[other].keys()
    assert all(number == 1 for counts in sentences.values() for number in counts.values())


def test_most_test_mentions_are_unseen_in_training_and_stats_says_so(corpus: Corpus) -> None:
    seen = {(span.label, text.casefold()) for document in corpus.train for span, text in document.mentions()}
    mentions = [(span.label, text.casefold()) for document in corpus.test for span, text in document.mentions()]
    share = sum(mention not in seen for mention in mentions) / len(mentions)

    reported = describe(corpus).splits["test"]

    assert share > 0.5
    assert reported.unseen_share == pytest.approx(share)
    assert reported.unseen_mentions == round(share * len(mentions))


def test_stats_has_nothing_to_warn_about(corpus: Corpus) -> None:
    assert describe(corpus).warnings == []


def test_abbreviations_are_introduced_in_brackets_and_used_again(documents: list[Document]) -> None:
    reused = 0
    for document in documents:
        for span, text in document.mentions():
            is_introduced = document.text[: span.start].endswith("(") and document.text[span.end :].startswith(")")
            if is_introduced and sum(c.isupper() for c in text) >= 2:
                reused += any(s.start > span.end and other == text for s, other in document.mentions())

    assert reused >= 40


def test_a_name_that_is_marked_is_marked_everywhere_in_its_document(documents: list[Document]) -> None:
    unmarked = set()
    for document in documents:
        covered = {at for span in document.spans for at in range(span.start, span.end)}
        for text in {text for _, text in document.mentions()}:
            for found in re.finditer(rf"(?<!\w){re.escape(text)}(?!\w)", document.text):
                if found.start() not in covered:
                    unmarked.add((document.id, text))

    assert unmarked == NAMES_INSIDE_NAMES


def test_coordination_occurs(documents: list[Document]) -> None:
    shared_heads = [text for d in documents for _, text in d.mentions() if re.search(r" (?:and|or) ", text)]
    between = [
        document.text[one.end : other.start]
        for document in documents
        for one, other in pairwise(in_reading_order(document.spans))
    ]

    assert len(shared_heads) >= 5
    assert sum(re.fullmatch(r",? (?:and|or) ", words) is not None for words in between) >= 40


def test_negated_and_hedged_mentions_occur(documents: list[Document]) -> None:
    found = [
        span
        for document in documents
        for sentence in document.sentences
        for span in spans_in(sentence, document)
        if NEGATED_OR_HEDGED.search(document.text[sentence.start : span.start].lower())
    ]

    assert len(found) >= 40


def test_names_with_greek_letters_commas_and_brackets_occur(documents: list[Document]) -> None:
    names = chemicals(documents)

    assert sum(GREEK.search(name) is not None for name in names) >= 10
    assert sum("," in name for name in names) >= 10
    assert sum("(" in name or "[" in name for name in names) >= 10


def test_long_and_adjacent_mentions_occur(documents: list[Document]) -> None:
    lengths = [len(text.split()) for document in documents for _, text in document.mentions()]
    adjacent = sum(
        document.text[one.end : other.start].strip(" -/") == ""
        for document in documents
        for one, other in pairwise(in_reading_order(document.spans))
    )

    assert sum(length >= 3 for length in lengths) >= 50
    assert adjacent >= 10


def test_mentions_at_the_start_and_end_of_sentences_and_sentences_without_any_occur(documents: list[Document]) -> None:
    starts = ends = without = 0
    for document in documents:
        for sentence in document.sentences:
            spans = spans_in(sentence, document)
            without += not spans
            starts += any(span.start == sentence.start for span in spans)
            ends += any(document.text[span.end : sentence.end].strip(".?!)") == "" for span in spans)

    assert starts >= 40
    assert ends >= 40
    assert without >= 40
