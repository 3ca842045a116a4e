"""Tasks whose runs can be kept say so by their verbs."""

from linnet.contracts import KeepsPredictions, tasks


def test_taggers_can_be_kept_and_tasks_about_texts_cannot() -> None:
    assert isinstance(tasks.get("ner"), KeepsPredictions)
    assert not isinstance(tasks.get("classification"), KeepsPredictions)
