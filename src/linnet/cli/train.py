"""The command `linnet train`."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from linnet.cli.options import AsJson, Corpora, Evaluated, FormatName, Label, Repair, TaskName

if TYPE_CHECKING:
    from linnet.contracts import Task
    from linnet.settings.training import TrainSettings
    from linnet.training.run_folder import Run

__all__ = ["train"]


def train(
    recipe: Annotated[Path | None, typer.Argument(help="recipe: TOML file with the settings; see recipes/")] = None,
    *,
    data: Corpora = None,
    evaluated: Evaluated = None,
    output: Annotated[str | None, typer.Option(help="folder of the run")] = None,
    task: TaskName = None,
    encoder: Annotated[str | None, typer.Option(help="alias, folder or hub name; see `linnet list encoders`")] = None,
    scheme: Annotated[
        str | None, typer.Option(help="weighting scheme for class weights; see `linnet list schemes`")
    ] = None,
    beta: Annotated[float | None, typer.Option(help="for the scheme ens: the effective-number factor")] = None,
    loss: Annotated[str | None, typer.Option(help="loss; see `linnet list losses`")] = None,
    epochs: Annotated[int | None, typer.Option(help="number of passes over the training split")] = None,
    batch_size: Annotated[int | None, typer.Option(help="sentences per update")] = None,
    learning_rate: Annotated[
        float | None, typer.Option(help="peak learning rate; `linnet find-lr` suggests one")
    ] = None,
    max_length: Annotated[
        int | None, typer.Option(help="sub-words read together; longer sentences are read in windows")
    ] = None,
    seed: Annotated[int | None, typer.Option(help="random seed")] = None,
    threads: Annotated[int | None, typer.Option(help="CPU threads")] = None,
    format: FormatName = None,
    label: Label = None,
    repair: Repair = False,
    documents: Annotated[
        list[str] | None,
        typer.Option(
            metavar="[SPLIT=]FILE",
            help="for corpora with sentences only: id of each sentence's document, one per line or in a column "
            "(FILE:2), or the documents; of test, or of the split that is named; repeatable",
        ),
    ] = None,
    vocabulary: Annotated[str | None, typer.Option(help="for linking: folder of the vocabulary")] = None,
    keep_heads: Annotated[
        bool, typer.Option("--keep-heads", help="save the heads of all corpora beside the model, for further training")
    ] = False,
    set_: Annotated[
        list[str] | None, typer.Option("--set", metavar="KEY=VALUE", help="any setting; see `linnet list settings`")
    ] = None,
    resume: Annotated[
        bool, typer.Option("--resume", help="continue an interrupted run from its last checkpoint")
    ] = False,
    overwrite: Annotated[
        bool, typer.Option("--overwrite", help="replace an existing run in the output folder")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Fine-tune an encoder on one or more corpora; the run folder has the model, its scores, reports and card.

    Settings are read from the recipe, then from the options, then from `--set`; later ones override earlier ones.
    """
    from linnet.settings.short_forms import spread_corpora, spread_documents
    from linnet.training.options import load_training

    settings = load_training(
        recipe,
        set_ or (),
        **spread_corpora(data, evaluated, recipe),
        **spread_documents(documents),
        output=output,
        task=task,
        encoder=encoder,
        seed=seed,
        threads=threads,
        format=format,
        label=label,
        repair=repair or None,
        scheme=scheme,
        beta=beta,
        loss=loss,
        epochs=epochs,
        batch_size=batch_size,
        learning_rate=learning_rate,
        max_length=max_length,
        keep_heads=keep_heads or None,
        vocabulary=vocabulary,
    )
    _run(settings, resume=resume, overwrite=overwrite, as_json=as_json)


def _run(settings: "TrainSettings", *, resume: bool, overwrite: bool, as_json: bool) -> None:
    """Train, with a network or without, and print the scores."""
    from linnet.contracts import has_network, tasks

    is_network = has_network(tasks.get(settings.task), settings)
    if is_network:
        from linnet.cli.display.watching import training_bar
        from linnet.training.train import train as train_model
        from linnet.training.trainer import is_main_process

        with training_bar(tasks.get(settings.task).score_title) as bar:
            run = train_model(settings, watcher=bar, resume=resume, overwrite=overwrite)
        if not is_main_process():
            return
    else:
        from linnet.training.without_network import train_without_network

        run = train_without_network(settings, resume=resume, overwrite=overwrite)
    _print(run, tasks.get(settings.task), is_network=is_network, as_json=as_json)


def _print(run: "Run", task: "Task", *, is_network: bool, as_json: bool) -> None:
    """Print the warnings, the scores and what was written."""
    from linnet.cli.display.printing import print_json, print_line, print_scores, print_warnings

    print_warnings(run.metrics.get("warnings", []))
    if as_json:
        print_json(run.metrics)
        return
    print_warnings(run.metrics.get("corpus_warnings", []), what="corpus")
    print_warnings(run.metrics.get("hints", []), what="hint")
    folds = run.facts.folds
    if run.metrics.get("split"):
        how = f"mean of {len(folds)} folds" if folds else f"best epoch {run.metrics['best_epoch']}"
        print_line(f"{run.metrics['split']} split, {how if is_network else 'without a network'}\n")
        print_scores(task.tables(run.metrics))
    plot = "training.png, " if is_network else ""
    files = "report.md, metrics.json" if folds else f"model, report.md, mistakes.tsv, {plot}README.md (model card)"
    print_line(f"\n{run.folder}: {', '.join([*folds, files])}")
