"""Model card of an embedded model: what it finds, how well on each corpus, how it was made, and its weaknesses."""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from linnet.documents.counted import counted_units
from linnet.models.model_folder import ModelFacts
from linnet.reports.markdown import escape, markdown_table
from linnet.storage.files import new_file, read_text

__all__ = ["write_release_card"]

TRAINING = "## Training"


def write_release_card(
    path: Path, release: Mapping[str, Any], facts: ModelFacts, run: Path, *, notes: str | None = None
) -> None:
    """Write the card.

    Args:
        path: of the file.
        release: name, version, licence, scores and speed.
        facts: about the model.
        run: folder of the run, whose recipe is quoted, or of an older release, whose card quotes it.
        notes: Markdown file with the known weaknesses.
    """
    with new_file(path) as file:
        file.write("\n\n".join(_sections(release, facts, run, notes)) + "\n")


def _sections(release: Mapping[str, Any], facts: ModelFacts, run: Path, notes: str | None) -> Iterator[str]:
    yield f"# {release['name']} {release['version']}"
    if release["description"]:
        yield str(release["description"])
    yield (
        f"Entity types: {', '.join(facts.label_set.labels)}. Encoder: {facts.encoder}, int8 ONNX. "
        f"Licence: {release['licence']}. {release['words_per_second']:,.0f} words/s on one core."
    )
    if facts.same_abbreviations:
        yield "Abbreviations get the label of their long forms, and the other way round, in each whole document."
    yield f"`linnet annotate INPUT --output OUT --model {release['name']}`"
    for role in dict.fromkeys(row["role"] for row in release["scores"]):
        yield f"## Scores, {role}"
        yield _score_table([row for row in release["scores"] if row["role"] == role])
    yield "Strict F1 in points: both ends and the type must be right. Intervals: 95 %, bootstrap over the units."
    if notes is not None:
        yield read_text(Path(notes)).strip()
    yield from _training(run)


def _training(run: Path) -> Iterator[str]:
    recipe, older = run / "recipe.toml", run / "README.md"
    if recipe.is_file():
        yield TRAINING
        yield f"```toml\n{read_text(recipe).strip()}\n```"
    elif older.is_file() and f"\n{TRAINING}\n" in read_text(older):
        yield TRAINING
        yield read_text(older).partition(f"\n{TRAINING}\n")[2].strip()


def _score_table(rows: Sequence[Mapping[str, Any]]) -> str:
    cells = [
        (
            escape(f"{row['corpus']} {row['split']}"),
            escape(str(row["label"])),
            f"{100 * row['f1']:.1f}",
            "" if row["f1_low"] is None else f"{100 * row['f1_low']:.1f}-{100 * row['f1_high']:.1f}",
            f"{100 * row['precision']:.1f}",
            f"{100 * row['recall']:.1f}",
            f"{row['gold']:,}",
            counted_units(row["n_units"], row["units"]),
        )
        for row in rows
    ]
    return markdown_table(("corpus", "type", "F1", "95 % interval", "precision", "recall", "mentions", "units"), cells)
