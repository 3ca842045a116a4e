"""Notes about choices of a grid whose class weights are all alike, so that their runs equal those without weights."""

from collections.abc import Mapping, Sequence

from linnet.comparison.grid import PlannedRun
from linnet.comparison.results import title_of
from linnet.contracts import CorpusFacts
from linnet.losses.weighting import NEARLY_EQUAL, weigh

__all__ = ["note_equal_weights"]

NONE = "none"  # the scheme without weights


def note_equal_weights(runs: Sequence[PlannedRun], corpora: Mapping[str, CorpusFacts]) -> list[str]:
    """Return a note for each combination whose scheme gives every tag nearly the same weight.

    Tags are counted in the whole training split; those of a sample are estimated by its share of the sentences. Runs
    that learn from several corpora are left out, because their counts are known only when they are made.
    """
    ratios: dict[str, float] = {}
    for title, run in {title_of({**run.place, **run.choice}): run for run in runs}.items():
        ratio = _find_ratio(run, corpora)
        if ratio is not None and ratio < NEARLY_EQUAL:
            ratios[title] = ratio
    return [
        f"{title}: the scheme gives every tag nearly the same class weight (ratio {ratio:.3f}), so these runs equal "
        f"those with scheme {NONE!r}; `linnet weights` shows the weights"
        for title, ratio in ratios.items()
    ]


def _find_ratio(run: PlannedRun, corpora: Mapping[str, CorpusFacts]) -> float | None:
    """Return the ratio of the largest to the smallest class weight, None without a scheme or where it is not known."""
    settings = run.settings
    loss = settings.loss
    facts = corpora.get(settings.corpus_key)
    has_scheme = loss.scheme != NONE and loss.weights is None
    if not has_scheme or settings.corpora or facts is None or facts.tags is None:
        return None
    counts = facts.tags()
    if settings.train_sentences is not None:
        total = max(1, facts.sizes().get(settings.train_on, (0, 0))[0])
        share = min(1.0, settings.train_sentences / total)
        counts = {tag: max(1, round(share * number)) for tag, number in counts.items()}
    return weigh(counts, loss.scheme, beta=loss.beta).ratio if counts else None
