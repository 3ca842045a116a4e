"""Annotate in a spaCy pipeline: python docs/examples/spacy_pipeline.py FOLDER TEXT... (a model folder)."""

import sys

import spacy

folder, *texts = sys.argv[1:]
nlp = spacy.blank("en")
nlp.add_pipe("linnet", config={"model": folder})
for doc in nlp.pipe(texts):  # streaming, in order
    for entity in doc.ents:
        print(entity.label_, entity.start_char, entity.end_char, entity.text, f"{entity._.linnet_score:.2f}")
