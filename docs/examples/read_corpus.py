import linnet

corpus = linnet.read_corpus("demo")  # or a folder, or one file, in any format
print(corpus.name, corpus.format, corpus.tagging, list(corpus.splits))

print(dict(corpus.train.counts))  # tags by name

document = corpus.test.documents[0]
for span, text in list(document.mentions())[:3]:
    print(span.label, span.start, span.end, text)
    assert document.text[span.start : span.end] == text
