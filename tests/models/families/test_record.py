"""The record of a family: what it says about the names of weights."""

import pytest

from linnet.models.families import BY_TYPE, OTHER, family_of
from tests.models.families.small_networks import tagger


@pytest.mark.parametrize("model_type", BY_TYPE)
def test_the_names_of_weights_tell_their_layer(model_type: str) -> None:
    family = family_of(model_type)

    names = list(tagger(model_type).state_dict())

    n_layers = tagger(model_type).config.num_hidden_layers if model_type != "albert" else 1  # ALBERT's share one
    assert {family.layer_of(name) for name in names} == {None, *range(n_layers)}
    assert all(family.layer_of(name) == OTHER.layer_of(name) for name in names)
    lowest = [name for name in names if family.is_below_layers(name)]
    assert any("tok_embeddings" in name or "word_embeddings" in name for name in lowest)
    assert all(family.layer_of(name) is None for name in lowest)
