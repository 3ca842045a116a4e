"""Contracts of extensions: formats, losses, class weights and tasks; read this first to write one.

An extension registers itself under a name in one of the registries below, either from its home in this package or from
another package through the entry-point group in the registry's `group`.
"""

from linnet.contracts.export import Exportable, LossInterval, Parity
from linnet.contracts.formats import (
    Format,
    Notes,
    ReadOptions,
    WriteOptions,
    formats,
    readable_formats,
    reads_unique_ids,
    writable_formats,
)
from linnet.contracts.keeping import KeepsPredictions
from linnet.contracts.losses import Loss, LossFactory, WeightingScheme, losses, weighting_schemes
from linnet.contracts.models import Annotator, Model, PreparedDocuments, Questions
from linnet.contracts.tasks import (
    CorpusFacts,
    Evaluation,
    Folds,
    Outcome,
    Outcomes,
    Plan,
    PublishedScore,
    Table,
    Task,
    has_network,
    task_of_folder,
    tasks,
)

__all__ = [
    "Annotator",
    "CorpusFacts",
    "Evaluation",
    "Exportable",
    "Folds",
    "Format",
    "KeepsPredictions",
    "Loss",
    "LossFactory",
    "LossInterval",
    "Model",
    "Notes",
    "Outcome",
    "Outcomes",
    "Parity",
    "Plan",
    "PreparedDocuments",
    "PublishedScore",
    "Questions",
    "ReadOptions",
    "Table",
    "Task",
    "WeightingScheme",
    "WriteOptions",
    "formats",
    "has_network",
    "losses",
    "readable_formats",
    "reads_unique_ids",
    "task_of_folder",
    "tasks",
    "weighting_schemes",
    "writable_formats",
]
