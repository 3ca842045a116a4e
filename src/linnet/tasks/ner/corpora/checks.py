"""Checks that the corpora and stages of a multi-task training fit together, before anything is read."""

from collections.abc import Iterator

from linnet.tasks.ner.settings import NerSettings

__all__ = ["corpora_problems"]


def corpora_problems(settings: NerSettings) -> Iterator[tuple[str, str]]:
    """Yield what does not fit together among corpora and stages, each with its remedy; nothing is read for that.

    It is not part of reading settings, so that training can report it together with what is wrong with the data.
    """
    names = [corpus.name for corpus in settings.corpora]
    targets = [corpus for corpus in settings.corpora if corpus.role == "target"]
    if settings.corpora and not targets:
        yield (
            "no corpus is the target, so nothing says what to evaluate",
            'give one `role = "target"`, or `--eval NAME`',
        )
    if len(targets) > 1:
        found = " and ".join(corpus.name for corpus in targets)
        yield f"more than one target: {found}", "name the one to evaluate with `--eval NAME`; the others are auxiliary"
    if len(targets) == 1 and targets[0].data != settings.data:
        yield (
            f"data is {settings.data!r}, but the target {targets[0].name!r} is in {targets[0].data!r}",
            "with `corpora`, leave `data` out",
        )
    for name in dict.fromkeys(name for name in names if names.count(name) > 1):
        yield f"two corpora are called {name!r}", "give each a name of its own (`--data NAME=FOLDER+...`)"
    yield from _stage_problems(settings, names, [corpus.name for corpus in targets])


def _stage_problems(settings: NerSettings, names: list[str], targets: list[str]) -> Iterator[tuple[str, str]]:
    known = f"there are {', '.join(names)}" if names else "describe them in [[corpora]]"
    for number, stage in enumerate(settings.stages, 1):
        unknown = [name for name in stage.corpora if name not in names]
        if unknown:
            yield f"stage {number} names {', '.join(unknown)}, which is no corpus of this recipe", known
        if len(set(stage.corpora)) < len(stage.corpora):
            yield (
                f"stage {number} names a corpus twice",
                "a larger `weight` or another sampling rule lets it count more",
            )
        if len(targets) == 1 and targets[0] not in stage.corpora:
            yield (
                f"stage {number} does not learn from the target {targets[0]}, which defines its epochs",
                "add it to the stage; `sampling` says how often it has its turn",
            )
    unused = [name for name in names if settings.stages and not any(name in stage.corpora for stage in settings.stages)]
    if unused:
        yield f"no stage learns from {', '.join(unused)}", "add it to a stage, or leave the corpus out"
