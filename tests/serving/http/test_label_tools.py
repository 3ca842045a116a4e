"""What annotation tools send is understood, and they get what they can show."""

from typing import Any

import pytest

from linnet.documents.document import Document, Span
from linnet.serving.http.label_tools import (
    LabelConfig,
    doccano_labels,
    label_studio_answer,
    read_label_config,
    read_tasks,
)
from linnet.serving.http.refusals import Refusal

CONFIG = """<View><Labels name="ner" toName="doc"><Label value="disease"/><Label value="Gene"/></Labels>
<Text name="doc" value="$abstract"/></View>"""
DOCUMENT = Document("1", "😀 Bonn", (Span(2, 6, "Disease", score=0.5), Span(2, 6, "City", score=0.9)))


def test_names_come_from_the_labelling_configuration() -> None:
    assert read_label_config(CONFIG) == LabelConfig("ner", "doc", "abstract", {"disease": "disease", "gene": "Gene"})
    assert read_label_config("") == read_label_config(None) == LabelConfig()


@pytest.mark.parametrize(
    "config", ["<View>", "<View><Image name='a'/></View>", '<!DOCTYPE a [<!ENTITY b "c">]><a>&b;</a>']
)
def test_other_configurations_are_refused(config: str) -> None:
    with pytest.raises(Refusal) as caught:
        read_label_config(config)

    assert caught.value.where == "label_config"


def test_the_text_of_a_task_is_where_the_configuration_says() -> None:
    tasks = {"tasks": [{"data": {"abstract": "a", "title": "t"}}, {"data": {"text": "b"}}]}

    assert [document.text for document in read_tasks(tasks, read_label_config(CONFIG))] == ["a", "b"]


@pytest.mark.parametrize("found", [{}, {"tasks": 1}, {"tasks": [1]}, {"tasks": [{}]}, {"tasks": [{"data": {}}]}, []])
def test_other_tasks_are_refused(found: Any) -> None:
    with pytest.raises(Refusal):
        read_tasks(found, LabelConfig())


def test_labels_are_spelt_as_the_project_spells_them_and_others_left_out() -> None:
    answer = label_studio_answer([DOCUMENT], read_label_config(CONFIG), "v1")

    (result,) = answer["results"][0]["result"]
    assert result["value"]["labels"] == ["disease"]
    assert (result["from_name"], result["to_name"], result["score"]) == ("ner", "doc", 0.5)
    assert (answer["model_version"], answer["results"][0]["score"]) == ("v1", 0.5)


def test_doccano_counts_code_units() -> None:
    assert doccano_labels(DOCUMENT)[0] == {"label": "Disease", "start_offset": 3, "end_offset": 7}
