"""Find mentions and link them in a spaCy pipeline: python docs/examples/spacy_links.py."""

import spacy

nlp = spacy.blank("en")
settings = {"model": "bio", "link": {"Disease": "demo"}, "min_score": {"Disease": 0.5}}  # your own model and vocabulary
nlp.add_pipe("linnet", config=settings)
for entity in nlp("Lithium caused tremor and seizures.").ents:
    print(entity.label_, entity.text, entity.kb_id_ or "no identifier")
