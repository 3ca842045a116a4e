"""Runs about texts as a training might leave them: made up and small."""

from typing import Any

from linnet.documents.texts import Prediction
from linnet.tasks.texts.kinds import CLASSIFICATION, REGRESSION, SPANS
from linnet.tasks.texts.reports.facts import TextFacts

CLASSES = (
    Prediction("p1:1", "@GENE$ raises the risk of @DISEASE$.", "yes", "yes", "p1", 0.9),
    Prediction("p1:2", "No link of @GENE$ with @DISEASE$ was seen.", "no", "yes", "p1", 0.6),
    Prediction("p2:1", "@GENE$ was not\ttested in @DISEASE$.", "no", "yes", "p2", 0.55),
    Prediction("p3:1", "@GENE$ causes @DISEASE$.", "yes", "no", "p3", 0.7),
    Prediction("p4:1", "Unlabelled.", None, "no", "p4", 0.8),
)
LABELS = (
    Prediction("h1", "Cells die.", ("death",), ("death",), "d1", 0.9),
    Prediction("h2", "Cells grow and spread.", ("growth", "spread"), ("spread", "growth"), "d1", 0.8),
    Prediction("h3", "Vessels grow.", ("vessels",), (), "d2"),
)
NUMBERS = (
    Prediction("n1", "one\none", 4.0, 3.75),
    Prediction("n2", "up\ndown", 0.0, 1.5),
    Prediction("n3", "left\nright", 2.0, 1.0),
)
ANSWERS = (
    Prediction(
        "q1",
        "Which factor?\nThe Nerve  growth factor (NGF) acts.",
        (("NGF", "nerve growth factor"),),
        ("Nerve  Growth factor", "acts"),
        "q1",
        0.7,
    ),
    Prediction("q2", "Which gene?\nBRCA1 or p53.", (("p53", "TP53"),), ("BRCA1", "p53"), "q2", 0.5),
    Prediction("q3", "Which two?\nBDNF and NGF.", (("NGF",), ("BDNF",)), ("BDNF", "NGF"), "q3", 0.4),
    Prediction("q4", "Is there one?\nNo.", (), (), "q4", 0.9),
)


def figure(value: float, n: int = 4, unit: str = "examples", **more: Any) -> dict[str, Any]:
    return {"value": value, "low": value - 0.1, "high": value + 0.1, "n": n, "unit": unit, **more}


def block(f1: float) -> dict[str, float | int]:
    return {"precision": 0.5, "recall": 0.25, "f1": f1, "gold": 4, "predicted": 2, "correct": 1}


def text_facts(**changes: Any) -> TextFacts:
    given: dict[str, Any] = {
        "name": "gad",
        "task": "relations",
        "task_description": "relations between two mentions of a sentence",
        "needs_pairs": False,
        "encoder": "dmis-lab/biobert-v1.1",
        "kind": CLASSIFICATION,
        "pooling": "cls",
        "windows": "mean",
        "method": "cross",
        "labels": ("no", "yes"),
        "corpus": "GAD",
        "fingerprints": {"train": "ab12", "test": "cd34"},
        "counts_by_split": {"train": {"examples": 4261, "documents": 3001}, "test": {"examples": 534}},
        "scheme": "welt",
        "loss": "cross-entropy",
        "counts": {"no": 75, "yes": 25},
        "weights": {"no": 0.25, "yes": 0.5},
        "seed": 3,
        "epochs": 4,
        "best_epoch": 2,
        "settings": {"learning_rate": 0.0005, "max_length": 128},
        "metric": "f1",
        "titles": {"f1": "F1", "accuracy": "accuracy"},
        "figures_by_split": {
            "devel": {"f1": figure(0.7), "accuracy": figure(0.75)},
            "test": {"accuracy": figure(0.6), "f1": figure(0.5)},
        },
        "labels_by_split": {"test": {"no": block(0.4), "yes": block(0.5)}},
        "thresholds": {},
        "versions": {"linnet": "0.1.0"},
        "command": "linnet train gad/recipe.toml",
        **changes,
    }
    return TextFacts(**given)


def number_facts(**changes: Any) -> TextFacts:
    told = {
        "name": "biosses",
        "task": "similarity",
        "needs_pairs": True,
        "kind": REGRESSION,
        "labels": (),
        "counts": {},
        "weights": {},
        "metric": "pearson",
        "titles": {"pearson": "Pearson"},
        "figures_by_split": {"test": {"pearson": figure(0.85, 3), "mse": figure(1.25, 3)}},
        "labels_by_split": {},
    }
    return text_facts(**{**told, **changes})


def answer_facts(**changes: Any) -> TextFacts:
    told = {
        "name": "bioasq",
        "task": "answering",
        "needs_pairs": True,
        "kind": SPANS,
        "labels": (),
        "counts": {},
        "weights": {},
        "metric": "mrr",
        "titles": {"mrr": "MRR"},
        "figures_by_split": {"test": {"mrr": figure(0.625, 4, "questions")}},
        "labels_by_split": {},
    }
    return text_facts(**{**told, **changes})
