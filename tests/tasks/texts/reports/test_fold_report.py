"""The report of a cross-validation: mean, standard deviation, and each fold with a link to its report."""

from pathlib import Path

from linnet.tasks.texts.kinds import CLASSIFICATION
from linnet.tasks.texts.reports.fold_report import write_fold_report


def scores(accuracy: float, f1: float) -> dict[str, dict[str, object]]:
    return {
        "accuracy": {"value": accuracy, "n": 8, "unit": "examples"},
        "macro_f1": {"value": f1, "n": 8, "unit": "examples"},
    }


METRICS = {
    "metric": "macro_f1",
    "folds": {"1": scores(0.9, 0.5), "2": scores(0.7, 0.7)},
    "scores": {"accuracy": {"value": 0.8, "sd": 0.1414}, "macro_f1": {"value": 0.6, "sd": 0.1414}},
    "warnings": ["fold 1: <b>few</b> texts"],
}


def test_the_report_has_the_mean_and_every_fold(tmp_path: Path) -> None:
    write_fold_report(
        tmp_path / "report.md",
        title="minilm on GAD, test",
        metrics=METRICS,
        folders={"1": "fold-1", "2": "fold-2"},
        kind=CLASSIFICATION,
        details={"scheme": "none"},
    )

    text = (tmp_path / "report.md").read_text(encoding="utf-8")
    assert text.startswith("# minilm on GAD, test of 2 folds\n")
    assert "**macro F1 60.00** (standard deviation 14.14), mean over the tests of 2 folds." in text
    assert "| macro F1 | 60.00 | 14.14 | 50.00 | 70.00 |" in text
    assert "| [2](fold-2/report.md) | 70.00 | 70.00 | 8 examples |" in text
    assert "- scheme: none" in text
    assert "<b>" not in text
