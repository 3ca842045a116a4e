"""The campaign itself, in short: it sees what it should see, and a few of its cases pass."""

import json
import time
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace

import pytest

from linnet.contracts import readable_formats
from linnet.documents.document import Document
from linnet.tasks.linking.vocabularies.reading import vocabulary_readers
from tests.campaign import commands, kills, readers, vocabulary_counts
from tests.campaign.counts import COUNTERS, count_jsonl
from tests.campaign.driving import drive
from tests.campaign.mutations import mutate
from tests.campaign.results import Campaign, Tally, format_table, rng_of
from tests.campaign.samples import document_files
from tests.campaign.scenarios import Scenario
from tests.campaign.target import Target
from tests.campaign.targets import targets
from tests.campaign.task_counts import count_rows
from tests.campaign.vocabulary_samples import SOURCES, sources
from tests.campaign.workshop import Workshop

QUICK = ("convert", "stats", "score", "weights", "list")  # commands that load nothing large
N_INPUTS = 300


@pytest.fixture
def campaign(tmp_path: Path) -> Campaign:
    (tmp_path / "work").mkdir()
    return Campaign(seed=1, keep=tmp_path / "keep", work=tmp_path / "work", ends=time.monotonic() + 60, workers=1)


def test_inputs_depend_on_the_seed_and_their_number_alone() -> None:
    first = [readers.make_input(1, number)[1] for number in range(50)]

    assert first == [readers.make_input(1, number)[1] for number in range(50)]
    assert first != [readers.make_input(2, number)[1] for number in range(50)]


def test_every_reader_reads_its_own_files_whole(tmp_path: Path) -> None:
    for target in targets():
        for content in target.files if target.name != "state" else ():  # which would load torch
            path = tmp_path / f"input{target.suffix}"
            path.write_bytes(content)

            assert readers.judge(target, path, content) in (readers.PASSED, readers.REFUSED), target.name


def test_fuzzed_files_are_judged(tmp_path: Path) -> None:
    found: dict[str, int] = {}
    for number in range(N_INPUTS):
        target, content = readers.make_input(1, number)
        if target.name == "state":
            continue
        path = tmp_path / f"input{target.suffix}"
        path.write_bytes(content)
        verdict = readers.judge(target, path, content)
        name = verdict if isinstance(verdict, str) else "defect"
        found[name] = found.get(name, 0) + 1

    assert found[readers.PASSED] > N_INPUTS // 20
    assert found[readers.REFUSED] > N_INPUTS // 4


def test_a_silent_drop_a_traceback_and_a_contradiction_are_defects(tmp_path: Path) -> None:
    content = b'{"id": "1", "text": "a", "text": "bc"}\n'
    path = tmp_path / "input.jsonl"
    path.write_bytes(content)

    def drop(_: Path) -> dict[str, int]:
        return {"documents": 1, "visible": 2}

    def fail(_: Path) -> None:
        raise KeyError("x")

    assert "visible" in readers.judge(Target("t", ".jsonl", (), drop, count_jsonl), path, content)[0]
    assert "KeyError" in readers.judge(Target("t", ".jsonl", (), fail, None), path, content)[0]


@pytest.mark.parametrize(
    ("content", "rows"),
    [(b'"text""\r\n"', 1), (b'"text",label\n"a",b\n', 1), (b'text,label\n"a\n""b""",c\n"d",e', 2)],
)
def test_csv_is_counted_as_rfc_4180_says(tmp_path: Path, content: bytes, rows: int) -> None:  # issue 27
    path = tmp_path / "input.csv"
    path.write_bytes(content)
    target = next(each for each in targets() if each.name == "task classification .csv")

    assert count_rows(".csv")(content) == {"rows": rows}
    assert readers.judge(target, path, content) == readers.PASSED


def test_the_only_text_of_a_task_of_label_studio_is_counted(tmp_path: Path) -> None:
    content = b'[{"data": {"id": "8", "note": "Lung cancer"}}, {"data": {"text": "fever", "year": "2020"}}]'
    path = tmp_path / "input.json"
    path.write_bytes(content)
    target = next(each for each in targets() if each.name == "format label-studio")

    assert target.count is not None
    assert target.count(content) == {"documents": 2, "visible": 15}
    assert readers.judge(target, path, content) == readers.PASSED


def test_every_format_that_is_one_file_has_a_count_and_files_of_its_own() -> None:
    names = set(readable_formats()) - {"brat"}

    assert names <= COUNTERS.keys()
    assert names <= document_files().keys()


def test_every_form_of_vocabulary_has_a_count_and_files_of_its_own() -> None:
    names = set(vocabulary_readers.names())

    assert names == vocabulary_counts.COUNTERS.keys()
    assert names == SOURCES.keys()


@pytest.mark.parametrize(
    ("name", "old", "new", "key"),
    [
        ("table", "Lung cancer", "Lung cancers", "names"),
        ("ssslm", "breast cancer", "breast cancers", "synonyms"),
        ("obo", '"breast tumour"', '"breast tumours"', "synonyms"),
        ("mesh-table", "Temephos|", "Temephos|A|", "synonyms"),
        ("mesh-xml", "A-23187", "A-231875", "synonyms"),
        ("medic", "|208900", "|208900|5", "references"),
        ("ctd", "|C02", "|C02|C03", "references"),
        ("gene_info", "BRCC1|", "BRCC1|X|", "synonyms"),
        ("jsonl", '"obsolete": true', '"obsolete": 1', "obsolete"),
    ],
)
def test_what_a_reader_of_vocabularies_dropped_would_be_seen(name: str, old: str, new: str, key: str) -> None:
    content = b"".join(each for each in sources(name)[1] if old.encode() in each)
    count = vocabulary_counts.COUNTERS[name]
    whole, more = count(content), count(content.replace(old.encode(), new.encode()))

    assert whole is not None
    assert more is not None
    if name == "jsonl":  # any value but false is seen, so that a reader may not take it for false
        assert whole[key] == more[key] == 1
    else:
        assert more[key] > whole[key]


def test_a_damaged_vocabulary_folder_that_answers_otherwise_is_a_defect(tmp_path: Path) -> None:
    target = next(each for each in targets() if each.name == "vocabulary folder")
    path = tmp_path / "input.damage"
    path.write_bytes(target.files[3])
    assert readers.judge(target, path, target.files[3]) == readers.PASSED

    path.write_bytes(target.files[3] + b"x")
    assert readers.judge(target, path, b"") == readers.REFUSED

    path.write_bytes(target.files[3])
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("tests.campaign.vocabulary_targets._whole_answers", list)
        assert readers.judge(target, path, b"")[0] == "vocabulary folder: contradiction"


def test_a_word_that_is_a_control_character_is_counted_as_it_is(tmp_path: Path) -> None:
    content = b"  \x0b O\n"
    path = tmp_path / "input.tsv"
    path.write_bytes(content)
    target = next(each for each in targets() if each.name == "format conll")

    assert readers.judge(target, path, content) == readers.PASSED


def test_mutations_change_most_files() -> None:
    content = b'{"id": "1", "text": "one two", "spans": []}\n' * 3
    changed = [mutate(content, rng_of(1, number)) for number in range(200)]

    assert sum(each != content for each in changed) > 180


def test_command_lines_end_as_promised(campaign: Campaign) -> None:
    tally = Tally()
    numbers = [number for number in range(400) if commands.make_line(1, number)[0] in QUICK][:4]

    drive((commands.make_case(campaign, workshop(campaign.work), number, tally) for number in numbers), 1)

    assert tally.tried == len(numbers) == 4
    assert tally.passed + tally.refused + tally.defects == 4
    assert "commands" in format_table({"commands": tally})


def test_a_server_may_use_all_its_time_once_it_serves() -> None:
    assert commands._may_be_cut(["serve"], "http://127.0.0.1:8000 serves bio (ner); stop with Ctrl+C")
    assert not commands._may_be_cut(["serve"], "")
    assert not commands._may_be_cut(["stats"], "http://127.0.0.1:8000")
    assert not commands._may_be_cut([], "")


def test_a_killed_job_is_resumed_and_compared(campaign: Campaign) -> None:
    shop, tally = workshop(campaign.work), Tally()
    line = ("annotate", str(shop.documents), "--model", str(shop.model), "--output", "out.jsonl")
    scenario = Scenario("annotate", line, prepare=annotate_slowly)

    references = kills.make_references(campaign, [scenario], tally)
    case = kills.make_case(campaign, scenario, references["annotate"], 0, tally)
    drive(iter([case]), 1)

    assert not tally.kinds
    assert tally.passed == tally.tried


def annotate_slowly() -> None:
    """Put a model without a network in the place of a real one, with small blocks."""
    import linnet.annotation.annotate as job
    import linnet.annotation.blocks as blocks

    class Model:
        def prepare(self, documents: list[Document]) -> SimpleNamespace:
            return SimpleNamespace(documents=documents, n_words=len(documents))

        def infer(self, prepared: SimpleNamespace) -> None:
            time.sleep(0.005)

        def finish(self, prepared: SimpleNamespace, _: None) -> list[Document]:
            return list(prepared.documents)

    blocks.MOST_DOCUMENTS = 8
    job.load_annotator = lambda settings: Model()  # type: ignore[attr-defined]
    job.locate_model = lambda settings: settings  # type: ignore[attr-defined]
    job.describe_model = lambda settings: {"model": ""}  # type: ignore[attr-defined]


def workshop(work: Path) -> Workshop:
    """Return a workshop whose models are empty folders."""
    shop = Workshop(work / "shop")
    for name in ("corpus", "texts", "model", "classifier", "encoder"):
        (shop.folder / name).mkdir(parents=True, exist_ok=True)
    (shop.corpus / "test.tsv").write_text("Lung\tB-D\ncancer\tI-D\n\nA\tO\n", encoding="utf-8")
    (shop.texts / "test.tsv").write_text("it helps\tgood\n", encoding="utf-8")
    shop.lines.write_text("One text.\n", encoding="utf-8")
    shop.documents.write_text("".join(documents()), encoding="utf-8")
    return shop


def documents() -> Iterator[str]:
    for number in range(40):
        yield json.dumps({"id": f"d{number}", "text": "we gave aspirin ."}) + "\n"
