"""Shows a table of choices as tabs in the site; where Markdown is read as it is, it stays a table."""

import re

__all__ = ["with_tabs"]

TABLE = re.compile(r"^<!-- tabs -->\n(?P<head>\|.*)\n\|[-:|]+\|\n(?P<rows>(?:\|.*\n)+)", re.M)
CODE = re.compile(r"`([^`]+)`")


def with_tabs(text: str) -> str:
    """Return the text of a page in which each row of a table after `<!-- tabs -->` is a tab.

    The first cell is the title of the tab. A cell that is nothing but code becomes a block of code, any other a
    line with the name of its column.
    """
    return TABLE.sub(
        lambda found: "\n".join(_tab(_cells(found["head"]), row) for row in found["rows"].splitlines()), text
    )


def _tab(names: list[str], row: str) -> str:
    title, *cells = _cells(row)
    blocks = [_block(name, cell) for name, cell in zip(names[1:], cells, strict=True) if cell]
    lines = "\n\n".join(blocks).split("\n")
    return "\n".join([f'=== "{title}"', "", *(f"    {line}" if line else "" for line in lines), ""])


def _block(name: str, cell: str) -> str:
    command = CODE.fullmatch(cell)
    return f"```bash\n{command[1]}\n```" if command else f"{name[0].upper()}{name[1:]}: {cell}"


def _cells(row: str) -> list[str]:
    return [cell.strip() for cell in row.strip().strip("|").split("|")]
