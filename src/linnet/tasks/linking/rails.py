"""What annotation and comparison call in this room; heavy imports stand inside the methods."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from linnet.contracts.tasks import Outcomes

if TYPE_CHECKING:
    from linnet.tasks.linking.by_label import LinkerByLabel
    from linnet.tasks.linking.names import NamesByLabel

__all__ = ["VocabularyLinking"]


class VocabularyLinking:
    """Linking to the concepts of vocabularies."""

    name = "linking"

    def open_linker(
        self, vocabularies: Sequence[str], /, *, min_score: float | None, candidates: int
    ) -> "LinkerByLabel":
        """Open vocabularies or trained linkers, to link mentions."""
        from linnet.tasks.linking.by_label import open_linkers

        return open_linkers(vocabularies, min_score=min_score, candidates=candidates)

    def open_names(self, vocabularies: Sequence[str], /) -> "NamesByLabel":
        """Open vocabularies, to find their names in texts."""
        from linnet.tasks.linking.names import open_names

        return open_names(vocabularies)

    def judged_metrics(self) -> Mapping[str, str]:
        """Return the scores by which models that find mentions are judged."""
        from linnet.tasks.linking.evaluation.runs import TITLES

        return TITLES

    def check_judging(self, settings: Any, /, *, vocabulary: str, split: str) -> None:
        """Refuse a vocabulary that cannot judge runs with these settings."""
        from linnet.tasks.linking.evaluation.runs import check_judging

        check_judging(settings, vocabulary=vocabulary, split=split)

    def judge_runs(
        self, runs: Sequence[tuple[Path, Any]], /, *, vocabulary: str, metric: str, n_resamples: int, seed: int,
        split: str,
    ) -> Outcomes:  # fmt: skip
        """Return the scores of finished runs that find mentions, by the links of these."""
        from linnet.tasks.linking.evaluation.runs import judge_runs

        return judge_runs(runs, vocabulary=vocabulary, metric=metric, n_resamples=n_resamples, seed=seed, split=split)

    def keep_judged(self, folder: Path, /) -> dict[str, Any]:
        """Return how the links of a run were judged, without words of its corpus."""
        from linnet.tasks.linking.evaluation.kept_links import keep_judged

        return keep_judged(folder)

    def restore_judged(self, folder: Path, kept: Mapping[str, Any], /) -> None:
        """Write it into the folder of a restored run."""
        from linnet.tasks.linking.evaluation.kept_links import restore_judged

        restore_judged(folder, kept)
