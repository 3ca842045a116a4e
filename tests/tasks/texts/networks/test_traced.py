"""The traced network gives the scores of single windows."""

import torch

from linnet.batches.text_windows import collate_texts
from linnet.tasks.texts.networks.engines import tensors
from linnet.tasks.texts.networks.traced import TextScores
from linnet.tasks.texts.plan import _network_of
from linnet.tasks.texts.read_texts import read_texts
from tests import text_corpora


def test_scores_are_those_of_the_network() -> None:
    plan = text_corpora.plan("classification")
    network = _network_of(plan.build()).eval()
    (read,) = read_texts(plan.text_encoder, plan.source.training[:1], pooling=plan.shape.pooling)
    batch = tensors(collate_texts(read.windows, plan.text_encoder.pad_id))

    with torch.inference_mode():
        scores = TextScores(network)(*batch.values())

    assert torch.equal(scores, network.read(**batch))
    assert tuple(scores.shape) == (len(read.windows), len(plan.source.labels))
