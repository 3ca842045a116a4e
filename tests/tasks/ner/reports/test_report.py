"""The report of a run shows scores, classes, mistakes and the course of the training."""

from pathlib import Path
from typing import Any

import pytest

from linnet.labels.mention import Mention
from linnet.metrics.mentions.tags import report_tags
from linnet.reports.markdown import escape, markdown_table
from linnet.reports.mistakes import find_mistakes
from linnet.reports.review import ReviewedSentence
from linnet.tasks.ner.reports.report import write_run_report


def block(f1: float, **more: Any) -> dict[str, Any]:
    return {"precision": 0.5, "recall": 0.25, "f1": f1, "gold": 4, "predicted": 2, "correct": 1.0, **more}


def matching(f1: float) -> dict[str, Any]:
    micro = block(f1, f1_low=f1 - 0.1, f1_high=f1 + 0.1)
    return {"micro": micro, "macro": block(f1), "labels": {"Cell_line": block(f1), "A|B": block(0.0, correct=0.5)}}


SCORES = {"strict": matching(0.3333), "partial": matching(0.4), "tokens": matching(0.6), "sentences": 7, "mentions": 4}


def sentence(number: int) -> ReviewedSentence:
    text = "the *Lynch syndrome was found"
    tokens = ((0, 3), (4, 10), (11, 19), (20, 23), (24, 29))
    predicted = (Mention(2, 3, "Disease"), Mention(4, 5, "Disease"))
    return ReviewedSentence("d_1", number, text, tokens, (Mention(1, 3, "Disease"),), predicted, (0.75, 0.5))


def report(path: Path, **changes: Any) -> str:
    sentences = [sentence(number) for number in range(1, 8)]
    given: dict[str, Any] = {
        "title": "minilm on ncbi_disease",
        "scores": SCORES,
        "counts": {"O": 90, "B-Disease": 10},
        "weights": {"O": 0.25, "B-Disease": 0.5},
        "sentences": sentences,
        "mistakes": find_mistakes(sentences),
        "history": [
            {"step": 10, "loss": 0.9, "learning_rate": 1e-4},
            {"epoch": 1, "step": 20, "loss": 0.8, "score": 0.7},
            {"epoch": 2, "step": 40, "loss": 0.5, "score": 0.75},
        ],
        "details": {"split": "test"},
        **changes,
    }
    write_run_report(path, **given)
    return path.read_text(encoding="utf-8")


def test_the_headline_says_matching_interval_and_how_many_mentions(tmp_path: Path) -> None:
    text = report(tmp_path / "report.md")

    assert text.startswith("# minilm on ncbi_disease\n\n**Strict F1 33.33** (95 % interval 23.33-43.33), ")
    assert "on 4 gold mentions in 7 sentences. Strict: label and both ends must be right." in text
    assert "- split: test" in text


def test_without_resamples_there_is_no_interval(tmp_path: Path) -> None:
    scores = {"strict": {"micro": block(0.5), "macro": block(0.5), "labels": {}}, "sentences": 1, "mentions": 4}

    text = report(tmp_path / "report.md", scores=scores)

    assert "**Strict F1 50.00**, precision 50.00" in text
    assert "## Tokens" not in text


def test_entity_and_token_tables_have_a_row_per_label_and_the_averages(tmp_path: Path) -> None:
    entities, tokens = report(tmp_path / "report.md").split("## Mentions, strict")[1].split("## Tokens")

    assert "| Cell_line | 50.00 | 25.00 | 33.33 |  | 4 | 2 | 1 |" in entities
    assert r"| A\|B | 50.00 | 25.00 | 0.00 |  | 4 | 2 | 0.5 |" in entities
    assert "| micro average | 50.00 | 25.00 | 33.33 | 23.33-43.33 | 4 | 2 | 1 |" in entities
    assert "| macro average | 50.00 | 25.00 | 60.00 |" in tokens.split("## All matchings")[0]


def test_every_matching_is_listed_with_what_it_counts_as_right(tmp_path: Path) -> None:
    matchings = report(tmp_path / "report.md").split("## All matchings")[1].split("##")[0]

    assert "| strict | 50.00 | 25.00 | 33.33 | 23.33-43.33 | 4 | 2 | 1 | label and both ends" in matchings
    assert "| partial | 50.00 | 25.00 | 40.00 |" in matchings


def test_every_tag_and_both_kinds_of_averages_are_listed_word_by_word(tmp_path: Path) -> None:
    tags = report_tags({("O", "O"): 6, ("B-A_B", "B-A_B"): 1, ("B-A_B", "O"): 1}).as_dict()

    text = report(tmp_path / "report.md", scores={**SCORES, "tags": tags})

    table = text.split("## Tags, word by word")[1].split("##")[0]
    assert "| tag | precision | recall | F1 | support | predicted | right |" in table
    assert "| O | 85.71 | 100.00 | 92.31 | 6 | 7 | 6 |" in table
    assert "| B-A_B | 100.00 | 50.00 | 66.67 | 2 | 1 | 1 |" in table
    assert "| weighted average, with O | 89.29 | 87.50 | 85.90 | 8 | 8 | 7 |" in table
    assert "| micro average, without O | 100.00 | 50.00 | 66.67 | 2 | 1 | 1 |" in table


def test_the_course_of_the_training_has_the_loss_on_devel_where_it_is_known(tmp_path: Path) -> None:
    history = [{"epoch": 1, "loss": 0.8, "devel_loss": 0.9, "score": 0.7}]

    text = report(tmp_path / "report.md", history=history)

    assert "| epoch | training loss | devel loss | devel F1 |  |" in text
    assert "| 1 | 0.8000 | 0.9000 | 70.00 | best |" in text
    assert "devel loss" not in report(tmp_path / "report.md")


def test_the_classes_have_count_share_and_weight(tmp_path: Path) -> None:
    text = report(tmp_path / "report.md")

    assert "| O | 90 | 90.00% | 0.25 |" in text
    assert "| B-Disease | 10 | 10.00% | 0.5 |" in text
    assert "Largest / smallest weight: 2.000." in text


def test_each_kind_of_mistake_has_its_count_and_at_most_five_examples(tmp_path: Path) -> None:
    text = report(tmp_path / "report.md")

    assert "14 mistakes in 7 of 7 sentences" in text
    assert "| boundary | 7 | right label, wrong ends |" in text
    assert "| missed | 0 |" in text
    spurious = text.split("### Spurious")[1].split("##")[0]
    assert spurious.count("\n- ") == 5
    assert "### Missed" not in text


def test_an_example_shows_the_mention_in_its_context_and_what_was_predicted(tmp_path: Path) -> None:
    text = report(tmp_path / "report.md")

    assert (
        r"- d_1, sentence 1: the **\*Lynch syndrome** was found (gold: Disease, predicted: Disease “syndrome” 0.750)"
        in text
    )
    assert r"- d_1, sentence 1: the \*Lynch syndrome was **found** (predicted: Disease 0.500)" in text


def test_the_course_shows_the_picture_and_the_epochs_with_the_best_one(tmp_path: Path) -> None:
    course = report(tmp_path / "report.md").split("## Course of the training")[1]

    assert "![training](training.png)" in course
    assert "| 1 | 0.8000 | 70.00 |  |" in course
    assert "| 2 | 0.5000 | 75.00 | best |" in course
    assert "0.9000" not in course


def test_a_run_without_history_weights_or_mistakes_still_has_a_report(tmp_path: Path) -> None:
    text = report(tmp_path / "report.md", history=[], weights={}, mistakes=[], counts={"O": 3})

    assert "| O | 3 | 100.00% |  |" in text
    assert "0 mistakes in 0 of 7 sentences" in text
    assert "| epoch |" not in text


@pytest.mark.parametrize(
    ("text", "escaped"),
    [
        ("a_b", "a_b"),
        ("_a_", r"\_a\_"),
        ("a|b\nc", r"a\|b c"),
        ("<script>", r"\<script\>"),
        ("p < 0.05 & `x`", r"p \< 0.05 \& \`x\`"),
    ],
)
def test_text_is_shown_as_it_stands(text: str, escaped: str) -> None:
    assert escape(text) == escaped


def test_a_table_has_its_numbers_to_the_right() -> None:
    assert markdown_table(("tag", "count"), [("O", "1")]) == "| tag | count |\n| :--- | ---: |\n| O | 1 |"
