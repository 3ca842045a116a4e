"""Checks of the settings and corpora of a tagger before any network is loaded; all problems are reported together."""

from collections.abc import Iterator

from linnet.errors import BadSetting, LinnetError, problems_of, refuse
from linnet.labels.label_set import LabelSet
from linnet.losses.class_weights import compute_class_weights
from linnet.losses.weighting import weigh
from linnet.metrics.mentions.matching import matchings
from linnet.settings.training import LossSettings
from linnet.tasks.ner.corpora.checks import corpora_problems
from linnet.tasks.ner.losses import build_weighted_loss
from linnet.tasks.ner.settings import NerSettings
from linnet.training.checks import common_problems, unknown_to_task

__all__ = [
    "check_settings",
    "loss_problems",
    "name_corpora",
    "settings_problems",
]


def check_settings(settings: NerSettings) -> None:
    """Check what needs neither corpus nor encoder, and report all problems together."""
    refuse(settings_problems(settings))


def settings_problems(settings: NerSettings) -> list[LinnetError]:
    """Return the problems of the settings that need neither corpus nor encoder."""
    problems: list[LinnetError] = [BadSetting(*problem) for problem in corpora_problems(settings)]
    problems += loss_problems(settings.loss, settings)
    for corpus in settings.corpora:
        if corpus.loss is not None:
            problems += [name_corpora(each, settings, corpus.name) for each in loss_problems(corpus.loss, settings)]
    problems += problems_of(
        lambda: _check_partial_labels(settings),
        lambda: _check_samples(settings),
        lambda: _check_distillation(settings),
        lambda: matchings.get(settings.selection.matching),
    )
    return [*problems, *_about_texts(settings), *common_problems(settings)]


def _about_texts(settings: NerSettings) -> Iterator[LinnetError]:
    """Yield settings that change nothing where words are tagged."""
    if settings.selection.metric is not None:
        yield unknown_to_task(settings, "selection.metric")


def loss_problems(loss: LossSettings, settings: NerSettings) -> list[LinnetError]:
    """Return the problems of a loss with any corpus: it is built for tags that any corpus could have."""
    trial = LabelSet.of_tags(["X"], settings.tagging)
    counts = {tag: number for number, tag in enumerate(trial.names, 1)}  # uneven, as in any corpus
    has_scheme = loss.weights is None  # given weights must wait for the corpus's tags
    problems = problems_of(
        lambda: has_scheme and compute_class_weights(loss, counts),
        lambda: build_weighted_loss(settings, trial, weigh(counts, "none"), loss),
    )
    if has_scheme and not problems:
        problems = problems_of(lambda: build_weighted_loss(settings, trial, compute_class_weights(loss, counts), loss))
    return problems


def name_corpora(error: LinnetError, settings: NerSettings, *corpora: str) -> LinnetError:
    """Return the problem with the names of the corpora that have it, where the recipe describes several corpora."""
    where = f"{'corpus' if len(corpora) == 1 else 'corpora'} {', '.join(map(repr, corpora))}"
    if not settings.corpora or error.problem.startswith(where):  # it names them already
        return error
    return type(error)(f"{where}: {error.problem}", error.remedy)


def _check_partial_labels(settings: NerSettings) -> None:
    heads = [corpus.head_name for corpus in settings.corpora]
    if settings.partial_labels and len(set(heads)) == len(heads):
        raise BadSetting(
            "partial_labels is true, but no two corpora share a head, so it has no effect",
            "give the corpora of one head the same `head`, or leave partial_labels out",
        )


def _check_samples(settings: NerSettings) -> None:
    samples = [settings.train_sentences, settings.devel_sentences, *(each.train_sentences for each in settings.corpora)]
    if settings.sample_documents and not any(samples):
        raise BadSetting(
            "sample_documents is true, but nothing is sampled, so it has no effect",
            "give `train_sentences` or `devel_sentences`, or leave sample_documents out",
        )


def _check_distillation(settings: NerSettings) -> None:
    losses = {settings.loss.name, *(corpus.loss.name for corpus in settings.corpora if corpus.loss is not None)}
    if settings.distill is not None and "crf" in losses:
        raise BadSetting(
            "soft targets are those of single words, and a CRF scores rows of tags",
            'use loss "cross-entropy" for the student; a teacher may have a CRF',
        )
