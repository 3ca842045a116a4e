"""Outcomes of linkers for comparisons."""

import pytest

from linnet.errors import BadSetting
from linnet.labels.mention import Mention
from linnet.tasks.linking.evaluation.protocols import TITLES
from linnet.tasks.linking.outcomes import check_metric, read_linking_outcomes
from tests.tasks.linking.corpora import trained_run


@pytest.mark.parametrize("metric", TITLES)
def test_every_protocol_gives_the_score_of_the_run(metric: str) -> None:
    run = trained_run()

    found = read_linking_outcomes([run.folder] * 2, metric=metric, n_resamples=5, seed=1)

    assert found.runs[0].score == pytest.approx(run.metrics["scores"][metric]["value"])
    assert len(found.words) == len(found.gold) == found.n_units == 4
    assert [len(each) for each in found.resample()] == [5, 5]


def test_mentions_are_shown_at_their_words() -> None:
    found = read_linking_outcomes([trained_run().folder], metric="any", n_resamples=5, seed=1)

    words, gold = found.words[0], found.gold[0]
    assert [" ".join(words[each.start : each.end]) for each in gold] == ["tumours", "breast cancer"]
    assert gold[0] == Mention(2, 3, "mesh:D009369")


def test_an_unknown_score_is_refused() -> None:
    with pytest.raises(BadSetting, match="no score 'f2'"):
        check_metric("f2")
