"""Train a linker on the demo corpus, and link the mentions of a text with it."""

import tempfile

import linnet
from linnet.documents.document import Document, Span

text = "Chronic kidney failure (CKF) followed the infection. CKF is rare."
mentions = (Span(0, 22, "Disease"), Span(53, 56, "Disease"))

with tempfile.TemporaryDirectory() as folder:
    run = linnet.train(task="linking", data="demo", vocabulary="demo", output=f"{folder}/linker")
    print(f"recall@1, any identifier: {run.metrics['gold']['any']['recall_at_1']:.3f}")
    linker = linnet.load_linker(run.folder)  # or linnet.load_linker("demo"), which needs no training
    for document in linker.link_documents([Document("1", text, mentions)]):
        for span in document.spans:
            for link in span.links:
                print(span.text_in(text), "|", link.identifier, link.database, link.name, link.score)
