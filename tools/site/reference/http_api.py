"""Reference page of the web service, made from its OpenAPI description."""

import json
from typing import Any

from tools.site.markdown import cell, code, table
from tools.site.pages import ROOT

__all__ = ["http_page"]


def http_page() -> str:
    """Return the page with the routes of `linnet serve`."""
    description = json.loads((ROOT / "docs" / "openapi.json").read_text(encoding="utf-8"))
    rows = [
        _row(path, method, route) for path, routes in description["paths"].items() for method, route in routes.items()
    ]
    return f"""# HTTP

{cell(description["info"]["description"])} `linnet serve` starts the service, `/openapi.json` describes it for
programs, and the page `/` is for people.

{table(["route", "what it does", "answers"], rows)}

The description of every field is the file [openapi.json](../files/docs/openapi.json).
"""


def _row(path: str, method: str, route: dict[str, Any]) -> list[str]:  # Any: JSON
    answers = ", ".join(sorted(route.get("responses", {})))
    return [code(f"{method.upper()} {path}"), cell(str(route.get("summary", ""))), answers]
