"""Errors that a user can fix."""

import pickle

import pytest

from linnet.errors import BadFile, BadSetting, LinnetError, UnknownName, problems_of, refuse


def test_an_error_shows_the_problem_and_the_remedy() -> None:
    error = BadFile("a.tsv:3: found one column", "separate the columns with one tab")

    assert str(error) == "a.tsv:3: found one column\n  Try: separate the columns with one tab"


@pytest.mark.parametrize("kind", [LinnetError, BadFile, BadSetting, UnknownName])
def test_an_error_can_be_sent_between_processes(kind: type[LinnetError]) -> None:
    again = pickle.loads(pickle.dumps(kind("problem", "remedy")))

    assert type(again) is kind
    assert (again.problem, again.remedy) == ("problem", "remedy")


def test_nothing_is_raised_without_problems() -> None:
    refuse([])


def test_a_single_problem_is_raised_as_it_is() -> None:
    error = BadSetting("problem", "remedy")

    with pytest.raises(BadSetting) as raised:
        refuse([error])

    assert raised.value is error


def test_several_problems_are_one_error_with_each_remedy_once() -> None:
    problems = [BadSetting("a", "x"), BadFile("b", "y"), BadSetting("c", "x")]

    with pytest.raises(BadSetting) as raised:
        refuse(problems)

    assert (raised.value.problem, raised.value.remedy) == ("a\n  b\n  c", "x; y")


def test_all_checks_run_and_their_errors_are_returned() -> None:
    done: list[str] = []

    def fail(name: str) -> None:
        done.append(name)
        raise BadSetting(name, "remedy")

    found = problems_of(lambda: fail("a"), lambda: done.append("b"), lambda: fail("c"))

    assert [error.problem for error in found] == ["a", "c"]
    assert done == ["a", "b", "c"]


def test_other_exceptions_of_a_check_are_not_caught() -> None:
    with pytest.raises(ZeroDivisionError):
        problems_of(lambda: 1 / 0)
