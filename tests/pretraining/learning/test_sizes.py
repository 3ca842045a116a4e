"""Sizes of fresh encoders are those of the papers."""

import pytest
from transformers import AutoConfig

from linnet.errors import UnknownName
from linnet.models.families import WITH_WORD_HEAD
from linnet.pretraining.learning.sizes import SIZES, find_size


@pytest.mark.parametrize(
    ("size", "layers", "hidden", "heads", "inner"),
    [
        # Turc et al. 2019; Lan et al. 2020, table 1; Clark et al. 2020, table 6; Liu et al. 2019, table 9
        ("bert-tiny", 2, 128, 2, 512),
        ("bert-mini", 4, 256, 4, 1024),
        ("bert-small", 4, 512, 8, 2048),
        ("bert-base", 12, 768, 12, 3072),
        ("albert-base", 12, 768, 12, 3072),
        ("albert-large", 24, 1024, 16, 4096),
        ("electra-small", 12, 256, 4, 1024),
        ("roberta-base", 12, 768, 12, 3072),
    ],
)
def test_sizes_are_those_of_the_papers(size: str, layers: int, hidden: int, heads: int, inner: int) -> None:
    options = find_size(size).options

    keys = ("num_hidden_layers", "hidden_size", "num_attention_heads", "intermediate_size")
    assert tuple(options[key] for key in keys) == (layers, hidden, heads, inner)
    assert options.get("embedding_size", 128) == 128


@pytest.mark.parametrize("name", SIZES)
def test_every_size_is_a_valid_configuration_of_its_family(name: str) -> None:
    size = SIZES[name]

    config = AutoConfig.for_model(size.family, **size.options)

    assert size.family in WITH_WORD_HEAD
    assert name.startswith(f"{size.family}-")
    assert config.hidden_size % config.num_attention_heads == 0
    assert f"of {config.hidden_size:,}" in size.what
    assert size.what.startswith(f"{config.num_hidden_layers} ")


def test_an_unknown_size_is_refused_with_the_nearest_one() -> None:
    with pytest.raises(UnknownName, match="no size called 'albert-bse'") as refused:
        find_size("albert-bse")

    assert "did you mean 'albert-base'?" in refused.value.remedy
    assert "roberta-large" in refused.value.remedy
