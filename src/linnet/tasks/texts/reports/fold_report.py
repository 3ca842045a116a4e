"""Writes the Markdown report of a cross-validation."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from linnet.documents.counted import counted_units
from linnet.reports.markdown import escape, markdown_table
from linnet.storage.files import new_file
from linnet.tasks.texts.kinds import Kind
from linnet.tasks.texts.reports.facts import score_text

__all__ = ["write_fold_report"]


def write_fold_report(
    path: Path,
    *,
    title: str,
    metrics: Mapping[str, Any],
    folders: Mapping[str, str],
    kind: Kind,
    details: Mapping[str, str],
) -> None:
    """Write `report.md`: mean and standard deviation of each score, and all scores fold by fold.

    Args:
        path: the file.
        title: of the page.
        metrics: as `metrics.json` has them: `metric`, `folds`, `scores` and `warnings`.
        folders: beside the report, each with the report of a fold, by fold.
        kind: of prediction; shares are shown in percent.
        details: shown above the scores.
    """
    scores: Mapping[str, Mapping[str, Any]] = metrics["scores"]
    names = sorted(scores, key=lambda name: name != metrics["metric"])
    main, mean = names[0], scores[names[0]]
    sections = [
        f"# {escape(f'{title} of {len(folders)} folds')}",
        f"**{escape(_title(main))} {score_text(mean['value'], kind)}** (standard deviation "
        f"{score_text(mean['sd'], kind)}), mean over the tests of {len(folders)} folds.",
        "\n".join(f"- {escape(name)}: {escape(value)}" for name, value in details.items()),
        "## Scores",
        _score_table(metrics, names, kind),
        "## Folds",
        _fold_table(metrics, names, folders, kind),
    ]
    if metrics["warnings"]:
        sections += ["## Notes", "\n".join(f"- {escape(warning)}" for warning in metrics["warnings"])]
    with new_file(path) as file:
        file.write("\n\n".join(sections) + "\n")


def _score_table(metrics: Mapping[str, Any], names: Sequence[str], kind: Kind) -> str:
    rows = []
    for name in names:
        values = [scores[name]["value"] for scores in metrics["folds"].values()]
        mean = metrics["scores"][name]
        shown = [score_text(value, kind) for value in (mean["value"], mean["sd"], min(values), max(values))]
        rows.append((escape(_title(name)), *shown))
    return markdown_table(("score", "mean", "SD", "lowest", "highest"), rows)


def _fold_table(metrics: Mapping[str, Any], names: Sequence[str], folders: Mapping[str, str], kind: Kind) -> str:
    rows = []
    for fold, scores in metrics["folds"].items():
        shown = [score_text(scores[name]["value"], kind) for name in names]
        main = scores[names[0]]
        rows.append((f"[{fold}]({folders[fold]}/report.md)", *shown, counted_units(main["n"], main["unit"])))
    means = metrics["scores"]
    for label, key in (("mean", "value"), ("SD", "sd")):
        rows.append((label, *(score_text(means[name][key], kind) for name in names), ""))
    return markdown_table(("fold", *(escape(_title(name)) for name in names), "test"), rows)


def _title(name: str) -> str:
    """Return the title of a score, from its name.

    >>> _title("macro_f1")
    'macro F1'
    """
    return name.replace("_", " ").replace("f1", "F1")
