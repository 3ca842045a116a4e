"""Modules become one program in which each runs once, after what it needs, and keeps its own names."""

from importlib.resources import files

import pytest

from linnet.reports.page.files import read_part
from linnet.reports.page.programs import EXPORT, IMPORT, join_modules
from tests.browser import Browser

HOME = files("linnet.reports.page")
FOLDERS = [folder for folder in HOME.iterdir() if folder.is_dir() and not folder.name.startswith("_")]
MODULES = sorted(
    f"{folder.name}/{file.name}" for folder in FOLDERS for file in folder.iterdir() if file.name.endswith(".js")
)
PROGRAMS = [name for name in MODULES if name.endswith("/program.js")]


def test_a_module_comes_once_and_after_what_it_imports() -> None:
    modules = {
        "page/main.js": 'import { a } from "../shared/a.js";\nimport { b } from "./b.js";\nuse(a, b);\n',
        "page/b.js": 'import { a } from "../shared/a.js";\n\nexport const b = a + 1;\n',
        "shared/a.js": "export const a = 1;\n",
    }

    program = join_modules("page/main.js", modules.__getitem__)

    assert program.splitlines() == [
        "const modules = {};",
        'modules["shared/a.js"] = (() => {',
        "const a = 1;",
        "return { a };",
        "})();",
        'modules["page/b.js"] = (() => {',
        'const { a } = modules["shared/a.js"];',
        "",
        "const b = a + 1;",
        "return { b };",
        "})();",
        'modules["page/main.js"] = (() => {',
        'const { a } = modules["shared/a.js"];',
        'const { b } = modules["page/b.js"];',
        "use(a, b);",
        "return {  };",
        "})();",
    ]


def test_names_of_one_module_do_not_disturb_another(browser: Browser) -> None:
    modules = {
        "main.js": 'import { one,\n  two } from "./a.js";\nimport { Three } from "./b.js";\n'
        "export const sum = one() + two + new Three().value;\n",
        "a.js": "const value = 1;\nexport function one() {\n  return value;\n}\nexport const two = 2;\n",
        "b.js": "const value = 3;\nexport async function later() {}\nexport class Three { value = value; }\n",
    }
    page = browser.open("about:blank")

    found = page.evaluate(f"(() => {{ {join_modules('main.js', modules.__getitem__)} return modules['main.js']; }})()")

    page.close()
    assert found == {"sum": 6}


@pytest.mark.parametrize("name", PROGRAMS)
def test_no_import_or_export_is_left_in_a_program(name: str) -> None:
    lines = join_modules(name, read_part).splitlines()

    assert [line for line in lines if line.lstrip().startswith(("import ", "import{", "export "))] == []


@pytest.mark.parametrize("name", PROGRAMS)
def test_no_program_ends_its_own_element(name: str) -> None:
    program = join_modules(name, read_part).lower()

    assert "</script" not in program
    assert "<!--" not in program


def test_every_module_is_part_of_a_program() -> None:
    joined = [join_modules(name, read_part) for name in PROGRAMS]

    assert [name for name in MODULES if not any(f'modules["{name}"] = ' in program for program in joined)] == []


def test_every_export_is_imported_somewhere() -> None:
    texts = [read_part(name) for name in MODULES]
    exported = {found["name"] for text in texts for found in EXPORT.finditer(text)}
    imported = {
        name for text in texts for found in IMPORT.finditer(text) for name in found["names"].strip("{} \n").split(",")
    }

    assert exported - {name.strip() for name in imported} == set()
