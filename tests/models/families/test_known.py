"""Known families: what the record of each says is true of its networks."""

import ast
import inspect
from operator import attrgetter
from pathlib import Path
from typing import Any

import pytest
import torch
from torch import nn
from transformers import (
    AlbertTokenizer,
    AutoModelForMaskedLM,
    AutoModelForPreTraining,
    AutoModelForQuestionAnswering,
    AutoModelForSequenceClassification,
    AutoModelForTokenClassification,
    BertTokenizer,
    CamembertTokenizer,
    DebertaTokenizer,
    DebertaV2Tokenizer,
    LukeTokenizer,
    MPNetTokenizer,
    RobertaTokenizer,
    XLMRobertaTokenizer,
)

import linnet
from linnet.models.encoders import dropouts_of
from linnet.models.families import BY_TYPE, FAMILIES, TAG_HEAD, WITH_ORDER_HEAD, WITH_WORD_HEAD, Specials, family_of
from tests.models.families.small_networks import small_config, small_network, tagger

TOKENIZERS: dict[str, Any] = {
    "albert": AlbertTokenizer,
    "bert": BertTokenizer,
    "camembert": CamembertTokenizer,
    "deberta": DebertaTokenizer,
    "deberta-v2": DebertaV2Tokenizer,
    "distilbert": BertTokenizer,
    "electra": BertTokenizer,
    "longformer": RobertaTokenizer,
    "luke": LukeTokenizer,
    "mpnet": MPNetTokenizer,
    "roberta": RobertaTokenizer,
    "xlm-roberta": XLMRobertaTokenizer,
}
HOME = Path(linnet.__file__).parent


def test_a_model_type_belongs_to_one_family() -> None:
    assert len(BY_TYPE) == sum(1 + len(family.kin) for family in FAMILIES)


@pytest.mark.parametrize("model_type", BY_TYPE)
def test_dropout_has_the_names_of_the_record(model_type: str) -> None:
    family, config = family_of(model_type), small_config(model_type)

    config.update(dropouts_of(config, dropout=0.37, attention_dropout=0.21))

    assert all(getattr(config, name) == 0.37 for name in family.dropouts)
    assert all(getattr(config, name) == 0.21 for name in family.attention_dropouts)
    rates = {module.p for module in small_network(config).modules() if isinstance(module, nn.Dropout)}
    assert 0.37 in rates <= {0.37, 0.21}


def rates_of(network: nn.Module) -> dict[str, float]:
    """Return the rate of each dropout by its name; some attentions have a number and no module."""
    modules = {name: module.p for name, module in network.named_modules() if isinstance(module, nn.Dropout)}
    numbers = {
        f"{name}.{key}": value
        for name, module in network.named_modules()
        for key, value in vars(module).items()
        if "drop" in key and isinstance(value, float)
    }
    return modules | numbers


def kinds_of(model_type: str) -> list[Any]:
    """Return the classes of transformers that Linnet trains networks of this family with."""
    family = family_of(model_type)
    pretraining = [AutoModelForMaskedLM] * bool(family.word_heads) + [AutoModelForPreTraining] * bool(family.order_head)
    return [
        AutoModelForTokenClassification,
        AutoModelForSequenceClassification,
        AutoModelForQuestionAnswering,
        *pretraining,
    ]


@pytest.mark.parametrize("model_type", BY_TYPE)
def test_every_dropout_of_a_network_has_the_rate_that_is_set(model_type: str) -> None:
    config = small_config(model_type)
    config.update(dropouts_of(config, dropout=0.37, attention_dropout=0.21))

    rates = {kind.__name__: rates_of(small_network(config, kind)) for kind in kinds_of(model_type)}

    wrong = {(kind, name): p for kind, found in rates.items() for name, p in found.items() if p not in (0.37, 0.21)}
    assert not wrong
    assert all(0.37 in found.values() for found in rates.values())


@pytest.mark.parametrize("model_type", BY_TYPE)
def test_the_record_has_every_dropout_of_a_configuration(model_type: str) -> None:
    family, settings = family_of(model_type), small_config(model_type).to_dict()

    assert {name for name in settings if "drop" in name} == {*family.dropouts, *family.attention_dropouts}


@pytest.mark.parametrize("model_type", BY_TYPE)
def test_tags_are_scored_by_the_module_of_this_name(model_type: str) -> None:
    assert isinstance(getattr(tagger(model_type), TAG_HEAD), nn.Linear)


def test_model_types_that_can_be_pretrained_are_in_the_order_of_the_alphabet() -> None:
    assert WITH_ORDER_HEAD == ("albert", "bert")
    assert set(WITH_ORDER_HEAD) < set(WITH_WORD_HEAD)
    assert list(WITH_WORD_HEAD) == sorted(WITH_WORD_HEAD)


@pytest.mark.parametrize(
    "family", [family for family in FAMILIES if family.usual_head_flag], ids=lambda each: each.name
)
def test_a_flag_of_the_configuration_says_whether_the_head_for_masked_words_is_the_usual_one(family: Any) -> None:
    flag = str(family.usual_head_flag)
    usual, other = (
        small_network(small_config(family.name, **{flag: is_usual}), AutoModelForMaskedLM) for is_usual in (True, False)
    )

    assert all(attrgetter(name)(usual) for name in family.word_heads)
    with pytest.raises(AttributeError):
        [attrgetter(name)(other) for name in family.word_heads]


@pytest.mark.parametrize("model_type", WITH_WORD_HEAD)
def test_masked_words_are_guessed_by_the_modules_of_the_record(model_type: str) -> None:
    network = small_network(small_config(model_type), AutoModelForMaskedLM)

    found = torch.zeros(1, network.config.hidden_size)
    for name in family_of(model_type).word_heads:
        found = attrgetter(name)(network)(found)

    assert found.shape == (1, network.config.vocab_size)


@pytest.mark.parametrize("model_type", WITH_ORDER_HEAD)
def test_the_order_of_texts_is_guessed_by_the_module_of_the_record(model_type: str) -> None:
    network = small_network(small_config(model_type), AutoModelForPreTraining)

    scores = attrgetter(str(family_of(model_type).order_head))(network)(torch.zeros(1, network.config.hidden_size))

    assert scores.shape == (1, 2)


@pytest.mark.parametrize("model_type", TOKENIZERS)
def test_special_sub_words_are_those_of_the_tokenizers_in_transformers(model_type: str) -> None:
    given = inspect.signature(TOKENIZERS[model_type].__init__).parameters
    roles = {"pad": "pad", "unknown": "unk", "first": "cls", "last": "sep", "mask": "mask"}
    own = Specials(**{field: given[f"{role}_token"].default for field, role in roles.items()})

    if model_type == "mpnet":  # it has both: `<unk>` among its own special sub-words, `[UNK]` among those of BERT
        own = own._replace(unknown="<unk>")
    assert family_of(model_type).specials == own


@pytest.mark.parametrize("model_type", BY_TYPE)
def test_token_types_are_an_input_where_the_record_says_so(model_type: str) -> None:
    inputs = inspect.signature(tagger(model_type).base_model.forward).parameters

    assert ("token_type_ids" in inputs) == family_of(model_type).has_token_types


@pytest.mark.parametrize("family", FAMILIES, ids=lambda family: family.name)
def test_signs_and_prefixes_are_those_of_one_family(family: Any) -> None:
    names = tagger(family.name).state_dict()
    strangers = [name for other in FAMILIES if other is not family for name in tagger(other.name).state_dict()]

    assert not family.signs or any(sign in name for sign in family.signs for name in names)
    assert not any(sign in name for sign in family.signs for name in strangers)
    assert family.prefix in ("", f"{tagger(family.name).base_model_prefix}.")


def decides_by_family(node: ast.AST) -> bool:
    """Return whether code compares the name of a family, or looks something up by it.

    Naming a family is no decision: a size or a layout of checkpoints says which family it belongs to. Neither is an
    alias of an encoder that has the name of its family: it stands in a table with other names.
    """
    if isinstance(node, ast.Compare | ast.Set | ast.MatchValue):
        return any(is_family(each) for each in ast.walk(node))
    if isinstance(node, ast.Dict):
        return bool(node.keys) and all(is_family(key) for key in node.keys)
    return isinstance(node, ast.Subscript) and is_family(node.slice)


def is_family(node: ast.AST | None) -> bool:
    return isinstance(node, ast.Constant) and node.value in BY_TYPE


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ("family == 'bert'", True),
        ("family in ('albert', 'bert')", True),
        ("{'deberta-v2'}", True),
        ("HEADS = {'bert': 'cls', 'roberta': 'lm_head'}", True),
        ("HEADS['bert']", True),
        ("match family:\n    case 'bert': pass", True),
        ("Size('bert', layers=2)", False),
        ("Layout(family='bert')", False),
        ("ALIASES = {'minilm': 1, 'mpnet': 2}", False),
        ("family_of(model_type).word_heads", False),
    ],
)
def test_decisions_by_the_name_of_a_family_are_found(code: str, expected: bool) -> None:
    assert any(decides_by_family(node) for node in ast.walk(ast.parse(code))) is expected


def test_no_other_module_decides_by_the_name_of_a_family() -> None:
    deciding = [
        f"{path.relative_to(HOME)}:{node.lineno}"
        for path in HOME.rglob("*.py")
        if HOME / "models" / "families" not in path.parents
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.expr | ast.pattern) and decides_by_family(node)
    ]

    assert deciding == []
