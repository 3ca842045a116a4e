"""A matching of one's own: right is a mention whose label and last token are those of a gold mention."""

from collections import defaultdict

from linnet.labels.mention import Mention
from linnet.metrics.mentions.matching import SPANS, Matching, matchings
from linnet.metrics.mentions.scores import score
from linnet.metrics.mentions.units import Unit


def count_last_token(unit: Unit) -> dict[str, list[float]]:
    """Right is a mention with the label and the last token of a gold mention."""
    rows: dict[str, list[float]] = defaultdict(lambda: [0.0, 0.0, 0.0, 0.0])  # gold, predicted, correct, confirmed
    waiting = [(mention.end, mention.label) for mention in unit.gold]
    for _, label in waiting:
        rows[label][0] += 1
    for mention in unit.predicted:
        rows[mention.label][1] += 1
        if (mention.end, mention.label) in waiting:
            waiting.remove((mention.end, mention.label))
            rows[mention.label][2] += 1
            rows[mention.label][3] += 1
    return rows


matchings.register("last_token")(Matching(count_last_token, SPANS))

if __name__ == "__main__":
    unit = Unit(gold=(Mention(2, 5, "Disease"),), predicted=(Mention(3, 5, "Disease"),))
    scores = score([unit], names=["strict", "last_token"], n_resamples=0)
    print({name: found.micro.f1 for name, found in scores.by_matching.items()})
