"""Reference pages of the settings, made from the settings classes."""

import re
from collections.abc import Iterable

from linnet.comparison.grid import GridSettings
from linnet.settings.files import SHORT_NAMES, describe_settings
from linnet.settings.pretraining import PretrainSettings
from linnet.training.options import describe_training_settings
from tools.site.markdown import cell, code, table

__all__ = ["settings_page"]

START = """# Settings

Every setting of a recipe, a pretraining and a grid, with its default. A recipe is a TOML file; `--set NAME=VALUE` sets
one of them on the command line, and `linnet.train(...)` takes them from Python. A name with a dot is a key of a
section: `optimiser.epochs` is `epochs` below `[optimiser]`. An unknown name is an error.
"""
PARTS = re.compile(r"(?:\[(?P<tasks>[^\]]*)\] )?(?P<text>.*) \[(?P<default>required|default .*)\]", re.S)


def settings_page() -> str:
    """Return the page with the settings of trainings, pretrainings and grids."""
    short = table(["short name", "setting"], ([code(name), code(full)] for name, full in SHORT_NAMES.items()))
    sections = [
        (
            "Training",
            "`linnet train`; a setting that is for some tasks only names them at its end.",
            _rows(describe_training_settings().items()),
        ),
        ("Pretraining", "`linnet pretrain`.", _rows(describe_settings(PretrainSettings))),
        ("Grids", "`linnet compare`; `recipe` has the settings of a training.", _rows(describe_settings(GridSettings))),
    ]
    parts = [f"## {title}\n\n{what}\n\n{rows}" for title, what, rows in sections]
    return (
        "\n\n".join(
            [
                START.strip(),
                *parts,
                "## Short names",
                "They stand for a setting in options, `--set`, grids and Python.",
                short,
            ]
        )
        + "\n"
    )


def _rows(settings: Iterable[tuple[str, str]]) -> str:
    rows = []
    for name, description in settings:
        found = PARTS.fullmatch(description)
        if found is None:
            raise ValueError(f"{name}: {description!r} is not what `describe_settings` writes")
        of_tasks = cell(f" For {found['tasks']}.") if found["tasks"] else ""
        rows.append([code(name), cell(found["text"]) + of_tasks + _default(found["default"])])
    return table(["setting", "what it is"], rows)


def _default(text: str) -> str:
    """Return a sentence about the default, which stands behind the description: two columns fit a narrow page."""
    if text == "required":
        return " Required."
    value = text.removeprefix("default ")
    return "" if value in ("null", "[]", '""') else f" Default: {code(value)}."
