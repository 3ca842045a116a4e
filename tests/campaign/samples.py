"""Valid files of every format and task, small, from which fuzzed files are made."""

import json
import tempfile
from functools import cache
from pathlib import Path

from linnet.contracts import WriteOptions, formats, writable_formats
from linnet.documents.document import Argument, Document, Link, Passage, Relation, Sentence, Span

__all__ = [
    "JATS",
    "PUBMED",
    "bioasq_file",
    "document_files",
    "plain_files",
    "pubmedqa_file",
    "squad_file",
    "table_files",
]

TITLE, ABSTRACT = "Lithium and renal failure", "We saw β-thalassaemia 😀 twice. It was mild."
TEXT = f"{TITLE}\n{ABSTRACT}"
PUBMED = """<?xml version="1.0" encoding="utf-8"?>
<PubmedArticleSet>
<PubmedArticle><MedlineCitation Status="MEDLINE"><PMID Version="1">101</PMID><Article>
<ArticleTitle>Lithium and <i>renal</i> failure &amp; more.</ArticleTitle>
<Abstract><AbstractText Label="AIM" NlmCategory="OBJECTIVE">To see H<sub>2</sub>O.</AbstractText>
<AbstractText>We saw it twice.</AbstractText></Abstract></Article></MedlineCitation></PubmedArticle>
<PubmedArticle><MedlineCitation><PMID Version="2">102</PMID><Article>
<ArticleTitle>Fever β</ArticleTitle></Article></MedlineCitation></PubmedArticle>
</PubmedArticleSet>
"""
JATS = """<?xml version="1.0" encoding="utf-8"?>
<article article-type="research-article"><front><article-meta><article-id pub-id-type="pmc">7</article-id>
<title-group><article-title>Lithium and <italic>renal</italic> failure</article-title></title-group>
<abstract><sec><title>Aim</title><p>To see H<sub>2</sub>O.</p></sec></abstract></article-meta></front>
<body><sec sec-type="methods"><title>Methods</title><p>We saw it twice.</p>
<fig><label>1</label><caption><p>Mice &amp; more</p></caption></fig>
<sec><title>Patients</title><p>None <xref>1</xref></p></sec></sec></body></article>
"""
JATS_SET = (
    f"<pmc-articleset>{JATS.partition('?>')[2]}<article><body><p>One more</p></body></article></pmc-articleset>\n"
)


def documents() -> list[Document]:
    """Return documents that have everything a format may hold."""
    split = len(TITLE)
    rich = Document(
        id="7",
        text=TEXT,
        spans=(
            Span(0, 7, "Chemical", id="T1", links=(Link("D008094", "MESH"),), score=0.5, infons={"who": "A"}),
            Span(12, 25, "Disease", id="T2", links=(Link("D051437"),)),
            Span(split + 8, split + 22, "Disease", id="T3"),
            Span(0, 25, "Disease", fragments=((0, 7), (12, 17)), id="T4"),
        ),
        relations=(
            Relation("CID", (Argument("cause", "T1"), Argument("effect", "T2")), "R1", {"note": "sure"}),
            Relation("CID", (Argument("entity1", "D008094", True), Argument("entity2", "D051437", True)), "R2"),
        ),
        passages=(Passage(0, split, {"type": "title"}), Passage(split + 1, len(TEXT), {"type": "abstract"})),
        infons={"year": "2020"},
    )
    tagged = Document(
        id="8",
        text="Lung cancer and fever",
        spans=(Span(0, 11, "Disease", id="T1"), Span(16, 21, "Disease", id="T2")),
        sentences=(Sentence(0, 21, ((0, 4), (5, 11), (12, 15), (16, 21))),),
    )
    return [rich, tagged, Document("9", "Nothing here")]


@cache
def document_files() -> dict[str, list[bytes]]:
    """Return files of each format that is one file and can be written, by its name."""
    found: dict[str, list[bytes]] = {"pubmed-xml": [PUBMED.encode()], "jats": [JATS.encode(), JATS_SET.encode()]}
    with tempfile.TemporaryDirectory() as folder:
        for name in writable_formats():
            for number, chosen in enumerate((documents(), documents()[1:])):
                path = Path(folder) / f"{name}-{number}"
                if name == "parquet":
                    continue
                formats.get(name).write(chosen, path, WriteOptions())
                if path.is_file():
                    found.setdefault(name, []).append(path.read_bytes())
    found["conll"] += [
        b"-DOCSTART- 1\tO\n\nAspirin\tB-Chem\nfor\tO\nlung\tB-Dis\ncancer\tI-Dis\n\n-DOCSTART- 2\tO\n\nNone\tO\n",
        b"Aspirin\tNN\tI-Chem\nfor\tIN\tO\nlung\tNN\tI-Dis\n\nMore\tNN\tB-Dis\nof\tIN\tI-Dis\n",
        b"Aspirin B\nfor O\nlung B\ncancer I\n\nA O\n",
        b'###MEDLINE:95\n\n""""\t-\t0\tO\nIL-2\t-\t2\tS-X\nis\t-\t7\tB-Y\nup\t-\t9\tE-Y\n',
    ]
    return found


@cache
def brat_pairs() -> list[tuple[bytes, bytes]]:
    """Return texts with their annotation files."""
    with tempfile.TemporaryDirectory() as folder:
        formats.get("brat").write(documents(), Path(folder) / "b", WriteOptions())
        texts = sorted((Path(folder) / "b").glob("*.txt"))
        pairs = [(path.read_bytes(), path.with_suffix(".ann").read_bytes()) for path in texts]
    event = b"T1\tUp 0 4\tNone\nT2\tX 5 9\there\n"
    event += b"E1\tUp:T1 Theme:T2\nA1\tNegation E1\n*\tEquiv T1 T2\n#1\tAnnotatorNotes T1\tx\n"
    return [*pairs, (b"None here", event)]


def table_files(task: str) -> dict[str, list[str]]:
    """Return tables of a task by suffix."""
    rows: list[tuple[str, ...]]
    header: tuple[str, ...]
    if task == "classification":
        rows = [("aspirin helps , it says", "good"), ("no cause is known", "none"), ("fever rises", "bad")]
        header = ("text", "label")
    elif task == "similarity":
        rows = [("a fever", "some fever", "2.8"), ("it helps", "it does not", "0"), ("one two", "two one", "4")]
        header = ("sentence1", "sentence2", "score")
    elif task == "inference":
        rows = [("it rains", "it is wet", "entailment"), ("it rains", "it is dry", "contradiction")]
        header = ("premise", "hypothesis", "label")
    elif task == "relations":
        rows = [("1", "@GENE$ causes @DISEASE$ here", "1"), ("2", "no @GENE$ in @DISEASE$", "0")]
        header = ("index", "sentence", "label")
    else:
        rows = [("q1", "is it known", "it is known to all", "yes"), ("q2", "is it so", "it is not so", "no")]
        header = ("id", "question", "context", "label")
    values = [dict(zip(header, row, strict=True)) for row in rows]
    return {
        ".tsv": ["".join("\t".join(row) + "\n" for row in chosen) for chosen in ([header, *rows], rows)],
        ".csv": ["".join(",".join(f'"{cell}"' for cell in row) + "\n" for row in [header, *rows])],
        ".jsonl": ["".join(json.dumps(row) + "\n" for row in values)],
    }


def squad_file() -> str:
    """Return questions about paragraphs, with and without an answer."""
    qas = [
        {"id": "q1", "question": "What helps?", "answers": [{"text": "Aspirin", "answer_start": 0}]},
        {"id": "q2_1", "question": "Who?", "answers": [], "is_impossible": True},
    ]
    second = [{"id": "q2_2", "question": "Who?", "answers": [{"text": "mice", "answer_start": 3}]}]
    paragraphs = [{"context": "Aspirin helps mice", "qas": qas}, {"context": "In mice", "qas": second}]
    return json.dumps({"version": "1", "data": [{"title": "t", "paragraphs": paragraphs}]}, indent=1)


def bioasq_file() -> str:
    """Return questions of all types."""
    texts = [{"text": "Aspirin helps mice."}, {"text": "Mice are helped."}]
    questions = [
        {"id": "1", "body": "What helps?", "type": "factoid", "snippets": texts, "exact_answer": [["Aspirin", "ASA"]]},
        {"id": "2", "body": "Is it so?", "type": "yesno", "snippets": texts[:1], "exact_answer": "yes"},
        {"id": "3", "body": "Which?", "type": "list", "snippets": texts, "exact_answer": [["mice"], ["aspirin"]]},
        {"id": "4", "body": "Tell", "type": "summary", "snippets": texts},
    ]
    return json.dumps({"questions": questions}, indent=1)


def pubmedqa_file() -> str:
    """Return questions about abstracts by PMID."""
    entry = {"QUESTION": "Does it help?", "CONTEXTS": ["We saw it.", "It did."], "final_decision": "yes"}
    return json.dumps({"101": entry, "102": {**entry, "final_decision": "no"}}, indent=1)


def plain_files() -> dict[str, list[str]]:
    """Return files that are neither documents nor corpora, by what reads them."""
    prediction = {"id": "1", "text": "x y", "gold": "a", "predicted": "b", "group": "1", "score": 0.5}
    return {
        "recipe": [
            'data = "demo"\noutput = "run"\nencoder = "minilm"\nseed = 3\n\n[loss]\nscheme = "welt"\n\n[optimiser]\n'
            "epochs = 2\nlearning_rate = 3e-5\n\n[window]\nmax_length = 64\n",
            'task = "classification"\ndata = "x"\noutput = "r"\n\n[text]\npooling = "cls"\ncolumns = { label = "3" }\n',
            'output = "r"\n\n[[corpora]]\nname = "a"\ndata = "x"\n\n[[corpora]]\nname = "b"\ndata = "y"\nlabel = "D"\n',
        ],
        "grid": [
            'output = "grid"\nmetric = "strict"\n\n[recipe]\ndata = "demo"\nepochs = 1\n\n[axes]\nscheme = ["none", '
            '"ins"]\nseed = [1, 2]\n\n[baseline]\nscheme = "none"\n'
        ],
        "pretraining": ['texts = ["x.txt"]\noutput = "run"\nencoder = "minilm"\nseed = 1\n'],
        "scored": ["Lung\tB-D\tB-D\ncancer\tI-D\tO\n\nA\tO\tO\nfever\tB-D\tB-D\n"],
        "unheld": ['[0, [[0, 2, "D", []], [0, 1, "D", [[0, 1]]]]]\n[1, []]\n'],
        "predictions": [json.dumps(prediction) + "\n" + json.dumps({**prediction, "gold": ["a", "b"]}) + "\n"],
        "labels": ["O\nB-Disease\nI-Disease\n", "0 O\n1 B-X\n2 I-X\n"],
        "texts": ["One text. With two sentences.\n\nAnother text\nof two lines\n"],
        "job": [json.dumps({"input": "a", "files": "1", "from": "", "to": "jsonl"}, indent=2)],
        "block": [
            json.dumps({"words": 2, "input": "ab", "failures": [{"document": "2", "reason": "no"}]})
            + '\n{"id": "1", "text": "Lung fever", "spans": [{"start": 0, "end": 4, "label": "D", "score": 0.5}]}\n'
        ],
        "log": ['{"name": "a", "seconds": 1.5, "error": null}\n{"name": "b", "seconds": 2.0, "error": "broken"}\n'],
        "state": [json.dumps({"step": 3, "groups": [{"lr": 0.1}]})],
    }
