"""Failures of documents."""

from linnet.formats.inputs.failures import Failure


def test_a_failure_becomes_an_error_that_names_the_document() -> None:
    error = Failure("d1", "broken").as_error()

    assert error.problem == "document 'd1': broken"
    assert "--strict" in error.remedy
