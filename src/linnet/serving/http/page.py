"""The page of the server at `/`, and a security policy that names its own program and style by their hashes."""

import re
from base64 import b64encode
from dataclasses import dataclass
from hashlib import sha256
from importlib.resources import files

from linnet.reports.page.files import fill_page
from linnet.storage.json_keys import load_json

__all__ = ["ServedPage", "build_page"]

PAGE = "annotate/page.html"
TITLE = "Linnet"
N_EXAMPLES = 3
LONGEST_NAME = 40  # characters of an example's title
STYLE = re.compile(r"<style>(.*?)</style>", re.DOTALL)
PROGRAM = re.compile(r'<script type="module">(.*?)</script>', re.DOTALL)


@dataclass(frozen=True)
class ServedPage:
    """A page and the policy that a browser must follow with it."""

    content: bytes
    policy: str


def build_page(*, is_review: bool = False) -> ServedPage:
    """Return the page; nothing in it comes from requests.

    Args:
        is_review: does the page go through the documents of a review?
    """
    content = {"examples": [] if is_review else _read_examples(), "review": is_review}
    text = fill_page(PAGE, title=TITLE, content=content)
    rules = [
        "default-src 'none'",
        f"script-src {_hash_parts(PROGRAM, text)}",
        f"style-src {_hash_parts(STYLE, text)}",
        "connect-src 'self'",
        "img-src data:",
        "base-uri 'none'",
        "form-action 'none'",
        "frame-ancestors 'none'",
        "require-trusted-types-for 'script'",
        "trusted-types 'none'",
    ]
    return ServedPage(text.encode(), "; ".join(rules))


def _hash_parts(pattern: re.Pattern[str], text: str) -> str:
    digests = (b64encode(sha256(part.encode()).digest()).decode() for part in pattern.findall(text))
    return " ".join(f"'sha256-{digest}'" for digest in digests)


def _read_examples() -> list[dict[str, str]]:
    """Return abstracts of the demo corpus."""
    lines = files("linnet").joinpath("demo", "test.jsonl").read_text(encoding="utf-8").splitlines()
    texts = [load_json(line)["text"] for line in lines[:N_EXAMPLES]]
    return [{"name": _shorten(text.partition("\n")[0]), "text": text} for text in texts]


def _shorten(title: str) -> str:
    """Return the first words of a title."""
    if len(title) <= LONGEST_NAME:
        return title
    return title[:LONGEST_NAME].rpartition(" ")[0] + " …"
