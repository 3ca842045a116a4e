"""The report's section about confidence."""

from pathlib import Path

from linnet.tasks.ner.evaluation import evaluate
from linnet.tasks.ner.reports.confidence import write_confidence
from tests import tiny


def test_few_mentions_get_a_section_without_a_plot(tmp_path: Path) -> None:
    evaluation = evaluate(tiny.trained(), tiny.corpus(), n_resamples=0)

    text = "\n".join(write_confidence(tmp_path, evaluation, {"method": "none", "reason": "no devel"}, title="tiny"))

    assert "## Confidence" in text
    assert not list(tmp_path.iterdir())
