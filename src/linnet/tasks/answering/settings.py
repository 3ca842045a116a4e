"""Settings of question answering."""

from typing import Literal

from pydantic import Field

from linnet.tasks.texts.settings import TextSettings

__all__ = ["AnsweringSettings"]


class AnsweringSettings(TextSettings):
    """Which questions are answered, and how many answers are kept."""

    questions: Literal["factoid", "list", "yesno"] = Field("factoid", description="Which questions are answered.")
    answerable_only: bool = Field(False, description="Learn only from texts that hold an answer.")
    no_answer: bool | None = Field(None, description="May `none` be the answer? As the training data say if none.")
    most_answers: int | None = Field(
        None, ge=1, description="Answers that are kept for a question; five, of a list a hundred, if none."
    )
    longest_answer: int = Field(100, ge=1, description="Characters; longer answers are dropped.")
