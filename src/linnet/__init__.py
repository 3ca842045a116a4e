"""Linnet fine-tunes, compares, evaluates and runs biomedical language models.

The names below load on first use, so that `import linnet` costs next to nothing.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from linnet.annotation.annotate import annotate_path as annotate
    from linnet.annotation.link import link_path as link
    from linnet.annotation.predict import predict_path as predict
    from linnet.comparison.comparing import compare
    from linnet.documents.abbreviations import abbreviations
    from linnet.formats.conversion import convert_path as convert
    from linnet.formats.corpus import read_corpus
    from linnet.formats.reading import read_documents
    from linnet.models.evaluation import evaluate
    from linnet.models.loading import load
    from linnet.pretraining.run import pretrain_from as pretrain
    from linnet.reports.statistics import describe
    from linnet.scoring import score_files as score
    from linnet.tasks.linking.by_label import load_linker
    from linnet.training.train import train_from as train

__all__ = [
    "__version__",
    "abbreviations",
    "annotate",
    "compare",
    "convert",
    "describe",
    "evaluate",
    "link",
    "load",
    "load_linker",
    "predict",
    "pretrain",
    "read_corpus",
    "read_documents",
    "score",
    "train",
]
__version__ = "0.2.0"  # the one place; packaging reads it here

HOMES = {
    "abbreviations": ("linnet.documents.abbreviations", "abbreviations"),
    "annotate": ("linnet.annotation.annotate", "annotate_path"),
    "compare": ("linnet.comparison.comparing", "compare"),
    "convert": ("linnet.formats.conversion", "convert_path"),
    "describe": ("linnet.reports.statistics", "describe"),
    "evaluate": ("linnet.models.evaluation", "evaluate"),
    "link": ("linnet.annotation.link", "link_path"),
    "load": ("linnet.models.loading", "load"),
    "load_linker": ("linnet.tasks.linking.by_label", "load_linker"),
    "predict": ("linnet.annotation.predict", "predict_path"),
    "pretrain": ("linnet.pretraining.run", "pretrain_from"),
    "read_corpus": ("linnet.formats.corpus", "read_corpus"),
    "read_documents": ("linnet.formats.reading", "read_documents"),
    "score": ("linnet.scoring", "score_files"),
    "train": ("linnet.training.train", "train_from"),
}


def __getattr__(name: str) -> Any:  # Any: what a module gives for one of its names
    if name not in HOMES:
        raise AttributeError(f"module 'linnet' has no attribute {name!r}")
    from linnet.extras import explain_missing_extras

    module, attribute = HOMES[name]
    with explain_missing_extras():
        return getattr(import_module(module), attribute)


def __dir__() -> list[str]:
    return __all__
