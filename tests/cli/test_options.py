"""Options that several commands share."""

import typer

from linnet.cli.main import app
from linnet.cli.options import read_options

OUTPUTS = {"output", "target", "report", "predictions", "plot"}  # parameters that name what is written
# finished runs are not repeated, and other settings get other folders
OWN_RULE = {"compare", "demo"}


def test_options_of_reading_become_one_record() -> None:
    found = read_options("Disease", 2, "iob2", True)

    assert (found.label, found.tag_column, found.tagging, found.repair) == ("Disease", 2, "iob2", True)


def test_every_command_that_writes_a_named_output_has_overwrite() -> None:
    commands = typer.main.get_command(app).commands  # type: ignore[attr-defined]
    parameters = {name: {each.name for each in command.params} for name, command in commands.items()}
    writing = {name for name, names in parameters.items() if names & OUTPUTS}

    assert writing >= {"annotate", "convert", "evaluate", "export", "find-lr", "import-checkpoint", "predict", "train"}
    assert {name for name in writing if "overwrite" not in parameters[name]} == OWN_RULE
