from linnet.contracts import formats, losses, tasks, weighting_schemes
from linnet.metrics.mentions.matching import matchings
from linnet.models.aliases import ALIASES
from tools.site.reference.names import encoders_page, formats_page, losses_page, matchings_page, tasks_page


def test_everything_that_is_registered_is_on_its_page() -> None:
    rows = "\n".join([formats_page(), matchings_page(), encoders_page()])
    sections = "\n".join([losses_page(), tasks_page()])

    assert not [name for name in (*formats.names(), *matchings.names(), *ALIASES) if f"| `{name}` |" not in rows]
    names = (*losses.names(), *weighting_schemes.names(), *tasks.names())
    assert not [name for name in names if f"# {name}\n" not in sections]


def test_a_format_that_is_only_read_says_so() -> None:
    assert "| `pubmed-xml` | yes | no |" in formats_page()
