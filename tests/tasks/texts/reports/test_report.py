"""The report of a run about texts shows scores, labels, mistakes and the course of the training."""

from collections.abc import Sequence
from pathlib import Path

from linnet.documents.texts import Prediction
from linnet.tasks.texts.kinds import MULTI_LABEL
from linnet.tasks.texts.reports.facts import TextFacts
from linnet.tasks.texts.reports.report import write_text_report
from tests.tasks.texts.reports.text_examples import (
    ANSWERS,
    CLASSES,
    LABELS,
    NUMBERS,
    answer_facts,
    figure,
    number_facts,
    text_facts,
)

HISTORY = [
    {"step": 10, "loss": 0.9, "learning_rate": 1e-4},
    {"epoch": 1, "step": 20, "loss": 0.8, "score": 0.7},
    {"epoch": 2, "step": 40, "loss": 0.5, "score": 0.75},
]


def report(path: Path, facts: TextFacts, predictions: Sequence[Prediction]) -> str:
    write_text_report(path, facts=facts, split="test", predictions=predictions, history=HISTORY)
    return path.read_text(encoding="utf-8")


def test_the_head_names_every_setting_that_is_not_the_default(tmp_path: Path) -> None:
    changed = {"epochs": 4, "learning_rate": 5e-4, "dropout": 0.2, "text.pooling": "mean"}

    head = report(tmp_path / "report.md", text_facts(changed=changed), CLASSES).split("\n## ")[0]

    assert (
        "- epochs: 4, the best is 2\n- seed: 3\n- learning rate: 0.0005\n- dropout: 0.2\n- text.pooling: mean" in head
    )


def test_the_headline_says_the_main_score_its_interval_and_what_it_counts(tmp_path: Path) -> None:
    text = report(tmp_path / "report.md", text_facts(), CLASSES)

    assert text.startswith("# dmis-lab/biobert-v1.1 on GAD, test\n\n**F1 50.00** (95 % interval 40.00-60.00), ")
    assert "on 4 examples of the test split." in text
    assert "- task: relations (relations between two mentions of a sentence)" in text


def test_all_scores_are_listed_with_the_main_one_first(tmp_path: Path) -> None:
    scores = report(tmp_path / "report.md", text_facts(), CLASSES).split("## Scores")[1].split("##")[0]

    rows = scores.strip().splitlines()[2:]
    assert rows == [
        "| F1 | 50.00 | 40.00-60.00 |  | 4 | examples |",
        "| accuracy | 60.00 | 50.00-70.00 |  | 4 | examples |",
    ]


def test_a_score_without_interval_leaves_its_cell_empty(tmp_path: Path) -> None:
    facts = text_facts(figures_by_split={"test": {"f1": figure(0.5, low=None, high=None)}})

    text = report(tmp_path / "report.md", facts, CLASSES)

    assert "**F1 50.00**, on 4 examples" in text
    assert "| F1 | 50.00 |  |  | 4 | examples |" in text


def test_intervals_name_their_units(tmp_path: Path) -> None:
    over = {"units": "documents", "n_units": 1200}
    facts = text_facts(figures_by_split={"test": {"f1": figure(0.5) | over, "accuracy": figure(0.5, low=None) | over}})

    text = report(tmp_path / "report.md", facts, CLASSES)

    assert "(95 % interval 40.00-60.00 over 1,200 documents), on 4 examples" in text
    assert "| F1 | 50.00 | 40.00-60.00 | 1,200 documents | 4 | examples |" in text
    assert "| accuracy | 50.00 |  |  | 4 | examples |" in text


def test_labels_have_their_scores_and_thresholds_where_there_are_some(tmp_path: Path) -> None:
    without = report(tmp_path / "a.md", text_facts(), CLASSES)
    with_thresholds = report(tmp_path / "b.md", text_facts(kind=MULTI_LABEL, thresholds={"no": 0.35}), LABELS)

    assert "| yes | 50.00 | 25.00 | 50.00 | 4 | 2 | 1 |\n" in without
    assert "| no | 50.00 | 25.00 | 40.00 | 4 | 2 | 1 | 0.35 |" in with_thresholds
    assert "| yes | 50.00 | 25.00 | 50.00 | 4 | 2 | 1 |  |" in with_thresholds


def test_the_confusion_has_gold_in_rows_and_leaves_unknown_ones_out(tmp_path: Path) -> None:
    confusion = report(tmp_path / "report.md", text_facts(), CLASSES).split("## Confusion")[1].split("## ")[0]

    assert "| gold | no | yes |" in confusion
    assert "| no | · | 2 |" in confusion
    assert "| yes | 1 | 1 |" in confusion
    assert "![predictions](predictions.png)" in confusion
    assert "most frequent" not in confusion


def test_of_many_labels_the_most_frequent_are_shown_and_the_rest_is_said(tmp_path: Path) -> None:
    predictions = [Prediction(str(n), "x", f"label{n % 25:02}", f"label{n % 25:02}") for n in range(45)]

    text = report(tmp_path / "report.md", text_facts(labels=()), predictions)

    # 45 examples over 25 labels: labels 00 to 19 come twice, 20 to 24 once
    assert "Shown are the 20 most frequent of 25 labels; 5 examples have another" in text
    assert "| label19 |" in text
    assert "| label20 |" not in text


def test_the_labels_of_training_have_count_share_and_weight(tmp_path: Path) -> None:
    text = report(tmp_path / "report.md", text_facts(), CLASSES)

    assert "| label | count | share | weight |" in text
    assert "| yes | 25 | 25.00% | 0.5 |" in text
    assert "Largest / smallest weight: 2.000." in text


def test_mistakes_stand_by_pair_the_most_frequent_first_with_examples(tmp_path: Path) -> None:
    mistakes = report(tmp_path / "report.md", text_facts(), CLASSES).split("## Mistakes")[1].split("## Course")[0]

    assert "3 of 4 examples are wrong; `mistakes.tsv` has them all." in mistakes
    assert mistakes.index("| no | yes | 2 |") < mistakes.index("| yes | no | 1 |")
    assert "### no → yes\n\n- p1:2: No link of @GENE\\$ with @DISEASE\\$ was seen. (0.600)\n- p2:1: " in mistakes


def test_a_pair_has_at_most_three_examples(tmp_path: Path) -> None:
    predictions = [Prediction(f"e{n}", "x", "no", "yes") for n in range(5)]

    mistakes = report(tmp_path / "report.md", text_facts(), predictions).split("### no → yes")[1].split("##")[0]

    assert mistakes.count("\n- ") == 3


def test_a_text_without_labels_is_a_mistake_with_a_name(tmp_path: Path) -> None:
    text = report(tmp_path / "report.md", text_facts(kind=MULTI_LABEL), LABELS)

    assert "### vessels → (none)" in text
    assert "## Confusion" not in text


def test_numbers_show_the_largest_errors_and_are_no_shares(tmp_path: Path) -> None:
    text = report(tmp_path / "report.md", number_facts(), NUMBERS)

    assert "**Pearson 0.8500** (95 % interval 0.7500-0.9500), on 3 examples" in text
    assert "| mse | 1.2500 | 1.1500-1.3500 |  | 3 | examples |" in text
    errors = text.split("## Largest errors")[1].splitlines()
    assert errors[6] == "| n2 | 0 | 1.5 | +1.5 | up / down |"
    assert "| 2 | 0.5000 | 0.7500 | best |" in text
    assert "| epoch | training loss | devel Pearson |  |" in text


def test_wrong_answers_are_shown_with_the_synonyms_of_the_right_one(tmp_path: Path) -> None:
    text = report(tmp_path / "report.md", answer_facts(), ANSWERS)

    assert "**MRR 62.50** (95 % interval 52.50-72.50), on 4 questions" in text
    assert "1 of 4 questions are wrong" in text
    assert "- q2: Which gene? (gold: “p53 \\| TP53”, predicted: “BRCA1, p53” 0.500)" in text
    assert "## Labels" not in text


def test_a_run_without_scores_examples_or_history_still_has_a_report(tmp_path: Path) -> None:
    facts = text_facts(figures_by_split={}, labels_by_split={}, counts={})

    write_text_report(tmp_path / "report.md", facts=facts, split="test", predictions=[], history=[])

    text = (tmp_path / "report.md").read_text(encoding="utf-8")
    assert "The model was not scored." in text
    assert "0 of 0 examples are wrong" in text
