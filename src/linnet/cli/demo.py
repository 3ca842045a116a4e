"""The command `linnet demo`."""

__all__ = ["demo"]


def demo() -> None:
    """Show Linnet at work on the corpus that comes with it."""
    from linnet.cli.printing import stdout
    from linnet.formats.corpus import read_corpus
    from linnet.reports.statistics import describe

    stdout().print(describe(read_corpus("demo")).name)
