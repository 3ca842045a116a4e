"""Find mentions with the embedded model and link them to concepts: python docs/examples/link_texts.py."""

import linnet

model, linker = linnet.load("bio"), linnet.load_linker("demo")  # or your own model, and your own vocabulary
print(model)
for document in linker.link_documents(model.annotate(["Lithium caused tremor and seizures."])):
    for span in document.spans:
        print(span.label, span.text_in(document.text), [(link.identifier, link.name) for link in span.links])
