"""How good is a model, whatever its task?"""

from pathlib import Path
from typing import TYPE_CHECKING, Any, Union

from linnet.errors import BadSetting
from linnet.models.model_folder import read_facts
from linnet.models.published.opening import is_of_others
from linnet.tasks.ner.evaluation import Evaluation, evaluate

if TYPE_CHECKING:
    from linnet.tasks.texts.evaluation import TextEvaluation

__all__ = ["evaluate_any"]


def evaluate_any(
    model: Path | str, corpus: Path | str, *, split: str | None = None, repair: bool = False, **options: Any
) -> Union[Evaluation, "TextEvaluation"]:
    """Return how good a saved model is on a split of a corpus; what `linnet.evaluate` is in Python.

    Args:
        model: folder of the model.
        corpus: folder or file.
        split: of a folder; `test` if not given.
        repair: mend what can be mended by a stated rule.
        options: for models that find mentions: those of `linnet.tasks.ner.evaluation.evaluate`.

    Raises:
        BadSetting: where a model about texts is given options that only mentions have.
    """
    if is_of_others(model) or read_facts(Path(model)).task == "ner":
        return evaluate(model, corpus, split=split, repair=repair, **options)
    if options:
        raise BadSetting(f"{', '.join(options)}: only models that find mentions know this", "leave it out")
    from linnet.tasks.texts.evaluation import evaluate_texts  # needs torch, which an exported model does without

    return evaluate_texts(model, corpus, split=split, repair=repair)[1]
