"""Train, annotate and score from Python: python docs/examples/tour.py FOLDER, run from the root of the project."""

import sys

import linnet

folder = sys.argv[1]
corpus = linnet.read_corpus("demo")  # or a folder with train, devel and test, in any format
print(dict(corpus.train.counts))  # tags by name

run = linnet.train(data="demo", encoder="minilm", scheme="welt", output=folder, epochs=2)
print("strict F1 on test:", round(run.metrics["strict"]["micro"]["f1"], 4))

model = linnet.load(folder)  # or any folder with a token-classification model
texts = ["Amiodarone caused hepatotoxicity.", "There was no fever."]
for document in model.annotate(texts):  # streaming, in order
    for span in document.spans:
        print(span.label, span.start, span.end, document.text[span.start : span.end], span.score)

scores = linnet.score("docs/examples/gold.tsv", "docs/examples/predicted.tsv")
print("strict F1 of the worked example:", round(scores.matching("strict").micro.f1, 4))
