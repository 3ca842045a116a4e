"""Errors of ours become answers: one shape, the place in the request, and no path of this machine."""

import pytest

from linnet.errors import BadFile, BadSetting, LinnetError, UnknownName
from linnet.serving.http.refusals import Refusal, refusal_of
from linnet.storage.files import SAVE_AS_UTF8


def test_the_shape_is_always_the_same() -> None:
    assert Refusal(400, "a", "b").as_dict() == {"error": {"problem": "a", "remedy": "b", "where": ""}}
    assert Refusal(413, "a", "b", limits={"documents": 3}).as_dict()["error"]["limits"] == {"documents": 3}


@pytest.mark.parametrize(
    ("problem", "expected", "where"),
    [
        ("/tmp/x/request:7: broken", "broken", "body, line 7"),
        ("/tmp/x/request:7 (from byte 12): broken", "broken", "body, line 7"),
        ("/tmp/x/request: holds no document", "holds no document", "body"),
        ("document '1' of /tmp/x/request is bad", "document '1' of the body is bad", "body"),
    ],
)
def test_the_path_becomes_a_place_in_the_request(problem: str, expected: str, where: str) -> None:
    found = refusal_of(BadFile(problem, "see /tmp/x/request"), place="/tmp/x/request")

    assert (found.problem, found.where, found.remedy) == (expected, where, "see the body")


@pytest.mark.parametrize(("kind", "status"), [(BadFile, 422), (BadSetting, 422), (UnknownName, 400)])
def test_each_kind_of_error_has_a_status(kind: type[LinnetError], status: int) -> None:
    assert refusal_of(kind("a", "b")).status == status
    assert refusal_of(kind("a", "b"), status=400).status == 400


@pytest.mark.parametrize(
    ("remedy", "expected"),
    [
        ("correct the line, or mend it with `--repair`", "correct the document, or mend it with `linnet convert"),
        (SAVE_AS_UTF8, "send the text as UTF-8"),
        ("give one id", "give one id"),
    ],
)
def test_a_client_gets_a_remedy_it_can_follow(remedy: str, expected: str) -> None:
    assert refusal_of(BadFile("a", remedy)).remedy.startswith(expected)
