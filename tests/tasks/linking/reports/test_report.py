"""Report and card of a linking run."""

from tests.tasks.linking.corpora import tiny_vocabulary, trained_run


def test_the_report_has_scores_mistakes_and_weights() -> None:
    text = (trained_run().folder / "report.md").read_text(encoding="utf-8")

    assert "## Scores, test" in text
    assert "### Mistakes:" in text
    assert "| form_share |" in text
    assert "recall@1" in text


def test_the_card_names_the_vocabulary_and_how_to_repeat_it() -> None:
    text = (trained_run().folder / "README.md").read_text(encoding="utf-8")

    assert text.startswith("---\nlibrary_name: linnet")
    assert tiny_vocabulary().hash in text
    assert "linnet train" in text
    assert "## Limits" in text
