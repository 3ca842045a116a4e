"""The page of linking."""

from pathlib import Path

from linnet.tasks.linking.evaluation.evaluating import LinkingEvaluation
from linnet.tasks.linking.evaluation.protocols import count_document
from linnet.tasks.linking.reports.page import write_linking_page
from tests.browser import OpenPage
from tests.tasks.linking.evaluation.test_protocols import document, mention


def test_the_page_has_mentions_gold_answers_and_buckets(tmp_path: Path) -> None:
    documents = (document(mention(("<A>",), ("B", "<A>"), text="CF", expanded="cystic fibrosis", names=("Other",))),)
    counts = tuple(map(count_document, documents))
    evaluation = LinkingEvaluation(documents, counts, vocabulary="hash", known=1.0, n_resamples=10)

    page = write_linking_page(tmp_path, title="<title>", evaluation=evaluation, details={"model": "m"})

    text = page.read_text(encoding="utf-8")
    assert "CF = cystic fibrosis (among the first five)" in text
    assert "B Other" in text
    assert "mistakes: homonym" in text
    assert "\\u003cA>" in text
    assert "<A>" not in text


def test_mistakes_can_be_browsed(tmp_path: Path, open_page: OpenPage) -> None:
    documents = (
        document(mention(("A",), ("B", "A"), text="CF", expanded="cystic fibrosis", names=("Other",))),
        document(mention(("A",), ("A",), text="fever", expanded="fever", names=("Fever",))),
    )
    evaluation = LinkingEvaluation(documents, tuple(map(count_document, documents)), "hash", 1.0, n_resamples=10)
    write_linking_page(tmp_path, title="links", evaluation=evaluation, details={"model": "m"})

    page = open_page(tmp_path)

    assert page.text("#status") == "1 of 2 examples"
    assert page.texts("article li") == ["B Other", "A"]
    page.click("[data-show=all]")
    assert page.text("#status") == "2 of 2 examples"
    assert page.complaints() == []
