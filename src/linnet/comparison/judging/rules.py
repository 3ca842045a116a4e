"""Rules of judging that a grid file names before its runs: margin of equivalence, collapsed runs, test."""

from typing import Literal

from pydantic import Field

from linnet.settings.base import Settings

__all__ = ["JudgingRules"]


class JudgingRules(Settings):
    """How the runs of a grid are judged."""

    margin: float = Field(
        1.0, gt=0, le=100, description="A difference that would matter, in points; smaller ones count as equivalent."
    )

    collapse: Literal["report", "exclude"] = Field(
        "report",
        description="Whether runs that learned next to nothing count in the verdicts (report) or not (exclude).",
    )
    test: Literal["t", "rank"] = Field(
        "t", description="Test over seeds: of the mean difference (t), or of ranks, for runs that vary wildly (rank)."
    )

    @property
    def margin_share(self) -> float:
        """The margin as a fraction, as scores are."""
        return self.margin / 100
