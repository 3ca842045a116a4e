"""Predict values for new texts: python docs/examples/answer_texts.py RUN TEXT [TEXT ...]."""

import sys

import linnet

model = linnet.load(sys.argv[1])
for answer in model.predict(sys.argv[2:]):  # for pairs: [(premise, hypothesis), ...]
    print(answer.id, answer.predicted, answer.score)
