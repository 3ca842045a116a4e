"""Variables of TensorFlow are mapped to tensors of transformers, all of them and each once."""

from typing import Any

import pytest
from transformers import AlbertConfig, AutoConfig

from linnet.pretraining.tensorflow.config import compute_shapes
from linnet.pretraining.tensorflow.names import (
    OPTIONAL_PARTS,
    Target,
    find_targets,
    is_optimiser_variable,
    strip_hub_prefix,
)
from tests.pretraining.tensorflow import tf_reference
from tests.pretraining.tensorflow.tf_reference import ALBERT, BERT

CONFIGS: dict[str, tuple[Any, dict[str, tuple[int, ...]]]] = {
    "bert": (AutoConfig.for_model("bert", **BERT), tf_reference.bert_shapes(BERT)),
    "albert": (AutoConfig.for_model("albert", **ALBERT), tf_reference.albert_shapes(ALBERT)),
}
each_family = pytest.mark.parametrize("family", CONFIGS)


def targets(config: Any) -> dict[str, Target]:
    return {name: target for part in find_targets(config).values() for name, target in part.items()}


@each_family
def test_every_variable_of_the_papers_code_has_a_tensor_of_its_own(family: str) -> None:
    config, shapes = CONFIGS[family]

    found = targets(config)

    assert found.keys() == shapes.keys()
    assert len({target.name for target in found.values()}) == len(found)


@each_family
def test_a_variable_has_the_shape_of_its_tensor_after_it_is_transposed(family: str) -> None:
    config, shapes = CONFIGS[family]
    own = compute_shapes(config)

    for name, target in targets(config).items():
        shape = tuple(shapes[name])
        assert own[target.name] == (shape[::-1] if target.is_transposed else shape), name


@each_family
def test_only_kernels_are_transposed(family: str) -> None:
    found = targets(CONFIGS[family][0])

    assert {name for name, target in found.items() if target.is_transposed} == {
        name for name in found if name.endswith("/kernel")
    }


@each_family
def test_parts_that_may_be_missing_are_known(family: str) -> None:
    assert set(OPTIONAL_PARTS) < find_targets(CONFIGS[family][0]).keys()


def test_embeddings_as_wide_as_the_layers_have_no_projection() -> None:
    wide = AlbertConfig(embedding_size=16, hidden_size=16, num_attention_heads=2)
    narrow = AlbertConfig(embedding_size=8, hidden_size=16, num_attention_heads=2)

    assert "projection" not in find_targets(wide)
    assert "projection" in find_targets(narrow)


@pytest.mark.parametrize(
    ("name", "is_optimiser"),
    [
        ("bert/pooler/dense/kernel/adam_m", True),
        ("bert/pooler/dense/kernel/lamb_v", True),
        ("bert/pooler/dense/kernel/AdamWeightDecayOptimizer_1", True),
        ("global_step", True),
        ("beta1_power", True),
        ("bert/pooler/dense/kernel", False),
        ("cls/predictions/output_bias", False),
        ("adamant/kernel", False),
    ],
)
def test_variables_of_the_optimiser_are_recognised(name: str, is_optimiser: bool) -> None:
    assert is_optimiser_variable(name) == is_optimiser


def test_the_prefix_of_a_hub_module_is_removed() -> None:
    assert strip_hub_prefix("module/bert/pooler/dense/bias") == "bert/pooler/dense/bias"
    assert strip_hub_prefix("bert/module/bias") == "bert/module/bias"
