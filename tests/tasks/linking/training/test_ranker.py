"""Trained rankers."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from linnet.errors import BadFile
from linnet.tasks.linking.candidates import CandidateFinder
from linnet.tasks.linking.ranking import MentionText
from linnet.tasks.linking.training.learned import LearnedMention, LearnedMentions
from linnet.tasks.linking.training.ranker import LINKER, TrainedRanker, read_ranker, write_ranker
from linnet.tasks.linking.vocabularies.vocabulary import open_vocabulary
from tests.tasks.linking.corpora import tiny_vocabulary
from tests.tasks.linking.sources import OBO, build


def ranker() -> TrainedRanker:
    learned = LearnedMentions.learn([LearnedMention("tumors", "tumor", ("mesh:D010051",), 0)] * 3)
    return TrainedRanker(tiny_vocabulary(), learned, {"score": 1.0, "form_share": 9.0}, nil=0.5, min_score=0.2)


def test_a_learned_mention_comes_first_with_a_probability() -> None:
    mention = MentionText("tumors", "tumors", "tumors", "Disease")
    candidates = CandidateFinder(tiny_vocabulary()).search("tumors")

    (ranked,) = ranker().rank([mention], [candidates])

    assert candidates[0].id == "mesh:D009369"
    assert ranked[0].id == "mesh:D010051"
    assert 0 < sum(each.score for each in ranked) < 1


def test_a_ranker_is_kept_and_read_again(tmp_path: Path) -> None:
    write_ranker(tmp_path, ranker())

    again = read_ranker(tmp_path)

    assert (again.weights, again.nil, again.min_score) == (ranker().weights, 0.5, 0.2)
    assert again.learned.as_dict() == ranker().learned.as_dict()
    assert len(again.fingerprint) == 64


def test_the_embedded_vocabulary_is_kept_by_its_name(tmp_path: Path) -> None:
    write_ranker(tmp_path, replace(ranker(), vocabulary=open_vocabulary("demo")))

    kept = json.loads((tmp_path / LINKER).read_text(encoding="utf-8"))["vocabulary"]["path"]

    assert kept == "demo"  # it is built in a temporary folder, which another process does not have
    assert read_ranker(tmp_path).vocabulary.hash == open_vocabulary("demo").hash


def test_another_vocabulary_is_refused_with_both_hashes(tmp_path: Path) -> None:
    write_ranker(tmp_path, ranker())
    other = open_vocabulary(build(tmp_path, OBO).folder)

    with pytest.raises(BadFile) as refused:
        read_ranker(tmp_path, other)

    assert other.hash in refused.value.problem
    assert tiny_vocabulary().hash in refused.value.problem


@pytest.mark.parametrize("change", [{"form": 99}, {"weights": {"magic": 1.0}}, {"weights": None}])
def test_a_broken_file_is_refused(tmp_path: Path, change: dict[str, object]) -> None:
    write_ranker(tmp_path, ranker())
    values = json.loads((tmp_path / LINKER).read_text(encoding="utf-8"))
    (tmp_path / LINKER).write_text(json.dumps({**values, **change}), encoding="utf-8")

    with pytest.raises(BadFile, match=r"linker\.json"):
        read_ranker(tmp_path)
