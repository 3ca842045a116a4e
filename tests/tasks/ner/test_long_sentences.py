"""A sentence of 3,000 words and windows of 64 sub-words: each word is learned from, predicted and scored once."""

from collections import Counter
from pathlib import Path

import pytest

from linnet.contracts import ReadOptions
from linnet.formats.rows import read_tagged
from linnet.losses.cost_sensitive import IGNORED
from linnet.tasks.ner.evaluation import evaluate
from linnet.tasks.ner.prepared import prepare
from tests import tiny

N_WORDS = 3000


@pytest.fixture(scope="module")
def long_sentence() -> list[tiny.Row]:
    rows = [row for sentence in tiny.sentences(700, 5) for row in sentence]
    rows = [("\u200b", "O") if n % 50 == 7 and tag == "O" else (word, tag) for n, (word, tag) in enumerate(rows)]
    return [*rows[: N_WORDS - 1], ("end", "O")]


@pytest.fixture(scope="module")
def long_corpus(tmp_path_factory: pytest.TempPathFactory, long_sentence: list[tiny.Row]) -> Path:
    folder = tmp_path_factory.mktemp("long") / "corpus"
    folder.mkdir()
    for split in ("train", "devel", "test"):
        (folder / f"{split}.tsv").write_text(tiny.conll([long_sentence]), encoding="utf-8")
    return folder


def test_each_words_label_is_learned_exactly_once(
    tmp_path: Path, long_corpus: Path, long_sentence: list[tiny.Row]
) -> None:
    found = prepare(tiny.settings(tmp_path, data=str(long_corpus)))

    learned: dict[int, str] = {}
    for example in found.examples:
        window = example.window
        assert len(window.ids) == len(example.labels) <= 64
        for word, start in zip(range(window.own_first, window.own_end), window.starts, strict=True):
            assert word not in learned
            learned[word] = found.label_set.names[example.labels[start]]
        assert sum(label != IGNORED for label in example.labels) == len(window.starts)
    assert [learned[word] for word in range(N_WORDS)] == [tag for _, tag in long_sentence]
    assert found.weighting.counts == Counter(tag for _, tag in long_sentence)


@pytest.mark.long
def test_each_word_is_predicted_and_each_mention_scored(
    tmp_path: Path, long_corpus: Path, long_sentence: list[tiny.Row]
) -> None:
    run = tiny.train(tmp_path / "run", data=str(long_corpus), epochs=1, batch_size=16)

    [row] = [row for row in read_tagged(run.folder / "predictions-test.tsv", ReadOptions(tag_column=2)) if row.words]
    assert list(row.words) == [word for word, _ in long_sentence]
    assert list(row.tags) == [tag for _, tag in long_sentence]
    n_mentions = sum(tag.startswith("B-") for _, tag in long_sentence)
    assert run.metrics["strict"]["micro"]["gold"] == run.metrics["mentions"] == n_mentions
    found = evaluate(run.folder, long_corpus)
    assert [len(each.tags) for each in found.predicted] == [N_WORDS]
    assert found.scores.matching("strict").micro.gold == n_mentions
