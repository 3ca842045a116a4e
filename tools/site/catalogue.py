"""Pages that list what comes with the project: recipes, corpora and embedded models."""

import re
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from linnet.corpora.table import KnownCorpus, known_corpora
from linnet.models.embedded import EmbeddedModel, embedded_models
from tools.site.markdown import cell, code, table
from tools.site.pages import ROOT

__all__ = ["corpora_page", "models_page", "recipes_page"]

RESULT = re.compile(r"^# Result: (.*?(?:\n#? {2,}.*?|\n# [a-z].*?)*)$", re.M)
CLAUSE = re.compile(r"(?:\([^)]*\)|[^;(])*")
SENTENCE_END = re.compile(r"(?<=[a-z\d)`]\.) (?=[A-Z])")
FINDING = re.compile(r"docs/findings/([\w-]+)\.md")


def recipes_page() -> str:
    """Return the page with all recipes and grids."""
    kinds: dict[str, list[list[str]]] = {"train": [], "compare": [], "pretrain": [], "other": []}
    for path in sorted((ROOT / "recipes").glob("*.toml")):
        values = tomllib.loads(path.read_text(encoding="utf-8"))
        kinds[_kind(path, values)].append(_recipe_row(path, values))
    titles = {"train": "Trainings", "compare": "Grids", "pretrain": "Pretrainings", "other": "Others"}
    header = ["recipe", "what it is", "result", "task, data and encoder"]
    parts = [f"## {titles[kind]}\n\n{table(header, rows)}" for kind, rows in kinds.items() if rows]
    start = """# Recipes

A recipe is a TOML file with the settings of a training; a grid is one with the settings in which its runs differ. Each
says at its top where its settings come from, and which result was measured with it, if one was.
`linnet train recipes/demo.toml` trains, `linnet compare recipes/grid-small.toml` compares, `linnet pretrain`
pretrains."""
    return "\n\n".join([start, *parts]) + "\n"


def corpora_page() -> str:
    """Return the page with all corpora that have a name."""
    known = known_corpora().values()
    here = [_corpus_row(each) for each in known if each.can_be_fetched]
    by_hand = [
        [code(each.name), each.task, cell(each.what), cell(each.licence), cell(each.citation)]
        for each in known
        if not each.can_be_fetched
    ]
    header = ["name", "task", "what", "train", "devel", "test", "licence", "cite"]
    return f"""# Table of corpora

`linnet corpus get NAME` downloads a corpus of the first table, checks it, and keeps it; then every command takes the
name (`--data ncbi-disease`). [How they are stored and checked](corpora.md).

{table(header, here)}

## To be asked for

These may not be redistributed. `linnet corpus get NAME` says where to apply, and where to put the files.

{table(["name", "task", "what", "licence", "cite"], by_hand)}
"""


def models_page() -> str:
    """Return the page with the embedded models and their scores."""
    models = embedded_models()
    rows = [
        [
            f"[`{each.name}`]({each.name}.md)",
            each.version,
            ", ".join(each.labels),
            _main_score(each),
            f"{each.words_per_second or 0:,.0f}",
            f"{each.n_bytes / 1e6:.1f} MB",
            each.licence,
        ]
        for each in models
    ]
    header = ["name", "version", "entity types", "F1 (95 % interval)", "words/s, one core", "size", "licence"]
    parts = [
        f"## {each.name}\n\n{cell(each.description)} [Model card]({each.name}.md).\n\n{_scores(each)}"
        for each in models
    ]
    return (
        "\n\n".join(
            [
                f"""# Models

Models that come with the package and annotate right after the installation, without torch and without a network:
`linnet annotate texts.txt --output found.jsonl` uses the first. F1 is strict (label and both ends). `linnet list
models` prints these tables. [Annotating](../annotating.md) takes any of them, your own runs, and token-classification
models of others.

{table(header, rows)}""",
                *parts,
            ]
        )
        + "\n"
    )


def _kind(path: Path, values: Mapping[str, Any]) -> str:  # Any: TOML
    if "axes" in values:
        return "compare"
    if path.name.startswith("pretrain"):
        return "pretrain"
    return "train" if "data" in values or "corpora" in values else "other"


def _recipe_row(path: Path, values: Mapping[str, Any]) -> list[str]:
    own = values.get("recipe", values)
    own = own if isinstance(own, Mapping) else {}
    link = f"[`{path.stem}`](files/recipes/{path.name})"
    task = str(own.get("task", "" if "texts" in own else "ner"))
    return [
        link,
        cell(_first_sentence(path)),
        _result(path),
        " ".join(filter(None, (task, *(code(_text(own.get(key))) for key in ("data", "encoder"))))),
    ]


def _result(path: Path) -> str:
    """Return what a recipe says first about its result, as a cell; of a grid the finding; nothing if there is none."""
    text = path.read_text(encoding="utf-8")
    found = RESULT.search(text)
    if found is None:
        finding = FINDING.search(text)
        return f"[finding](findings/{finding[1]}.md)" if finding and path.stem.startswith("grid-") else ""
    said = " ".join(found[1].replace("\n#", " ").split())
    first, *others = SENTENCE_END.split(CLAUSE.match(said)[0])  # type: ignore[index]  # it matches any text
    if others and not re.search(r"\d", first):  # "no gain" and the like: the figure comes next
        first = f"{first} {others[0]}"
    if finding := FINDING.match(first):
        return f"[finding](findings/{finding[1]}.md)"
    return "" if first.startswith("not ") else FINDING.sub(r"[finding](findings/\1.md)", cell(first.rstrip(".")))


def _text(value: object) -> str:
    return value if isinstance(value, str) else ""


def _first_sentence(path: Path) -> str:
    """Return the first sentence of the comment at the top of a recipe, after the command."""
    lines = []
    for line in path.read_text(encoding="utf-8").split("\n"):
        if not line.startswith("#"):
            break
        lines.append(line.removeprefix("#").strip())
    paragraphs = [part for part in "\n".join(lines).split("\n\n") if part and not part.startswith("linnet ")]
    text = " ".join(paragraphs[0].split()) if paragraphs else ""
    return SENTENCE_END.split(re.sub(r" Result: .*", "", text))[0]


def _corpus_row(corpus: KnownCorpus) -> list[str]:
    sizes = [_size(corpus.splits.get(split, {})) for split in ("train", "devel", "test")]
    return [code(corpus.name), corpus.task, cell(corpus.what), *sizes, cell(corpus.licence), cell(corpus.citation)]


def _size(counts: Mapping[str, int]) -> str:
    key = next((key for key in ("sentences", "examples", "documents") if key in counts), None)
    return "" if key is None else f"{counts[key]:,} {key}"


def _main_score(model: EmbeddedModel) -> str:
    return f"{_figure(model.scores[0])}, {model.scores[0]['corpus']} {model.scores[0]['split']}" if model.scores else ""


def _scores(model: EmbeddedModel) -> str:
    rows = [
        [
            cell(str(each["corpus"])),
            str(each["split"]),
            str(each["label"]),
            _figure(each),
            f"{each.get('n_units') or 0:,} {each.get('units', '')}",
        ]
        for each in model.scores
    ]
    return table(["corpus", "split", "entity type", "F1 (95 % interval)", "measured on"], rows)


def _figure(score: Mapping[str, Any]) -> str:
    interval = "" if score.get("f1_low") is None else f" ({100 * score['f1_low']:.1f}–{100 * score['f1_high']:.1f})"
    return f"{100 * score['f1']:.1f}{interval}"
