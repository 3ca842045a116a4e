"""Use a trained model without Linnet: python docs/examples/without_linnet.py FOLDER."""

import sys

from transformers import pipeline

tagger = pipeline("token-classification", model=sys.argv[1], aggregation_strategy="first")
for mention in tagger("Amiodarone caused hepatotoxicity."):
    print(mention["entity_group"], mention["start"], mention["end"], mention["word"])
