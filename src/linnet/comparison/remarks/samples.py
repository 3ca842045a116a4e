"""Notes about devel samples of single sentences, where the documents of the sentences are known."""

from collections.abc import Mapping, Sequence

from linnet.comparison.axes import label_of
from linnet.comparison.grid import PlannedRun
from linnet.contracts import CorpusFacts
from linnet.settings.training import TrainSettings

__all__ = ["note_samples_of_sentences"]

DEVEL = "devel"  # the only split that is sampled and scored


def note_samples_of_sentences(runs: Sequence[PlannedRun], corpora: Mapping[str, CorpusFacts]) -> list[str]:
    """Return a note about the corpora of which the remaining runs draw single sentences of devel, though they need not.

    Samples of the training split are never scored, so it does not matter for intervals how they are drawn.
    """
    sampled = [run.settings for run in runs if not run.is_finished and _draws_sentences(run.settings)]
    names = {settings.corpus_key: label_of("data", settings.data) for settings in sampled}
    largest = {settings.corpus_key: settings for settings in sorted(sampled, key=_n_sentences, reverse=True)}
    known = [names[key] for key, settings in largest.items() if _could_draw_documents(settings, corpora.get(key))]
    if not known:
        return []
    return [
        f"`devel_sentences` draws single sentences, though the documents are known ({', '.join(known)}): intervals "
        "with `--on devel` will be over sentences, probably too narrow; to draw whole documents, set "
        "`sample_documents = true` beside it before the runs are made"
    ]


def _draws_sentences(settings: TrainSettings) -> bool:
    is_sampled = settings.devel_sentences is not None and settings.train_on == "train"
    return is_sampled and not getattr(settings, "sample_documents", False)


def _n_sentences(settings: TrainSettings) -> int:
    return settings.devel_sentences or 0


def _could_draw_documents(settings: TrainSettings, facts: CorpusFacts | None) -> bool:
    """Is the sample a part of devel, and is it known which sentences of devel are one document?"""
    if facts is None or _n_sentences(settings) >= facts.sizes().get(DEVEL, (0, 0))[0]:
        return False
    return facts.has_documents(DEVEL)
