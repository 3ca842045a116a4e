"""Models of the web service: each is loaded once, under a name, with its own queue."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from linnet.annotation.annotate import collect_settings
from linnet.annotation.blocks import Block, split_into_blocks
from linnet.annotation.pipeline import annotate_block
from linnet.annotation.provenance import Provenance, describe_maker
from linnet.contracts import Model
from linnet.contracts.linking import NamedVocabulary
from linnet.documents.document import Document
from linnet.errors import BadSetting, LinnetError
from linnet.models.loading import load
from linnet.models.model_folder import model_fingerprint, read_facts
from linnet.models.published.opening import model_folder
from linnet.serving.http.batching import Batcher, Limits, Work, divide
from linnet.serving.http.refusals import Refusal
from linnet.settings.serving import ServeSettings
from linnet.settings.thresholds import ALL_LABELS
from linnet.storage.files import resolve_path

__all__ = ["ServedModel", "check_labels", "check_models", "find_model", "open_models", "serve_model"]

NAME = re.compile(r"([A-Za-z0-9_.-]{1,64})=(.+)", re.DOTALL)
ToAnnotate = tuple[Document, float | None]  # with the least confidence of mentions


@dataclass(frozen=True)
class ServedModel:
    """A loaded model, what it is called, and its queue."""

    name: str
    task: str
    annotates: bool
    labels: tuple[str, ...]
    provenance: Provenance
    batcher: "Batcher[Any, Any]"
    min_score: Mapping[str, float] = field(default_factory=dict)  # where a request gives none; by label

    def as_dict(self) -> dict[str, object]:
        """Return what clients are told; no path of this machine."""
        return {
            "name": self.name,
            "task": self.task,
            "annotates": self.annotates,
            "labels": list(self.labels),
            "fingerprint": self.provenance.fingerprint,
            "made_by": self.provenance.maker,
            "min_score": dict(self.min_score),
        }


def open_models(
    given: Sequence[str],
    limits: Limits,
    *,
    engine: str | None = None,
    threads: int | None = None,
    min_score: Mapping[str, float] | None = None,
) -> dict[str, ServedModel]:
    """Load each model once and return them by name; the first is the default.

    Args:
        given: folders, or names and folders as `NAME=FOLDER`.
        limits: of each queue.
        engine: that runs the models.
        threads: of the CPU.
        min_score: least confidence of mentions by label, `*` for all others, where a request gives none; each model
            gets what is for its labels.

    Raises:
        LinnetError: for a model that cannot be opened, for two models of one name, and for a threshold of none.
    """
    found: dict[str, ServedModel] = {}
    for each in given:
        name, place = _parse_model(each)
        folder = model_folder(place)
        if name in found:
            raise BadSetting(f"two models are called {name!r}", "give each its own name: `--model NAME=FOLDER`")
        model = load(folder, engine=engine, threads=threads)
        settings = collect_settings("-", model=place, output="-", engine=engine)
        provenance = Provenance(describe_maker(settings), model_fingerprint(folder))
        facts = read_facts(folder)
        labels = facts.label_set.labels if model.annotates else facts.tags
        found[name] = serve_model(
            model, name=name, task=facts.task, labels=tuple(labels), provenance=provenance, limits=limits,
            min_score=min_score,
        )  # fmt: skip
    _refuse_unused_thresholds(min_score or {}, list(found.values()))
    return found


def check_models(settings: ServeSettings) -> ServeSettings:
    """Return the settings for processes elsewhere, with absolute paths of models and vocabularies; load none of them.

    Raises:
        LinnetError: for a model that is missing or broken.
    """
    models, link = [], []
    for each in settings.models:
        name, place = _parse_model(each)
        read_facts(model_folder(place))
        models.append(f"{name}={Path(place).resolve() if Path(place).exists() else place}")
    for each in settings.link:
        given = NamedVocabulary.parse(each)
        place = str(Path(given.place).resolve() if Path(given.place).exists() else given.place)
        link.append(f"{given.label}={place}" if given.label else place)
    return settings.model_copy(update={"models": tuple(models), "link": tuple(link)})


def _parse_model(given: str) -> tuple[str, str]:
    """Return name and place of `NAME=MODEL` or `MODEL`."""
    named = NAME.fullmatch(given)
    if named and not Path(given).exists():
        return named[1], named[2]
    return resolve_path(Path(given)).name, given


def serve_model(
    model: Model, *, name: str, task: str, labels: tuple[str, ...], provenance: Provenance, limits: Limits,
    min_score: Mapping[str, float] | None = None,
) -> ServedModel:  # fmt: skip
    """Return a model with its queue; of the thresholds it gets those of its labels."""
    work: Work[Any, Any]
    has_thresholds = bool(min_score) and hasattr(model, "with_min_score")
    least = {label: value for label, value in (min_score or {}).items() if label in (*labels, ALL_LABELS)}
    if model.annotates:
        work = Work(
            compute=_Annotating(_with_thresholds(model, least)),
            split=_split_documents,
            size_of=lambda given: len(given[0].text) + 1,
        )
    else:
        work = Work(compute=_Predicting(model), split=_split_texts, size_of=_size_of_text)
    return ServedModel(
        name=name,
        task=task,
        annotates=model.annotates,
        labels=labels,
        provenance=provenance,
        batcher=Batcher(work, limits),
        min_score=least if has_thresholds else {},
    )


def _refuse_unused_thresholds(min_score: Mapping[str, float], models: Sequence[ServedModel]) -> None:
    """Refuse a threshold that is for no mention of any model."""
    used = {label for model in models for label in model.min_score}
    if unused := sorted(set(min_score) - used):
        labels = sorted({label for model in models if model.annotates for label in model.labels})
        whose = ", ".join("all labels" if label == ALL_LABELS else label for label in unused)
        raise BadSetting(
            f"--min-score is given for {whose}, and no model finds such mentions",
            f"choose from {', '.join(labels)}" if labels else "leave it out",
        )


def find_model(models: Mapping[str, ServedModel], name: str | None, *, annotates: bool) -> ServedModel:
    """Return the model of this name, or the first that fits if there is none.

    Raises:
        Refusal: if there is no such model (404), none at all (409), or it does something else (422).
    """
    if not models:
        remedy = "start `linnet serve`, which has a model, or the review with `--model MODEL`"
        raise Refusal(409, "no model is loaded", remedy, where="parameter model")
    if name is None:
        fitting = [model for model in models.values() if model.annotates == annotates]
        if fitting:
            return fitting[0]
        name = next(iter(models))
    if name not in models:
        raise Refusal(
            404,
            f"there is no model called {name[:60]!r}",
            f"choose from {', '.join(models)}",
            where="parameter model",
        )
    model = models[name]
    if model.annotates != annotates:
        verb, other = (
            ("annotates documents", "/annotate") if model.annotates else ("predicts values for texts", "/predict")
        )
        raise Refusal(
            422,
            f"the model {model.name!r} {verb} (task {model.task})",
            f"use POST {other}",
            where="parameter model",
        )
    return model


def check_labels(labels: Sequence[str], model: ServedModel) -> None:
    """Refuse a label that the model does not know."""
    for label in labels:
        if label not in model.labels:
            raise Refusal(
                400,
                f"the model does not know the label {label[:60]!r}",
                f"choose from {', '.join(model.labels)}",
                where="parameter labels",
            )


@dataclass(frozen=True)
class _Annotating:
    """Annotates the documents of several requests together; those with the same least confidence at once."""

    model: Any

    def __call__(self, groups: list[list[ToAnnotate]]) -> list[list[Document]]:
        together = [each for group in groups for each in group]
        numbers_by_score: dict[float | None, list[int]] = {}
        for number, (_, min_score) in enumerate(together):
            numbers_by_score.setdefault(min_score, []).append(number)
        found: dict[int, Document] = {}
        for min_score, numbers in numbers_by_score.items():
            block = Block(0, [together[number][0] for number in numbers])
            documents = annotate_block(block, _with_min_score(self.model, min_score), is_strict=True).documents
            found.update(zip(numbers, documents, strict=True))
        return divide([found[number] for number in range(len(together))], groups)


def _with_min_score(model: Any, min_score: float | None) -> Any:
    """Return the model with this threshold, if it has some; otherwise the service leaves mentions out afterwards."""
    return model if min_score is None else _with_thresholds(model, {ALL_LABELS: min_score})


def _with_thresholds(model: Any, min_score: Mapping[str, float]) -> Any:
    return model.with_min_score(min_score) if min_score and hasattr(model, "with_min_score") else model


@dataclass(frozen=True)
class _Predicting:
    """Predicts the texts of several requests together, if each text has one prediction."""

    model: Any

    def __call__(self, groups: list[list[Any]]) -> list[list[Any]]:
        together = [text for group in groups for text in group]
        found = self.model.predict(together)
        if len(groups) > 1 and len(found) != len(together):
            raise LinnetError("predictions cannot be told apart", "each request is predicted alone")
        if len(groups) == 1:
            return [found]
        return [[replace(each, id=str(number)) for number, each in enumerate(own, 1)] for own in divide(found, groups)]


def _split_documents(given: list[ToAnnotate]) -> list[list[ToAnnotate]]:
    min_score = given[0][1] if given else None  # they are of one request
    blocks = split_into_blocks(document for document, _ in given)
    return [[(document, min_score) for document in block.documents] for block in blocks]


def _split_texts(texts: list[Any]) -> list[list[Any]]:
    return [texts]  # ids and groups of predictions depend on all of them


def _size_of_text(text: str | tuple[str, str]) -> int:
    return 1 + (len(text) if isinstance(text, str) else sum(map(len, text)))
