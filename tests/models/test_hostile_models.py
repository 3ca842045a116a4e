"""Hostile model folders, the most telling of thousands (`tests/campaign/hostile_models.py` has them all), issue 27."""

import re
from pathlib import Path

import pytest

from tests.campaign.hostile_models import DEFECT, REFUSED, SAME, cases, check

TELLING = re.compile(
    r"(config\.json/(num_hidden_layers|hidden_size|vocab_size|hidden_act|pad_token_id)=(huge|string|null|missing)"
    r"|config\.json/(id2label|dtype|architectures)=(list|string|true)"
    r"|linnet\.json/(max_length|tags|task|text|text\.shape|text\.range)=(minus-one|null|object|string|NaN)"
    r"|tokenizer\.json/(model\.vocab|post_processor\.single|model\.type|added_tokens\.0\.id)=(huge|object|null|missing)"
    r"|(linnet|config|tokenizer)\.json/(deep|cut|not-utf-8|task-twice|model_type-twice|folder|list)"
    r"|model\.safetensors/(cut|huge-head|extra|all-int8|(classifier|pooler\.dense)\.(bias|weight)-.*))$"
)


@pytest.mark.long
@pytest.mark.parametrize("model", ["tagger", "classification"])
def test_no_damage_passes_unnoticed(model: str, tmp_path: Path) -> None:
    found = {}
    for number, (name, damage) in enumerate(cases(1, [model])):
        if TELLING.search(name):
            damage(tmp_path / str(number))
            found[name] = check(tmp_path / str(number))

    assert {name: each.detail for name, each in found.items() if each.kind == DEFECT} == {}
    assert {each.kind for each in found.values()} == {SAME, REFUSED}
    assert len(found) > 40
