"""The command `linnet`: its sub-commands, exit codes, and errors as messages with a remedy.

Exit code 0: done. 2: the user can fix it; the message and its remedy stand on standard error. 130: interrupted.
143: terminated (SIGTERM). 1 without a message: nobody reads the output any more. Anything else is a bug and keeps its
traceback.
"""

import os
import sys
from errno import ENAMETOOLONG, ENOSPC
from typing import Annotated

import typer

from linnet import __version__
from linnet.cli.annotate import annotate
from linnet.cli.corpora.convert import convert
from linnet.cli.corpora.corpus import corpus
from linnet.cli.corpora.split import split
from linnet.cli.corpora.stats import stats
from linnet.cli.corpora.weights import weights
from linnet.cli.demo import demo
from linnet.cli.encoders import encoders
from linnet.cli.export import export
from linnet.cli.find_lr import find_lr
from linnet.cli.import_checkpoint import import_checkpoint
from linnet.cli.interrupts import describe_interrupt, find_interrupt, heeding_termination
from linnet.cli.link import link
from linnet.cli.listing import listing
from linnet.cli.predict import predict
from linnet.cli.pretrain import pretrain
from linnet.cli.review import review
from linnet.cli.run import run
from linnet.cli.scores.compare import compare
from linnet.cli.scores.compare_runs import compare_runs
from linnet.cli.scores.evaluate import evaluate
from linnet.cli.scores.score import score
from linnet.cli.serve import serve
from linnet.cli.startup import Command, Group
from linnet.cli.train import train
from linnet.cli.vocabulary import vocabulary
from linnet.errors import LinnetError
from linnet.extras import explain_missing_extras
from linnet.storage.shortages import explain_shortage
from linnet.storage.telemetry import switch_off_telemetry

__all__ = ["app", "main"]

app = typer.Typer(
    cls=Group,
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode=None,  # plain help: the coloured one would take twice as long to load as all the rest
    pretty_exceptions_enable=False,
    help="Fine-tune, compare, evaluate and run biomedical language models.",
)
for command in (
    convert,
    stats,
    weights,
    score,
    split,
    pretrain,
    train,
    evaluate,
    compare,
    compare_runs,
    annotate,
    link,
    predict,
    serve,
    review,
    export,
    find_lr,
    import_checkpoint,
    demo,
):
    # the whole first line, which typer would cut where it does not fit
    app.command(cls=Command, short_help=(command.__doc__ or "").partition("\n")[0])(command)
app.add_typer(corpus, name="corpus")
app.add_typer(listing, name="list")
app.add_typer(run, name="run")
app.add_typer(encoders, name="encoders")
app.add_typer(vocabulary, name="vocabulary")


@app.callback(invoke_without_command=True)
def root(version: Annotated[bool, typer.Option("--version", help="print the version and exit")] = False) -> None:
    """Take what stands before the command."""
    if version:
        typer.echo(f"linnet {__version__}")
        raise typer.Exit


def main() -> None:
    """Run the command line; a `LinnetError` and a shortage of the machine become a message and exit code 2."""
    # threads that wait for one another must not spin: beside other jobs that makes a training ten times slower
    os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")
    switch_off_telemetry()
    try:
        with heeding_termination(), explain_missing_extras():
            app(prog_name="linnet")
    except LinnetError as error:
        _refuse(error)
    except KeyboardInterrupt as interrupt:  # before or after typer's own care for it
        _end_interrupted(interrupt)
    except SystemExit as end:
        found = find_interrupt(end)
        if found is not None:
            _end_interrupted(found)
        raise
    except Exception as error:
        _refuse_system_error(error)
        raise  # a bug, or a file that somebody forgot to open with care


def _refuse_system_error(error: Exception) -> None:
    """End with a message if the system refuses something; other errors are the caller's."""
    shortage = explain_shortage(error)
    if isinstance(error, OSError):
        if error.errno == ENAMETOOLONG:
            _refuse(LinnetError(f"{error.filename}: cannot be accessed ({error.strerror})", "give a shorter name"))
        if error.filename is None and (shortage is None or error.errno == ENOSPC):
            _refuse_output(error)
    if shortage is not None:
        _refuse(shortage)


def _end_interrupted(interrupt: KeyboardInterrupt) -> None:
    message, code = describe_interrupt(interrupt, sys.argv[1:])
    print(message, file=sys.stderr)  # noqa: T201 — commands print
    sys.exit(code)


def _refuse_output(error: OSError) -> None:
    """End because standard output takes no more; what is buffered must go somewhere, or Python complains again."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.__stdout__.fileno() if sys.__stdout__ else 1)
    _refuse(LinnetError(f"standard output: cannot be written ({error.strerror})", "check the space left there"))


def _refuse(error: LinnetError) -> None:
    print(f"linnet: {error.problem}\n  Try: {error.remedy}", file=sys.stderr)  # noqa: T201 — commands print
    sys.exit(2)
