from pathlib import Path

import pytest
from tokenizers import Tokenizer, models, normalizers
from transformers import AutoTokenizer, PreTrainedTokenizerFast

from linnet.models.encoders import find_encoder
from linnet.models.published.casing import case_from_files, has_capitals, lower_cases, odd_case, set_lower_case
from linnet.models.quiet import quietly
from tests import tiny
from tests.models.published.look_alikes import encoder_copy, look_alike, write_vocab


def tokenizer_with(normalizer: normalizers.Normalizer | None) -> PreTrainedTokenizerFast:
    backend = Tokenizer(models.WordPiece({"[UNK]": 0, "Ab": 1, "ab": 2}, unk_token="[UNK]"))
    backend.normalizer = normalizer
    return PreTrainedTokenizerFast(tokenizer_object=backend, unk_token="[UNK]")  # type: ignore[no-untyped-call]


@pytest.mark.parametrize(
    ("pieces", "expected"),
    [
        (["[PAD]", "[CLS]", "gene", "##s"], False),
        (["[PAD]", "BRCA", "gene"], True),
        (["Ġthe", "A", "B", "a"], False),  # a vocabulary of bytes holds every letter
        (["Ġthe", "ĠBRCA", "A"], True),
        (["Å", *(f"word{number}" for number in range(1000))], False),
    ],
)
def test_capitals_are_found_in_vocabularies_of_every_kind(pieces: list[str], expected: bool) -> None:
    assert has_capitals(pieces) is expected


@pytest.mark.parametrize(
    "normalizer",
    [
        normalizers.BertNormalizer(lowercase=True),
        normalizers.Lowercase(),
        normalizers.Sequence([normalizers.NFC(), normalizers.Lowercase()]),
    ],
)
def test_a_tokenizer_that_lower_cases_can_keep_capitals(normalizer: normalizers.Normalizer) -> None:
    tokenizer = tokenizer_with(normalizer)
    assert lower_cases(tokenizer.backend_tokenizer)

    set_lower_case(tokenizer, False)

    assert not lower_cases(tokenizer.backend_tokenizer)


@pytest.mark.parametrize("normalizer", [None, normalizers.NFC(), normalizers.BertNormalizer(lowercase=False)])
def test_a_tokenizer_that_keeps_capitals_can_lower_case(normalizer: normalizers.Normalizer | None) -> None:
    tokenizer = tokenizer_with(normalizer)

    set_lower_case(tokenizer, True)

    assert lower_cases(tokenizer.backend_tokenizer)


def test_tokenizer_json_says_the_case_where_its_configuration_does_not(tmp_path: Path) -> None:
    folder = encoder_copy(tmp_path / "encoder")
    (folder / "tokenizer_config.json").unlink()

    assert case_from_files(folder) == (True, "tokenizer.json")


def test_a_setting_overrides_the_case_and_stays_in_the_run_folder(tmp_path: Path) -> None:
    folder = look_alike(tmp_path / "cased", "scibert-cased")

    run = tiny.train(tmp_path / "run", epochs=0, encoder=str(folder), lower_case=True)

    with quietly():
        saved = AutoTokenizer.from_pretrained(run.folder)
    assert saved.tokenize("Ataxia") == ["ataxia"]
    assert any("because the setting lower_case says so" in warning for warning in run.metrics["warnings"])


def test_a_cased_vocabulary_stays_cased_in_the_run_folder(tmp_path: Path) -> None:
    folder = look_alike(tmp_path / "cased", "biobert")

    run = tiny.train(tmp_path / "run", epochs=0, encoder=str(folder))

    with quietly():
        assert AutoTokenizer.from_pretrained(run.folder).tokenize("Ataxia") == ["Ataxia"]
    assert Tokenizer.from_file(str(run.folder / "tokenizer.json")).encode(
        "Ataxia", add_special_tokens=False
    ).tokens == ["Ataxia"]


def test_a_contradiction_of_case_and_vocabulary_is_said(tmp_path: Path) -> None:
    folder = encoder_copy(tmp_path / "encoder")
    write_vocab(folder, "Ataxia", "ataxia")
    (folder / "tokenizer_config.json").write_text('{"do_lower_case": true}', encoding="utf-8")

    found = find_encoder(str(folder))

    assert found.lower_case
    assert any("the vocabulary has capitals, but text is lower-cased" in note for note in found.notes)


def test_no_contradiction_is_said_of_families_that_fit() -> None:
    for family in tiny.FAMILIES:
        found = find_encoder(str(tiny.encoder(family)))

        if family in ("bert", "electra", "mpnet"):
            assert list(odd_case(found.backend, None)) == []
