"""Trackers see the steps of all stages on one axis."""

from transformers import TrainerState

from linnet.training.history import EpochRow, History
from linnet.training.step_axis import counting_on


def test_the_state_counts_on_only_while_trackers_read_it() -> None:
    state = TrainerState(global_step=3, epoch=1.0)
    before = History(
        epochs=[EpochRow(epoch=1, step=10, loss=0.5, score=None, learning_rate=0.1, seconds=1.0, tokens_per_second=1.0)]
    )

    with counting_on(state, before):
        seen = state.global_step, state.epoch

    assert seen == (13, 2.0)
    assert (state.global_step, state.epoch) == (3, 1.0)


def test_the_first_stage_counts_from_its_own_start() -> None:
    state = TrainerState(global_step=3, epoch=1.0)

    with counting_on(state, History()):
        assert state.global_step == 3
