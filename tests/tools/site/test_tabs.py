from tools.site.tabs import with_tabs

TABLE = """Before.

<!-- tabs -->
| you want to | install | with | size |
|---|---|---|---|
| annotate | `pip install linnet-nlp` | | 399 MB |
| train | `pip install 'linnet-nlp[train]'` | a [build](#torch) of `torch` | 1.5 GB |

After.
"""
TABS = """Before.

=== "annotate"

    ```bash
    pip install linnet-nlp
    ```

    Size: 399 MB

=== "train"

    ```bash
    pip install 'linnet-nlp[train]'
    ```

    With: a [build](#torch) of `torch`

    Size: 1.5 GB

After.
"""


def test_each_row_of_a_marked_table_is_a_tab() -> None:
    assert with_tabs(TABLE) == TABS


def test_other_tables_stay() -> None:
    text = TABLE.replace("<!-- tabs -->\n", "")

    assert with_tabs(text) == text
