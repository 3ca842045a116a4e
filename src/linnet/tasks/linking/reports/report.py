"""Writes the report and the card of a linking run."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from linnet.contracts import Table
from linnet.reports.card_sections import limits_section, quote_as_json, quote_for_shell, write_card_file
from linnet.reports.markdown import escape, markdown_table
from linnet.storage.files import new_file
from linnet.tasks.linking.evaluation.evaluating import LinkingEvaluation
from linnet.tasks.linking.reports.buckets import MEANING, count_buckets, find_mistakes
from linnet.tasks.linking.training.meaning_recall import TrainedEncoder

__all__ = ["RunFacts", "write_linking_card", "write_linking_report"]

N_EXAMPLES = 5  # mistakes of each kind


@dataclass(frozen=True, kw_only=True)
class RunFacts:
    """What report and card of a run say besides the scores."""

    name: str
    corpus: str
    label: str | None
    vocabulary: str
    vocabulary_hash: str
    learned_from: str  # the splits
    n_forms: int
    penalty: float
    min_score: float
    choices: Sequence[tuple[float, float]]  # penalty and recall on devel
    weights: Mapping[str, float]
    counts_by_split: Mapping[str, Mapping[str, int]]
    fingerprints: Mapping[str, str]
    versions: Mapping[str, str]
    command: str
    data: str  # a sentence about the data that it reads
    encoder: str = ""  # that compares mentions and names by meaning
    trained: TrainedEncoder | None = None  # how it was trained


def write_linking_report(path: Path, facts: RunFacts, evaluations: Mapping[str, LinkingEvaluation]) -> None:
    """Write `report.md`: scores, mistakes in buckets with examples, and what was learned."""
    sections = [f"# {escape(facts.name)}", *_what_was_learned(facts)]
    for split, evaluation in evaluations.items():
        sections += [f"## Scores, {escape(split)}", *map(_markdown, evaluation.tables())]
        sections += list(_mistakes(evaluation))
    with new_file(path) as file:
        file.write("\n\n".join(sections) + "\n")


def write_linking_card(path: Path, facts: RunFacts, evaluations: Mapping[str, LinkingEvaluation]) -> None:
    """Write the model card."""
    header = ["library_name: linnet", "tags:", "- linnet", f"- {quote_as_json('entity-linking')}"]
    what = f"It links mentions of {escape(facts.label or 'all entity types')} to the concepts of a vocabulary"
    sections = [
        f"# {escape(facts.name)}",
        f"{what} (`{facts.vocabulary_hash}`), {_describe_network(facts)}: learned mentions, and weights of the "
        "features of candidates. It needs this vocabulary and refuses another.",
        "## How to use it",
        f"```bash\nlinnet link documents.jsonl --vocabulary {quote_for_shell(facts.name)} --output linked.jsonl\n```",
        *_data(facts),
        *_what_was_learned(facts),
    ]
    for split, evaluation in evaluations.items():
        sections += [f"## Scores, {escape(split)}", *map(_markdown, evaluation.tables())]
    sections += limits_section(["It knows the concepts of its vocabulary, and identifiers of the training corpus."], [])
    versions = ", ".join(f"{name} {version}" for name, version in facts.versions.items())
    sections += ["## How to repeat it", f"```bash\n{facts.command}\n```", facts.data, f"Versions: {escape(versions)}."]
    sections.append("Corpus and vocabulary have licences of their own; learned mentions are words of the corpus.")
    write_card_file(path, header, sections)


def _data(facts: RunFacts) -> Iterator[str]:
    yield "## Data"
    yield f"{escape(facts.corpus)}; vocabulary `{escape(facts.vocabulary)}`."
    columns = ("documents", "mentions", "identifiers")
    yield markdown_table(
        ("split", *columns, "fingerprint"),
        [
            (escape(split), *(f"{counts[column]:,}" for column in columns), f"`{facts.fingerprints[split]}`")
            for split, counts in facts.counts_by_split.items()
        ],
    )


def _what_was_learned(facts: RunFacts) -> Iterator[str]:
    yield "## Training"
    yield (
        f"{facts.n_forms:,} forms of mentions were learned from {escape(facts.learned_from)}. Penalty "
        f"{facts.penalty:g} and the lowest score of a link, {facts.min_score:g}, were chosen on devel."
    )
    yield from _how_encoder_was_trained(facts)
    rows = [(f"{penalty:g}", f"{100 * recall:.2f}") for penalty, recall in facts.choices]
    yield markdown_table(("penalty", "devel recall@1"), rows)
    yield markdown_table(("feature", "weight"), [(escape(name), f"{each:.3f}") for name, each in facts.weights.items()])


def _describe_network(facts: RunFacts) -> str:
    if not facts.encoder:
        return "without a neural network"
    how = "after contrastive training" if facts.trained else "as it is"
    return f"with the encoder {escape(facts.encoder)}, {how}"


def _how_encoder_was_trained(facts: RunFacts) -> Iterator[str]:
    if facts.trained:
        yield (
            f"The encoder {escape(facts.encoder)} learned from pairs of names (contrastive training). Candidates "
            f"ordered by the cosine of their names alone: recall@1 on devel {100 * facts.trained.before:.2f} before, "
            f"{100 * facts.trained.after:.2f} after; `training.png` shows the epochs."
        )


def _mistakes(evaluation: LinkingEvaluation) -> Iterator[str]:
    counts = count_buckets(evaluation.documents)
    total = sum(counts.values())
    yield f"### Mistakes: {total:,}"
    rows = [(kind, f"{number:,}", f"{number / total:.1%}" if total else "", MEANING[kind])
            for kind, number in counts.items()]  # fmt: skip
    yield markdown_table(("kind", "number", "share", "meaning"), rows)
    shown = [row for kind in MEANING for row in _examples(evaluation, kind)]
    if shown:
        yield markdown_table(("kind", "mention", "gold", "answer", "name"), shown)


def _examples(evaluation: LinkingEvaluation, kind: str) -> list[Sequence[str]]:
    """Return the first mistakes of a kind, each text once."""
    by_text: dict[str, Sequence[Any]] = {}
    for mistake in find_mistakes(evaluation.documents):
        if mistake.kind == kind and len(by_text) < N_EXAMPLES:
            mention = mistake.mention
            cells = (mention.expanded, "|".join(mention.gold), "|".join(mention.answers), "|".join(mention.names))
            by_text.setdefault(mention.expanded, (kind, *map(escape, cells)))
    return list(by_text.values())


def _markdown(table: Table) -> str:
    remarks = table.remarks or ("",) * len(table.rows)
    rows = [(*row, remark) for row, remark in zip(table.rows, remarks, strict=True)]
    return f"{table.title}\n\n{markdown_table((*table.columns, table.remark), rows)}"
