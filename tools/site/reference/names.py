"""Reference pages of what has a name: formats, matchings, weighting schemes, losses, tasks and encoders."""

import inspect
from typing import Any

from linnet.contracts import formats, losses, readable_formats, tasks, weighting_schemes, writable_formats
from linnet.metrics.mentions.matching import matchings
from linnet.metrics.mentions.scores import matching_names
from linnet.models.aliases import ALIASES
from linnet.pretraining.learning.sizes import SIZES
from linnet.reports.tables import MEANING
from linnet.settings.files import describe_settings
from linnet.settings.training import TrainSettings
from tools.site.markdown import cell, code, table
from tools.site.reference.docstrings import render

__all__ = ["encoders_page", "formats_page", "losses_page", "matchings_page", "tasks_page"]


def formats_page() -> str:
    """Return the page of the formats."""
    rows = [
        [
            code(name),
            _mark(name in readable_formats()),
            _mark(name in writable_formats()),
            _suffixes(name),
            cell(formats.get(name).description),
        ]
        for name in formats.names()
    ]
    return _page(
        "Table of formats",
        "The format is detected from the content of a file; `--from` and `--to` take these names. [What each can hold]"
        "(../formats.md), and how contradictions in a file are repaired on request.",
        table(["name", "read", "written", "suffixes", "what"], rows),
    )


def matchings_page() -> str:
    """Return the page of the matchings."""
    rows = [
        [code(name), cell(MEANING.get(name) or _first_line(matchings.get(name).count))] for name in matching_names()
    ]
    return _page(
        "Matchings",
        "A matching is the rule that decides when a predicted mention counts as correct. Precision, recall and F1 are "
        "computed under each of them. [Scoring](../scoring.md) has a worked example.",
        table(["name", "what counts as right"], rows),
    )


def losses_page() -> str:
    """Return the page of the weighting schemes and the losses."""
    kinds = (("Weighting schemes", weighting_schemes), ("Losses", losses))
    parts = [
        f"## {title}\n\n" + "\n\n".join(f"### {name}\n\n{render(registry.get(name))}" for name in registry.names())
        for title, registry in kinds
    ]
    return _page(
        "Weighting schemes and losses",
        "A weighting scheme computes class weights from how often each tag occurs (`--scheme`); a loss is what "
        "training minimises (`--loss`). [Class weights](../weighting.md) says when to use which.",
        *parts,
    )


def tasks_page() -> str:
    """Return the page of the tasks, with the settings that only one of them has."""
    shared = {name for name, _ in describe_settings(TrainSettings)}
    parts = []
    for name in tasks.names():
        task = tasks.get(name)
        own = [code(key) for key, _ in describe_settings(task.settings) if key not in shared]
        settings = f"Settings of its own: {', '.join(own)}." if own else "It has no settings of its own."
        parts.append(f"## {name}\n\n{cell(task.description)}\n\n{settings}")
    return _page(
        "Table of tasks",
        "A task is what a model is trained for (`--task`). [Tasks about texts](../tasks.md) and "
        "[linking](../linking.md) have pages of their own; [extending](../extending.md) shows how to add one. "
        "The [settings](settings.md) have their defaults there.",
        *parts,
    )


def encoders_page() -> str:
    """Return the page of the aliases of encoders and the sizes of new ones."""
    known = [[code(name), cell(alias.what), code(alias.hub_name)] for name, alias in ALIASES.items()]
    sizes = [[code(name), cell(size.what), cell(size.family)] for name, size in SIZES.items()]
    return _page(
        "Encoders",
        "`--encoder` takes one of these names, a folder, or a name of the Hugging Face hub. `linnet encoders check` "
        "describes one before a training.",
        table(["name", "what", "on the hub"], known),
        "## Sizes of new encoders\n\nFor `linnet pretrain --fresh`.\n\n" + table(["name", "what", "family"], sizes),
    )


def _page(title: str, *parts: str) -> str:
    return "\n\n".join([f"# {title}", *parts]) + "\n"


def _mark(holds: bool) -> str:
    return "yes" if holds else "no"


def _suffixes(name: str) -> str:
    return ", ".join(code(suffix) for suffix in formats.get(name).suffixes)


def _first_line(thing: Any) -> str:  # of any registry
    return (inspect.getdoc(thing) or "").partition("\n")[0]
