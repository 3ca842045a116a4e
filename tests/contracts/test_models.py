"""Every model has the verbs of the contract; one that annotates has the three steps of an annotator as well."""

import inspect

import pytest

from linnet.contracts import Annotator, Model, Questions
from linnet.documents.document import Document
from linnet.tasks.ner.predictor import Predictor, load
from linnet.tasks.texts.predictor import TextPredictor
from linnet.tasks.texts.questions import TextQuestions
from tests import tiny


def members(contract: type) -> set[str]:
    return {name for name in vars(contract) if not name.startswith("_")}


@pytest.mark.parametrize(
    ("kind", "contract"),
    [(Predictor, Model), (Predictor, Annotator), (TextPredictor, Model), (TextQuestions, Questions)],
)
def test_our_classes_have_every_member_of_their_contract(kind: type, contract: type) -> None:
    fields = inspect.get_annotations(kind).keys()

    assert members(contract)
    assert members(contract) <= {*dir(kind), *fields}


def test_the_three_steps_of_an_annotator_find_what_annotate_finds() -> None:
    model = load(tiny.trained())
    documents = [Document("1", "cystic fibrosis was treated with folic acid ."), Document("2", "no ataxia .")]

    annotator: Annotator = model
    prepared = annotator.prepare(documents)
    found = annotator.finish(prepared, annotator.infer(prepared))

    assert prepared.n_words == 11  # eight and three
    assert found == list(model.annotate(documents))
