"""What annotation tools ask a model for: Label Studio's machine-learning backend and doccano's auto-labelling."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from lxml import etree

from linnet.documents.document import Document
from linnet.formats.annotation_tools.doccano import entities_of
from linnet.formats.annotation_tools.label_studio import text_of_task
from linnet.formats.annotation_tools.label_studio_writing import results_of
from linnet.serving.http.refusals import Refusal

__all__ = ["LabelConfig", "doccano_labels", "label_studio_answer", "read_label_config", "read_tasks"]

SEE_LABEL_STUDIO = 'send tasks as Label Studio does: {"tasks": [{"id": 1, "data": {"text": "..."}}]}'


@dataclass(frozen=True)
class LabelConfig:
    """What a labelling configuration says about regions in a text."""

    labels_name: str = "label"
    text_name: str = "text"
    data_key: str = ""  # of the text; found among the data if empty
    labels: Mapping[str, str] = field(default_factory=dict)  # as the project writes them, by lower case; all if empty


def read_label_config(config: object) -> LabelConfig:
    """Return the names in a project's labelling configuration; the usual ones if there is none.

    Raises:
        Refusal: if it is not XML, or has no labels for a text.
    """
    if not config:
        return LabelConfig()
    parser = etree.XMLParser(resolve_entities=False, load_dtd=False, no_network=True)
    try:
        root = etree.fromstring(str(config).encode(), parser)
    except etree.XMLSyntaxError as error:
        raise Refusal(
            400, f"the labelling configuration is no XML ({error.msg})", SEE_LABEL_STUDIO, where="label_config"
        ) from None
    texts = {element.get("name", ""): element for element in root.iter("Text", "HyperText")}
    for labels in root.iter("Labels", "HyperTextLabels"):
        text = texts.get(labels.get("toName", ""))
        if text is not None:
            names = [label.get("alias") or label.get("value", "") for label in labels.iter("Label")]
            return LabelConfig(
                labels_name=labels.get("name", "label"),
                text_name=text.get("name", "text"),
                data_key=text.get("value", "").removeprefix("$"),
                labels={name.lower(): name for name in names if name},
            )
    raise Refusal(
        400,
        "the labelling configuration has no <Labels> for a <Text>",
        "choose the template for named-entity recognition in Label Studio",
        where="label_config",
    )


def read_tasks(found: Any, config: LabelConfig) -> list[Document]:
    """Return the texts of tasks, in order."""
    tasks = found.get("tasks") if isinstance(found, dict) else None
    if not isinstance(tasks, list) or not all(isinstance(task, dict) for task in tasks):
        raise Refusal(400, "there is no list of tasks", SEE_LABEL_STUDIO, where="tasks")
    documents = []
    for number, task in enumerate(tasks):
        data = task.get("data")
        if not isinstance(data, dict):
            raise Refusal(400, "a task has no data", SEE_LABEL_STUDIO, where=f"tasks[{number}]")
        text = data.get(config.data_key)
        if not isinstance(text, str):
            try:
                text = text_of_task(data)[1]
            except ValueError as error:
                raise Refusal(400, str(error), SEE_LABEL_STUDIO, where=f"tasks[{number}].data") from None
        documents.append(Document(str(number + 1), text))
    return documents


def label_studio_answer(documents: Sequence[Document], config: LabelConfig, version: str) -> dict[str, Any]:
    """Return the predictions for tasks; labels that the project does not have are left out."""
    results = []
    for document in documents:
        spans = tuple(
            replace(span, label=config.labels.get(span.label.lower(), span.label))
            for span in document.spans
            if not config.labels or span.label.lower() in config.labels
        )
        found = results_of(replace(document, spans=spans), labels_name=config.labels_name, text_name=config.text_name)
        scores = [span.score for span in spans if span.score is not None]
        score = round(sum(scores) / len(scores), 6) if scores else 0.0
        results.append({"result": found, "score": score, "model_version": version})
    return {"results": results, "model_version": version}


def doccano_labels(document: Document) -> list[dict[str, Any]]:
    """Return the mentions of a text as doccano's auto-labelling wants them."""
    return [{key: value for key, value in entity.items() if key != "id"} for entity in entities_of(document)]
