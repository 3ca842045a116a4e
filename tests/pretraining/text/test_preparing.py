"""Preparation of text from files to sequences, with everything that is kept between runs."""

import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from tokenizers import Tokenizer

from linnet.errors import BadFile, BadSetting
from linnet.pretraining.text import cleaned, preparing, shards, vocabulary_folder
from linnet.pretraining.text.preparing import choose_held_out, prepare_text
from linnet.storage.folder_lock import lock_folder
from tests.pretraining.small import byte_pairs, settings, word_pieces

WORDS = "alpha beta gamma delta epsilon zeta eta theta iota kappa".split()


def document(number: int) -> str:
    """Return a line of two sentences, no two documents alike."""
    first = f"The {WORDS[number % 10]} of {WORDS[number // 10]} is in this text and it is short."
    return f"{first} It ends with {'x' * number}."


def write_text(path: Path, n_documents: int = 30) -> Path:
    path.write_text("\n\n".join(document(number) for number in range(n_documents)) + "\n", encoding="utf-8")
    return path


def test_text_becomes_training_and_held_out_sequences(tmp_path: Path) -> None:
    text = write_text(tmp_path / "a.txt")
    tokenizer = word_pieces("the", "this", "text")
    chosen = settings(tmp_path, text, cleaning={"duplicates": False, "markup": False})

    prepared = prepare_text(chosen, tokenizer)

    facts = prepared.facts
    assert facts.sources[str(text)] == cleaned.SourceFacts(files=1, documents=30, words=30 * 16)
    assert (facts.n_documents, facts.n_sentences, facts.n_words) == (30, 60, 30 * 16)
    assert 1 <= facts.n_held_out_documents < 5
    assert all(len(sequence) <= 14 for sequence in prepared.training)  # two of the 16 are special
    assert facts.n_tokens == prepared.training.n_tokens + prepared.held_out.n_tokens + facts.n_left_over
    assert facts.tokens_per_word == facts.tokens_per_word_before
    assert json.loads(json.dumps(facts.as_dict()))["n_documents"] == 30
    words = tokenizer.decode(prepared.training[0].ids.tolist())
    assert words.startswith("the")


def test_sentence_order_leaves_room_for_the_frame_of_two_texts(tmp_path: Path) -> None:
    text = write_text(tmp_path / "a.txt")

    prepared = prepare_text(settings(tmp_path, text, masking={"sentence_order": True}), word_pieces())

    assert max(len(sequence) for sequence in prepared.training) == 13


def test_results_of_earlier_runs_are_used_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    text = write_text(tmp_path / "a.txt")
    tokenizer = word_pieces()
    first = prepare_text(settings(tmp_path, text, vocabulary={"extend": 3}), tokenizer)

    monkeypatch.setattr(vocabulary_folder, "extend_vocabulary", None)
    monkeypatch.setattr(cleaned, "_read_documents", None)
    monkeypatch.setattr(shards, "_tokenise", None)
    tokenizer.enable_padding()  # nothing that concerns running text
    again = prepare_text(settings(tmp_path, text, vocabulary={"extend": 3}), tokenizer)

    assert again.facts == first.facts
    assert again.new_words == first.new_words


def test_skipped_files_are_those_of_the_folder_as_it_is_now(tmp_path: Path) -> None:
    folder = tmp_path / "texts"
    folder.mkdir()
    write_text(folder / "a.txt")
    first = prepare_text(settings(tmp_path, folder), word_pieces())

    (folder / "empty.txt").touch()
    again = prepare_text(settings(tmp_path, folder), word_pieces())

    assert (first.facts.notes, list(again.facts.notes.values())) == ({}, [1])
    assert again.facts.fingerprint == first.facts.fingerprint


@pytest.mark.parametrize(
    ("pattern", "content"),
    [
        ("cleaned-*/facts.json", "{"),
        ("cleaned-*/facts.json", "{}"),
        ("cleaned-*/documents.npy", "x"),
        ("cleaned-*/text.txt", "Somebody has shortened this.\n\n"),
        ("vocabulary-*/words.json", "5"),
        ("vocabulary-*/tokenizer.json", "{}"),
        ("tokens-*/progress.json", "[]"),
    ],
)
def test_damaged_results_are_prepared_again(tmp_path: Path, pattern: str, content: str) -> None:
    chosen = settings(tmp_path, write_text(tmp_path / "a.txt"), vocabulary={"extend": 3})
    first = prepare_text(chosen, word_pieces())
    (spoiled,) = (tmp_path / "run-text").glob(pattern)
    spoiled.write_text(content, encoding="utf-8")

    assert prepare_text(chosen, word_pieces()).facts == first.facts


def test_shards_are_not_kept_in_the_run_folder(tmp_path: Path) -> None:
    text = write_text(tmp_path / "a.txt")

    for shards_folder in (tmp_path / "run", tmp_path / "run" / "shards"):
        with pytest.raises(BadSetting, match="lies in `output`"):
            prepare_text(settings(tmp_path, text, shards=str(shards_folder)), word_pieces())


@pytest.mark.parametrize("change", ["text", "cleaning", "exclude", "tokenizer"])
def test_other_inputs_have_another_fingerprint(tmp_path: Path, change: str) -> None:
    text = write_text(tmp_path / "a.txt")
    first = prepare_text(settings(tmp_path, text), word_pieces())
    tokenizer = word_pieces()
    cleaning: dict[str, object] = {}

    if change == "text":
        write_text(text, 31)
    elif change == "cleaning":
        cleaning = {"least_words": 4}
    elif change == "exclude":
        cleaning = {"exclude": ["demo:test"]}
    else:
        tokenizer = word_pieces("alpha")
    second = prepare_text(settings(tmp_path, text, cleaning=cleaning), tokenizer)

    assert second.facts.fingerprint != first.facts.fingerprint


def test_documents_are_held_out_by_their_text_so_that_more_files_do_not_move_them(tmp_path: Path) -> None:
    whole, part = write_text(tmp_path / "whole.txt", 60), write_text(tmp_path / "part.txt", 50)

    def held_out(text: Path) -> list[str]:
        prepared = prepare_text(settings(tmp_path, text, held_out=0.2, length=200), word_pieces())
        return [prepared.tokenizer.decode(sequence.ids.tolist()) for sequence in prepared.held_out]

    some, all_of_them = held_out(part), held_out(whole)
    assert some == all_of_them[: len(some)]
    assert 4 <= len(some) <= 20  # 10 of 50 expected; fewer than 4 or more than 20 have a chance below 1 in 1,000


def test_at_least_one_document_is_held_out_and_one_is_not() -> None:
    hashes = np.array([2**63, 2**63 + 5, 2**63 + 9], np.uint64)

    assert choose_held_out(hashes, 0.01).tolist() == [True, False, False]
    assert choose_held_out(np.array([3, 1, 2], np.uint64), 0.4).tolist() == [False, True, True]
    with pytest.raises(BadSetting, match="only one document"):
        choose_held_out(hashes[:1], 0.01)


def test_sentences_of_evaluation_corpora_are_left_out_and_those_around_them_stay(tmp_path: Path) -> None:
    corpus = tmp_path / "corpus" / "test.tsv"
    corpus.parent.mkdir()
    corpus.write_text("".join(f"{word}\tO\n" for word in "It ends with xxx .".split()) + "\n", encoding="utf-8")
    text = write_text(tmp_path / "a.txt")

    prepared = prepare_text(settings(tmp_path, text, cleaning={"exclude": [str(corpus.parent)]}), word_pieces())

    assert prepared.facts.excluded == {str(corpus.parent): 1}
    assert prepared.facts.n_sentences == 59


def test_corpora_to_exclude_are_read_before_the_text_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(preparing, "find_texts", None)
    text = write_text(tmp_path / "a.txt")
    cleaning = {"exclude": [str(tmp_path / "nowhere")], "languages": ["xx"]}

    with pytest.raises(BadSetting, match=r"(?s)xx.*nowhere: there is no such file"):
        prepare_text(settings(tmp_path, text, cleaning=cleaning), word_pieces())


def test_a_run_inside_the_folder_of_its_text_does_not_learn_from_its_own_files(tmp_path: Path) -> None:
    write_text(tmp_path / "a.txt")
    chosen = settings(tmp_path, tmp_path)
    first = prepare_text(chosen, word_pieces())
    (tmp_path / "run").mkdir()
    write_text(tmp_path / "run" / "history.txt", 40)

    again = prepare_text(chosen, word_pieces())

    assert again.facts.sources[str(tmp_path)].files == 1
    assert again.facts.fingerprint == first.facts.fingerprint
    assert again.facts.notes == {"folders that runs write to, left aside": 2}


@pytest.mark.parametrize("source", ["run", "run/inside.txt", "run-text"])
def test_text_where_the_run_writes_its_own_files_is_refused(tmp_path: Path, source: str) -> None:
    with pytest.raises(BadSetting, match=f"`texts`: .*{source} is where the run writes its own files"):
        prepare_text(settings(tmp_path, tmp_path / source), word_pieces())


def test_while_another_run_prepares_text_in_the_same_folder_only_what_is_there_can_be_used(tmp_path: Path) -> None:
    text = write_text(tmp_path / "a.txt")
    known = prepare_text(settings(tmp_path, text), word_pieces())

    with lock_folder(tmp_path / "run-text"):
        assert prepare_text(settings(tmp_path, text), word_pieces()).facts == known.facts
        for change in ({"cleaning": {"least_words": 4}}, {"vocabulary": {"extend": 2}}):
            with pytest.raises(BadFile, match="run-text: another process is at work"):
                prepare_text(settings(tmp_path, text, **change), word_pieces())


def test_an_excluded_line_is_found_if_it_begins_in_lower_case(tmp_path: Path) -> None:
    corpus = tmp_path / "corpus" / "test.tsv"
    corpus.parent.mkdir()
    corpus.write_text(
        "".join(f"{word}\tO\n" for word in "p53 was found in all of the mice .".split()), encoding="utf-8"
    )
    text = write_text(tmp_path / "a.txt")
    text.write_text(f"{text.read_text()}\n\nThe end of this text is here\np53 was found in all of the mice.\n")

    prepared = prepare_text(settings(tmp_path, text, cleaning={"exclude": [str(corpus.parent)]}), word_pieces())

    assert prepared.facts.excluded == {str(corpus.parent): 1}
    assert prepared.facts.n_sentences == 61


def test_an_extended_vocabulary_needs_fewer_sub_words(tmp_path: Path) -> None:
    text = write_text(tmp_path / "a.txt", 60)

    prepared = prepare_text(settings(tmp_path, text, vocabulary={"extend": 5}), word_pieces())

    facts = prepared.facts
    assert facts.n_new_words == len(prepared.new_words) == 5
    assert facts.tokens_per_word_before is not None
    assert facts.tokens_per_word < facts.tokens_per_word_before
    assert {"this", "text", "short"} <= {word.word for word in prepared.new_words}


def test_a_learned_vocabulary_is_compared_with_the_one_before(tmp_path: Path) -> None:
    text, before = write_text(tmp_path / "a.txt", 60), word_pieces()

    prepared = prepare_text(settings(tmp_path, text, vocabulary={"train": 150}), before)

    facts = prepared.facts
    assert facts.n_new_words == len(prepared.tokenizer.get_vocab().keys() - before.get_vocab().keys()) > 0
    assert facts.tokens_per_word_before is not None
    assert facts.tokens_per_word < facts.tokens_per_word_before


def test_a_vocabulary_is_learned_with_the_special_sub_words_of_the_family(tmp_path: Path) -> None:
    text = write_text(tmp_path / "a.txt", 60)
    chosen = settings(tmp_path, text, encoder="albert-tiny", fresh=True, vocabulary={"train": 100, "kind": "unigram"})

    prepared = prepare_text(chosen, None, family="albert")

    assert prepared.tokenizer.token_to_id("<pad>") == 0
    assert prepared.facts.tokens_per_word_before is None
    assert prepared.facts.vocabulary_size <= 100


def test_the_watcher_is_called_for_every_stage_to_its_end(tmp_path: Path) -> None:
    progress: dict[str, tuple[int, int]] = {}

    def watcher(what: str, n_done: int, n_all: int) -> None:
        assert progress.get(what, (0, 0))[0] <= n_done <= n_all
        progress[what] = (n_done, n_all)

    prepare_text(
        settings(tmp_path, write_text(tmp_path / "a.txt"), vocabulary={"extend": 2}), word_pieces(), watcher=watcher
    )

    assert list(progress) == ["cleaning", "learning the vocabulary", "tokenising"]
    assert all(n_done == n_all for n_done, n_all in progress.values())


@pytest.mark.parametrize(
    ("tokenizer", "given", "expected"),
    [
        (None, {}, "there is no vocabulary"),
        (byte_pairs(), {"vocabulary": {"extend": 5}}, "cannot be added to a BPE"),
        (word_pieces(), {"cleaning": {"languages": ["xx"]}}, "xx"),
        (byte_pairs(), {"vocabulary": {"extend": 5}, "cleaning": {"languages": ["xx"]}}, r"(?s)xx.*BPE"),
    ],
)
def test_settings_that_cannot_work_are_refused_before_anything_is_read(
    tmp_path: Path, tokenizer: Tokenizer | None, given: dict[str, object], expected: str
) -> None:
    with pytest.raises(BadSetting, match=expected):
        prepare_text(settings(tmp_path, tmp_path / "nowhere.txt", **given), tokenizer)


def test_text_of_which_nothing_is_left_is_refused_with_what_was_left_out(tmp_path: Path) -> None:
    text = tmp_path / "a.txt"
    text.write_text("One two.\n\nThree four.\n", encoding="utf-8")

    with pytest.raises(BadFile, match=r"nothing is left.*lines with too few words: 2"):
        prepare_text(settings(tmp_path, text), word_pieces())

    assert not list((tmp_path / "run-text").iterdir())


def test_text_too_short_for_a_sequence_is_refused(tmp_path: Path) -> None:
    text = tmp_path / "a.txt"
    text.write_text("One.\n\nTwo.\n\nSix.\n", encoding="utf-8")

    with pytest.raises(BadFile, match="no sequence long enough; 3 documents have 6 sub-words"):
        prepare_text(settings(tmp_path, text, cleaning={"least_words": 0}), word_pieces("one", "two", "six"))


def test_a_full_disk_while_cleaning_leaves_nothing_behind(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object, **__: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("linnet.pretraining.text.cleaned.np.save", full)

    with pytest.raises(BadFile, match="No space left on device"):
        prepare_text(settings(tmp_path, write_text(tmp_path / "a.txt")), word_pieces())

    assert not list((tmp_path / "run-text").iterdir())


@pytest.mark.long
def test_preparing_needs_no_torch() -> None:
    program = (
        "import sys, linnet.pretraining.text.preparing; print(sorted({'torch', 'transformers'} & sys.modules.keys()))"
    )

    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)

    assert (done.stdout.strip(), done.stderr) == ("[]", "")


def test_a_folder_of_prepared_text_that_is_a_circular_link_is_refused(tmp_path: Path) -> None:  # issue 27
    text = tmp_path / "a.txt"
    text.write_text("one two\n", encoding="utf-8")
    (tmp_path / "run-text").symlink_to("run-text")

    with pytest.raises(BadFile, match="run-text: cannot be accessed"):
        prepare_text(settings(tmp_path, text), word_pieces())
