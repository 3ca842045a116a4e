"""The OpenAPI description of the web service, which is kept in `docs/openapi.json`."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from linnet import __version__
from linnet.serving.http.linking import MOST_CANDIDATES
from linnet.serving.http.media_types import media_type_of, readable_names, writable_names
from linnet.serving.http.requests import ANNOTATING, CONVERTING, LINKING

__all__ = ["ERRORS_OF_PAGES", "Json", "describe_api", "describe_operation", "json_content"]

Json = dict[str, Any]
STATUSES = {
    "400": "The request is wrong; `where` says in which place.",
    "401": "The token is missing or wrong.",
    "403": "This host or origin may not use the service.",
    "404": "There is no such model.",
    "406": "No answer can be given in an accepted format.",
    "408": "The body arrived too slowly.",
    "409": "No vocabulary is loaded.",
    "413": "The request is too large; `limits` says what is taken.",
    "415": "The content type is not known, or the body is compressed.",
    "422": "The model cannot answer this, or a document cannot be read.",
    "431": "Address and headers are too long.",
    "500": "An error of the service.",
    "503": "Too many requests wait; try again after `Retry-After` seconds.",
    "504": "No answer within the time limit.",
}
ERRORS_OF_PAGES = {status: STATUSES[status] for status in ("401", "403", "500")}
SPAN = {
    "type": "object",
    "required": ["start", "end", "label", "text"],
    "properties": {
        "id": {"type": "string"},
        "start": {"type": "integer", "description": "First character, or UTF-16 code unit with `offsets=utf16`."},
        "end": {"type": "integer", "description": "Behind the last one."},
        "label": {"type": "string"},
        "text": {"type": "string"},
        "score": {"type": ["number", "null"], "description": "The confidence of a prediction."},
        "links": {
            "type": "array",
            "items": {
                "type": "object",
                "required": ["identifier"],
                "properties": {
                    "identifier": {"type": "string"},
                    "database": {"type": "string"},
                    "name": {"type": "string", "description": "The preferred name of the concept."},
                    "score": {"type": ["number", "null"]},
                },
            },
        },
    },
}
DOCUMENT = {
    "type": "object",
    "required": ["text"],
    "properties": {
        "id": {"type": "string"},
        "text": {"type": "string"},
        "spans": {"type": "array", "items": {"$ref": "#/components/schemas/Span"}},
    },
}
ERROR = {
    "type": "object",
    "required": ["error"],
    "properties": {
        "error": {
            "type": "object",
            "required": ["problem", "remedy", "where"],
            "properties": {
                "problem": {"type": "string"},
                "remedy": {"type": "string"},
                "where": {"type": "string"},
                "limits": {"type": "object", "additionalProperties": {"type": "number"}},
            },
        }
    },
}
TEXTS = {"type": "array", "minItems": 1, "items": {"type": "string"}}
ANNOTATE_BODY = {
    "oneOf": [
        {"type": "object", "required": ["text"], "properties": {"text": {"type": "string"}}},
        {"type": "object", "required": ["texts"], "properties": {"texts": TEXTS, "ids": TEXTS}},
        {
            "type": "object",
            "required": ["documents"],
            "properties": {"documents": {"type": "array", "items": {"$ref": "#/components/schemas/Document"}}},
        },
        TEXTS,
    ]
}
TEXTS_AND_PAIRS = {
    "type": "array",
    "minItems": 1,
    "items": {
        "anyOf": [{"type": "string"}, {"type": "array", "minItems": 2, "maxItems": 2, "items": {"type": "string"}}]
    },
}
TASK = {"type": "object", "required": ["data"], "properties": {"data": {"type": "object"}}}
PREDICT_BODY = {
    "oneOf": [
        {"type": "object", "required": ["text"], "properties": {"text": {"type": "string"}}},
        {"type": "object", "required": ["texts"], "properties": {"texts": TEXTS_AND_PAIRS}},
        {"type": "object", "required": ["tasks"], "properties": {"tasks": {"type": "array", "items": TASK}}},
        TEXTS_AND_PAIRS,
    ]
}


def describe_api(of_review: Mapping[str, Any] = MappingProxyType({})) -> Json:
    """Return the description of all routes, with those of a review if it has one."""
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "Linnet",
            "version": __version__,
            "description": "Annotates texts with mentions, links them to concepts, and predicts values for texts.",
            "license": {"name": "Apache-2.0", "identifier": "Apache-2.0"},
        },
        "security": [{}, {"bearer": []}],
        "paths": {**_describe_verbs(), **_describe_pages(), **of_review},
        "components": {
            "securitySchemes": {"bearer": {"type": "http", "scheme": "bearer"}},
            "schemas": {"Span": SPAN, "Document": DOCUMENT, "Error": ERROR},
        },
    }


def _describe_verbs() -> Json:
    parameters = _describe_parameters()
    documents = _documents_content()
    return {
        "/annotate": _post(
            "Find mentions in texts or documents.", [parameters[name] for name in ANNOTATING], _bodies(), documents
        ),
        "/link": _post(
            "Link the mentions of documents to concepts.", [parameters[name] for name in LINKING], _bodies(), documents
        ),
        "/convert": _post(
            "Write documents in another format.", [parameters[name] for name in CONVERTING], _bodies(), documents
        ),
        "/predict": _post(
            "Predict values for texts or pairs of texts; tasks of Label Studio get regions.",
            [parameters["model"]],
            json_content(PREDICT_BODY),
            json_content({"type": "object"}),
        ),
        "/setup": _post(
            "Label Studio asks for the version of the model.",
            [],
            json_content({"type": "object"}),
            json_content({"type": "object", "properties": {"model_version": {"type": "string"}}}),
        ),
        "/doccano": _post(
            "Labels of one text for doccano's auto-labelling.",
            [parameters[name] for name in ("model", "min_score", "labels")],
            _bodies(),
            json_content(
                {
                    "type": "array",
                    "items": {
                        "type": "object",
                        "required": ["label", "start_offset", "end_offset"],
                        "properties": {
                            "label": {"type": "string"},
                            "start_offset": {"type": "integer"},
                            "end_offset": {"type": "integer"},
                        },
                    },
                }
            ),
        ),
    }


def _describe_pages() -> Json:
    pages = {
        "/models": "Models, vocabularies and limits.",
        "/formats": "Formats that are read and written.",
        "/health": "Is the service alive?",
        "/openapi.json": "This description.",
    }
    found = {
        path: {"get": describe_operation(about, json_content({"type": "object"}))} for path, about in pages.items()
    }
    found["/ready"] = {"get": describe_operation("Does the service take requests?", json_content({"type": "object"}))}
    found["/ready"]["get"]["responses"]["503"] = {
        "description": "The service is about to end.",
        "content": json_content({"type": "object"}),
    }
    text = {"text/plain": {"schema": {"type": "string"}}}
    html = {"text/html": {"schema": {"type": "string"}}}
    found["/"] = {"get": describe_operation("The page for people.", html)}
    found["/metrics"] = {"get": describe_operation("Counters for Prometheus.", text)}
    return found


def _describe_parameters() -> dict[str, Json]:
    about: dict[str, tuple[str, Json]] = {
        "model": ("Name of the model; the first that fits if not given.", {"type": "string"}),
        "from": ("Format of the body, instead of its content type.", {"enum": readable_names()}),
        "to": ("Format of the answer, instead of `Accept`.", {"enum": writable_names()}),
        "name": ("Name of the file: the id of a plain text, and a hint to its format.", {"type": "string"}),
        "link": ("Are mentions linked? They are if a vocabulary is loaded.", {"type": "boolean"}),
        "candidates": (
            "Candidates of each mention that are kept in its infons.",
            {"type": "integer", "minimum": 0, "maximum": MOST_CANDIDATES, "default": 0},
        ),
        "min_score": (
            "Least confidence of a mention, instead of that of the service.",
            {"type": "number", "minimum": 0, "maximum": 1},
        ),
        "labels": ("Labels of mentions to keep, separated by commas.", {"type": "string"}),
        "offsets": (
            "How offsets are counted, in JSON answers and in documents of JSON bodies.",
            {"enum": ["characters", "utf16"], "default": "characters"},
        ),
    }
    return {
        name: {"name": name, "in": "query", "required": False, "description": description, "schema": schema}
        for name, (description, schema) in about.items()
    }


def _post(about: str, parameters: list[Json], body: Json, answer: Json) -> Json:
    operation = describe_operation(about, answer, STATUSES)
    operation["parameters"] = parameters
    operation["requestBody"] = {"required": True, "content": body}
    return {"post": operation}


def describe_operation(about: str, answer: Json, errors: Mapping[str, str] = ERRORS_OF_PAGES) -> Json:
    """Return the description of a method of a route: what it does, its answer, and its errors by their status."""
    error = json_content({"$ref": "#/components/schemas/Error"})
    return {
        "summary": about,
        "responses": {
            "200": {"description": "The answer.", "content": answer},
            **{status: {"description": meaning, "content": error} for status, meaning in errors.items()},
        },
    }


def _bodies() -> Json:
    types = {media_type_of(name).partition(";")[0] for name in readable_names()} - {"application/json"}
    return {**json_content(ANNOTATE_BODY), **_contents_of_formats(types)}


def _documents_content() -> Json:
    answer = {
        "type": "object",
        "required": ["documents", "model", "vocabulary"],
        "properties": {
            "documents": {"type": "array", "items": {"$ref": "#/components/schemas/Document"}},
            "model": {"type": ["string", "null"]},
            "fingerprint": {"type": ["string", "null"]},
            "vocabulary": {"type": ["string", "null"], "description": "Hash of the vocabulary of the links."},
        },
    }
    types = {media_type_of(name).partition(";")[0] for name in writable_names()} - {"application/json"}
    return {**json_content(answer), **_contents_of_formats(types)}


def _contents_of_formats(types: set[str]) -> Json:
    """Return what media types of formats hold: any JSON, or a text."""
    return {kind: {"schema": {} if kind.endswith("json") else {"type": "string"}} for kind in sorted(types)}


def json_content(schema: Json) -> Json:
    """Return the description of JSON of this schema."""
    return {"application/json": {"schema": schema}}
