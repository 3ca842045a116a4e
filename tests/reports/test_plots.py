"""Plots of a training, of a range test and of predictions, also with missing values."""

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from linnet.errors import BadFile
from linnet.reports.plots import (
    best_epoch,
    plot_confusion,
    plot_learning_rates,
    plot_numbers,
    plot_pretraining,
    plot_training,
)

PNG = b"\x89PNG\r\n\x1a\n"
HISTORY = [
    {"step": 1, "loss": 2.0, "learning_rate": 1e-4},
    {"step": 2, "loss": 1.0, "learning_rate": 5e-5},
    {"epoch": 1, "loss": 1.5, "score": 0.7},
    {"step": 3, "loss": 0.8, "learning_rate": 2e-5},
    {"step": 4, "loss": 0.6, "learning_rate": 0.0},
    {"epoch": 2, "loss": 0.7, "score": 0.65},
]


def drawn(axes: Any) -> list[list[tuple[float, float]]]:
    return [[(float(x), float(y)) for x, y in line.get_xydata()] for line in axes.get_lines()]


def test_training_has_three_panels_with_what_was_recorded(tmp_path: Path, figures: list[Any]) -> None:
    plot_training(HISTORY, tmp_path / "training.png", title="minilm on ncbi-disease")

    loss, devel, rate = figures[0].axes
    assert (tmp_path / "training.png").read_bytes().startswith(PNG)
    assert [axes.get_title(loc="left") for axes in figures[0].axes] == ["Loss", "Devel F1", "Learning rate"]
    assert drawn(loss) == [[(1, 2.0), (2, 1.0), (3, 0.8), (4, 0.6)], [(2, 1.5), (4, 0.7)]]
    assert drawn(devel)[0] == [(1, 70.0), (2, 65.0)]
    assert devel.get_title(loc="right") == "best: 70.00 in epoch 1"
    assert drawn(rate) == [[(1, 1e-4), (2, 5e-5), (3, 2e-5), (4, 0.0)]]


@pytest.mark.parametrize(("scores", "limits"), [((0.6, 0.999), (0, 100)), ((0.0, 0.0), (0, 5))])
def test_shares_are_not_drawn_where_none_can_be(
    tmp_path: Path, figures: list[Any], scores: tuple[float, ...], limits: tuple[float, float]
) -> None:
    history = [{"epoch": n, "loss": 1.0, "score": f1} for n, f1 in enumerate(scores, 1)]

    plot_training(history, tmp_path / "training.png", title="")

    low, high = figures[0].axes[1].get_ylim()
    assert (limits[0] <= low, high) == (True, limits[1])


@pytest.mark.parametrize("steps", [0, 1, 2])
def test_one_epoch_has_whole_epochs_as_ticks_and_scores_from_zero(
    tmp_path: Path, figures: list[Any], steps: int
) -> None:
    rows = [{"step": n, "loss": 2.0, "learning_rate": 1e-4} for n in range(1, steps + 1)]

    plot_training([*rows, {"epoch": 1, "loss": 1.5, "score": 0.12}], tmp_path / "training.png", title="")

    _, devel, _ = figures[0].axes
    low, high = devel.get_xlim()
    assert [tick for tick in devel.get_xticks() if low <= tick <= high] == [1]
    assert devel.get_ylim() == (0, pytest.approx(13.8))
    for axes in figures[0].axes if steps else [devel]:
        low, high = axes.get_xlim()
        assert all(line.get_marker() == "o" for line in axes.get_lines() if len(line.get_xdata()) == 1) or axes is devel
        assert all(tick == round(tick) for tick in axes.get_xticks() if low <= tick <= high)


@pytest.mark.parametrize(("score", "limits"), [(0.4, (0, 0.46)), (0.0, (0, 1)), (-0.2, (-0.2, 1))])
def test_a_single_score_that_is_no_share_is_drawn_from_zero(
    tmp_path: Path, figures: list[Any], score: float, limits: tuple[float, float]
) -> None:
    plot_training([{"epoch": 1, "score": score}], tmp_path / "x.png", title="", score="devel Pearson", is_share=False)

    assert figures[0].axes[1].get_ylim() == pytest.approx(limits)


def test_pretraining_has_loss_perplexity_and_learning_rate_over_updates(tmp_path: Path, figures: list[Any]) -> None:
    rows = [
        {"step": 1, "loss": 9.0, "learning_rate": 1e-4},
        {"step": 2, "loss": 7.0, "learning_rate": 5e-5},
        {"epoch": 0, "step": 0, "perplexity": 500.0},
        {"epoch": 1, "step": 2, "loss": 8.0, "perplexity": 40.0},
    ]

    plot_pretraining(rows, tmp_path / "training.png", title="minilm, pretraining")

    loss, perplexity, rate = figures[0].axes
    assert drawn(loss) == [[(1, 9.0), (2, 7.0)], [(2, 8.0)]]
    assert [text.get_text() for text in loss.get_legend().get_texts()] == ["single steps", "between measurements"]
    assert drawn(perplexity) == [[(0, 500.0), (2, 40.0)]]
    assert (perplexity.get_yscale(), perplexity.get_title(loc="right")) == ("log", "last: 40.00")
    assert drawn(rate) == [[(1, 1e-4), (2, 5e-5)]]


def test_another_score_has_its_own_name_and_need_not_be_a_share(tmp_path: Path, figures: list[Any]) -> None:
    plot_training(HISTORY, tmp_path / "a.png", title="", score="devel micro F1")
    plot_training(HISTORY, tmp_path / "b.png", title="", score="devel Pearson", is_share=False)

    micro, pearson = (figure.axes[1] for figure in figures)
    assert (micro.get_title(loc="left"), micro.get_ylabel()) == ("Devel micro F1", "micro F1 (%)")
    assert (pearson.get_title(loc="left"), pearson.get_ylabel()) == ("Devel Pearson", "Pearson")
    assert pearson.get_title(loc="right") == "best: 0.7000 in epoch 1"
    assert drawn(pearson)[0] == [(1, 0.7), (2, 0.65)]


def test_numbers_are_drawn_over_gold_with_the_line_where_they_are_equal(tmp_path: Path, figures: list[Any]) -> None:
    plot_numbers([0.0, 4.0, 1.0], [0.5, 3.0, float("nan")], tmp_path / "numbers.png", r"$\broken{")

    axes = figures[0].axes[0]
    assert axes.collections[0].get_offsets().tolist() == [[0.0, 0.5], [4.0, 3.0]]
    assert drawn(axes) == [[(0.0, 0.0), (4.0, 4.0)]]
    assert (axes.get_xlabel(), axes.get_ylabel()) == ("gold", "predicted")


def test_a_confusion_has_shares_of_gold_as_colours_and_counts_as_text(tmp_path: Path, figures: list[Any]) -> None:
    gold, predicted = ["a", "a", "a", "$b$"], ["a", "a", "$b$", "$b$"]

    plot_confusion(gold, predicted, ["a", "$b$"], tmp_path / "confusion.png", "x")

    axes = figures[0].axes[0]
    assert axes.images[0].get_array().tolist() == [[2 / 3, 1 / 3], [0.0, 1.0]]
    assert [text.get_text() for text in axes.texts] == ["2", "1", "1"]
    assert [text.get_text() for text in axes.get_yticklabels()] == ["a", "$b$"]


def test_plots_without_data_have_a_message(tmp_path: Path, figures: list[Any]) -> None:
    plot_numbers([], [], tmp_path / "a.png", "")
    plot_confusion([], [], ["a"], tmp_path / "b.png", "")

    assert [figure.axes[0].texts[0].get_text() for figure in figures] == ["nothing recorded", "nothing recorded"]


def test_epochs_may_come_after_all_steps_and_without_a_devel_score(tmp_path: Path, figures: list[Any]) -> None:
    steps = [row for row in HISTORY if "epoch" not in row]
    epochs = [
        {"epoch": 1, "step": 2, "loss": 1.5, "learning_rate": 5e-5},
        {"epoch": 2, "step": 4, "loss": 0.7, "learning_rate": 0.0},
    ]

    plot_training([*steps, *epochs], tmp_path / "training.png", title="trained on train and devel")

    loss, devel, rate = figures[0].axes
    assert drawn(loss) == [[(1, 2.0), (2, 1.0), (3, 0.8), (4, 0.6)], [(2, 1.5), (4, 0.7)]]
    assert devel.texts[0].get_text() == "no devel scores"
    assert drawn(rate) == [[(1, 1e-4), (2, 5e-5), (3, 2e-5), (4, 0.0)]]


def test_the_best_epoch_is_the_first_of_equals() -> None:
    history = [{"epoch": 1, "score": 0.5}, {"epoch": 2, "score": 0.8}, {"epoch": 3, "score": 0.8}]

    assert best_epoch(history) == (2, 0.8)
    assert best_epoch([{"step": 1, "loss": 0.5}]) is None


def test_losses_of_epochs_alone_are_drawn_over_epochs(tmp_path: Path, figures: list[Any]) -> None:
    plot_training([{"epoch": 1, "loss": 0.9}, {"epoch": 2, "loss": 0.4}], tmp_path / "training.png", title="")

    assert drawn(figures[0].axes[0]) == [[(1, 0.9), (2, 0.4)]]
    assert figures[0].axes[0].get_xlabel() == "epoch"


def test_the_loss_on_devel_is_drawn_beside_the_training_loss(tmp_path: Path, figures: list[Any]) -> None:
    rows = [{"step": 1, "loss": 2.0}, {"epoch": 1, "step": 1, "loss": 1.5, "devel_loss": 1.2}]

    plot_training(rows, tmp_path / "training.png", title="")

    loss = figures[0].axes[0]
    assert drawn(loss) == [[(1, 2.0)], [(1, 1.5)], [(1, 1.2)]]
    named = [text.get_text() for text in loss.get_legend().get_texts()]
    assert named == ["training, single steps", "training, epochs", "devel"]


def test_panels_without_numbers_have_a_message(tmp_path: Path, figures: list[Any]) -> None:
    plot_training([], tmp_path / "training.png", title="nothing yet")

    assert [axes.texts[0].get_text() for axes in figures[0].axes] == [
        *("nothing recorded", "no devel scores", "nothing recorded"),
    ]


def test_values_that_are_no_numbers_are_left_out(tmp_path: Path, figures: list[Any]) -> None:
    plot_training([{"step": 1, "loss": 0.5}, {"step": 2, "loss": float("nan")}], tmp_path / "a.png", title="")

    assert drawn(figures[0].axes[0]) == [[(1, 0.5)]]


def test_dollar_signs_in_a_title_are_text(tmp_path: Path) -> None:
    plot_training(HISTORY, tmp_path / "training.png", title=r"costs $\broken{ and $5")

    assert (tmp_path / "training.png").read_bytes().startswith(PNG)


def test_the_range_test_has_a_logarithmic_axis_and_marks_each_suggestion(tmp_path: Path, figures: list[Any]) -> None:
    curves = {"decay 0": [(1e-5, 2.0), (1e-4, 1.0), (1e-3, 9.0)], "decay 0.1": [(1e-5, 2.1), (1e-4, 1.5)]}

    plot_learning_rates(curves, {"decay 0": 1e-4}, tmp_path / "lr.png")

    axes = figures[0].axes[0]
    assert axes.get_xscale() == "log"
    assert [text.get_text() for text in axes.get_legend().get_texts()] == ["decay 0: 0.0001", "decay 0.1"]
    assert [(1e-4, 1.0)] in drawn(axes)
    assert axes.get_ylim()[1] == pytest.approx(2.1 + 0.6 * 1.1)  # the start and 0.6 of the fall, not the 9.0


def test_a_range_test_without_curves_has_a_message(tmp_path: Path, figures: list[Any]) -> None:
    plot_learning_rates({}, {}, tmp_path / "lr.png")

    assert figures[0].axes[0].texts[0].get_text() == "nothing recorded"


def test_the_same_history_gives_the_same_file(tmp_path: Path) -> None:
    plot_training(HISTORY, tmp_path / "a.png", title="x")
    plot_training(HISTORY, tmp_path / "b.png", title="x")

    assert (tmp_path / "a.png").read_bytes() == (tmp_path / "b.png").read_bytes()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a.png", "b.png"]


def test_a_place_that_cannot_be_written_is_a_clear_error(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x", encoding="utf-8")

    with pytest.raises(BadFile, match="cannot be written"):
        plot_training(HISTORY, tmp_path / "file" / "training.png", title="x")


@pytest.mark.long
def test_reports_start_without_matplotlib_and_drawing_needs_no_pyplot(tmp_path: Path) -> None:
    program = (
        "import sys, pathlib, linnet.reports.plots as plots, linnet.reports.error_page\n"
        "assert 'matplotlib' not in sys.modules and 'torch' not in sys.modules\n"
        f"plots.plot_training([], pathlib.Path({str(tmp_path / 'a.png')!r}), title='x')\n"
        "assert 'matplotlib.pyplot' not in sys.modules\n"
    )

    subprocess.run([sys.executable, "-c", program], check=True)
