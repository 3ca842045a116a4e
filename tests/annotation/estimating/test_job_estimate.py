"""What an estimate says."""

from dataclasses import replace

from linnet.annotation.estimating.job_estimate import Estimate

FOUND = Estimate(
    documents=32_806,
    words=7_412_345,
    words_per_second=1000.0,
    cores=2,
    memory_bytes=241_000_000,
    output_bytes={"out.jsonl": 1_000},
    work_bytes=500,
    sample_documents=4000,
    annotated_documents=1,
    failures=0,
    is_whole=False,
    threads=2,
    share=0.123,
)


def test_estimates_have_two_digits_and_say_what_they_rest_on() -> None:
    sentences = FOUND.sentences()

    assert sentences[0] == "input: about 33,000 documents, about 7,400,000 words"
    assert sentences[1].endswith("one core), at most about 240 MB of memory for one process with 2 threads")
    assert replace(FOUND, threads=None).sentences()[1].endswith("of memory for 2 processes together")
    assert sentences[3].startswith("estimated from 4,000 documents (12 % of the input; the rest may differ), 1 of them")
    assert FOUND.as_dict()["documents"] == 32_806


def test_an_input_that_was_read_whole_is_counted_exactly() -> None:
    sentences = replace(FOUND, documents=1, is_whole=True).sentences()

    assert sentences[0].startswith("input: 1 document, ")
    assert "of the input" not in sentences[3]


def test_the_threads_of_the_command_are_named_where_they_are_not_the_cores() -> None:
    assert replace(FOUND, cores=8).sentences()[1].endswith("; the command as it stands uses 2 threads")


def test_a_busy_machine_is_named() -> None:
    assert not any("busy" in sentence for sentence in replace(FOUND, load=0.4).sentences())
    assert replace(FOUND, load=13.25).sentences()[-1].startswith("the machine was busy (load 13.2 before the estimate)")
