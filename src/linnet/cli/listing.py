"""The command `linnet list`."""

from enum import StrEnum
from typing import Annotated

import typer

from linnet.cli.options import AsJson
from linnet.cli.startup import Command, Group

__all__ = ["listing"]

listing = typer.Typer(
    cls=Group,
    no_args_is_help=True,
    rich_markup_mode=None,
    help="List formats, tasks, losses, settings and more.",
)


class Job(StrEnum):
    """A command that has settings."""

    TRAIN = "train"
    PRETRAIN = "pretrain"
    COMPARE = "compare"


@listing.command("formats", cls=Command)
def list_formats(*, as_json: AsJson = False) -> None:
    """List the formats that documents are read from and written to."""
    from linnet.contracts import formats

    _print_names("formats", {name: formats.get(name).description for name in formats.names()}, as_json)


@listing.command("schemes", cls=Command)
def list_schemes(*, as_json: AsJson = False) -> None:
    """List the weighting schemes, which compute class weights."""
    from linnet.contracts import weighting_schemes as schemes

    _print_names("schemes", {name: _first_line(schemes.get(name)) for name in schemes.names()}, as_json)


@listing.command("losses", cls=Command)
def list_losses(*, as_json: AsJson = False) -> None:
    """List the losses that a model can be trained with."""
    from linnet.contracts import losses

    _print_names("losses", {name: _first_line(losses.get(name)) for name in losses.names()}, as_json)


@listing.command("matchings", cls=Command)
def list_matchings(*, as_json: AsJson = False) -> None:
    """List the matchings, the rules that say what is correct."""
    from linnet.metrics.mentions.matching import matchings
    from linnet.metrics.mentions.scores import matching_names
    from linnet.reports.tables import MEANING

    rows = {name: MEANING.get(name) or _first_line(matchings.get(name).count) for name in matching_names()}
    _print_names("matchings", rows, as_json)


@listing.command("encoders", cls=Command)
def list_encoders(*, as_json: AsJson = False) -> None:
    """List the aliases of pretrained encoders.

    A folder or a hub name can be used as well.
    """
    from linnet.models.aliases import ALIASES

    _print_names("encoders", {name: f"{alias.what} ({alias.hub_name})" for name, alias in ALIASES.items()}, as_json)


@listing.command("models", cls=Command)
def list_models(*, as_json: AsJson = False) -> None:
    """List the embedded models, which annotate right after the installation."""
    from linnet.cli.display.models import model_table, score_tables
    from linnet.cli.display.printing import print_json, print_line, print_tables
    from linnet.models.embedded import embedded_models

    models = embedded_models()
    if as_json:
        print_json({"models": [model.as_dict() for model in models]})
    elif models:
        print_tables(model_table(models), *score_tables(models))
    else:
        print_line("this installation has no embedded model; `linnet train` trains one")


@listing.command("tasks", cls=Command)
def list_tasks(*, as_json: AsJson = False) -> None:
    """List the tasks that a model can be trained for."""
    from linnet.contracts import tasks

    _print_names("tasks", {name: tasks.get(name).description for name in tasks.names()}, as_json)


@listing.command("sizes", cls=Command)
def list_sizes(*, as_json: AsJson = False) -> None:
    """List the sizes of new encoders for `linnet pretrain --fresh`."""
    from linnet.pretraining.learning.sizes import SIZES

    _print_names("sizes", {name: f"{size.what} ({size.family})" for name, size in SIZES.items()}, as_json)


@listing.command("settings", cls=Command)
def list_settings(
    job: Annotated[Job, typer.Argument(help="command whose settings are listed")] = Job.TRAIN,
    *,
    as_json: AsJson = False,
) -> None:
    """List the settings of recipes and grids with their defaults.

    They are also set with `--set`. Brackets show which tasks a setting is for; settings without brackets are for all
    tasks.
    """
    _print_names("settings", _settings_of(job), as_json)


def _settings_of(job: Job) -> dict[str, str]:
    from linnet.settings.files import describe_settings

    if job is Job.TRAIN:
        from linnet.training.options import describe_training_settings

        return describe_training_settings()
    if job is Job.PRETRAIN:
        from linnet.settings.pretraining import PretrainSettings

        return dict(describe_settings(PretrainSettings))
    from linnet.comparison.grid import GridSettings

    return dict(describe_settings(GridSettings))


def _print_names(kind: str, description_by_name: dict[str, str], as_json: bool) -> None:
    from textwrap import fill

    from linnet.cli.display.printing import print_json, print_line, screen_width

    if as_json:
        print_json({kind: [{"name": name, "description": text} for name, text in description_by_name.items()]})
        return
    size = max(map(len, description_by_name), default=0) + 2
    for name, text in description_by_name.items():
        print_line(fill(f"{name:{size}}{text}", width=screen_width(), subsequent_indent=" " * size))


def _first_line(thing: object) -> str:
    return (thing.__doc__ or "").strip().split("\n")[0]
