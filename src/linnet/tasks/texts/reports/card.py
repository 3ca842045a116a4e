"""Writes the model card of a model about texts."""

from collections.abc import Iterator
from pathlib import Path

from linnet.reports.card_sections import (
    DEVEL_IS_OPTIMISTIC,
    NOT_SCORED,
    data_section,
    limits_section,
    main_split,
    model_index,
    origin_lines,
    quote_as_json,
    quote_for_shell,
    repeat_section,
    training_section,
    write_card_file,
)
from linnet.reports.markdown import escape
from linnet.tasks.texts.reports.facts import TextFacts
from linnet.tasks.texts.reports.report import label_section, score_table, text_headline

__all__ = ["write_text_card"]

HUB_METRICS = {"pearson": "pearsonr", "spearman": "spearmanr"}
KINDS_ON_THE_HUB = ("f1", "precision", "recall", "accuracy")  # a score is named after what its name ends with
WHAT_STANDS_FOR_A_TEXT = {"mean": "the mean of its tokens", "markers": "the markers of its two mentions"}


def write_text_card(path: Path, facts: TextFacts) -> None:
    """Write the model card."""
    columns = list(dict.fromkeys(column for counts in facts.counts_by_split.values() for column in counts))
    sections = [
        f"# {escape(facts.name)}",
        *_what_it_is(facts),
        *_how_to_use(facts),
        *data_section(facts, columns),
        *training_section(facts, weighted="label"),
        *_scores(facts),
        *limits_section(list(facts.kind.limits(escape(facts.corpus))), list(_reading_limits(facts))),
        *repeat_section(facts),
    ]
    write_card_file(path, _front_matter(facts), sections)


def _front_matter(facts: TextFacts) -> Iterator[str]:
    pipeline = (facts.kind.pipeline_of_pairs if facts.needs_pairs else "") or facts.kind.pipeline
    yield from (f"library_name: {'transformers' if _is_ordinary(facts) else 'linnet'}", f"pipeline_tag: {pipeline}")
    yield from origin_lines(facts)
    yield from ("tags:", "- linnet", f"- {quote_as_json(facts.task)}")
    if facts.metric:
        yield from ("metrics:", f"- {_hub_metric(facts.metric)}")
    split = main_split(facts.figures_by_split)
    figure = facts.figures_by_split[split].get(facts.metric) if split is not None else None
    if split is not None and figure is not None:
        metric = (_hub_metric(facts.metric), quote_as_json(facts.title(facts.metric)), figure["value"])
        yield from model_index(facts, split, task=(pipeline, quote_as_json(facts.task)), metrics=[metric])


def _is_ordinary(facts: TextFacts) -> bool:
    """Does a class of transformers hold all of the model?"""
    return facts.kind.has_positions or (facts.pooling == "cls" and facts.method == "cross")


def _hub_metric(name: str) -> str:
    endings = (kind for kind in KINDS_ON_THE_HUB if name.endswith(kind))
    return HUB_METRICS.get(name) or next(endings, name)


def _what_it_is(facts: TextFacts) -> Iterator[str]:
    made = f"fine-tuned on {escape(facts.corpus)} with Linnet" if facts.epochs else "not trained any further"
    yield (
        f"A model for {escape(facts.task_description)}. {facts.kind.summary(facts.labels)} "
        f"It stands on the encoder `{facts.encoder}`, {made}."
    )
    split = main_split(facts.figures_by_split)
    if split is not None:
        yield text_headline(facts, split)


def _how_to_use(facts: TextFacts) -> Iterator[str]:
    yield "## How to use it"
    yield "With Linnet, in texts of any length; the input has the layout of the corpus, its answers may be missing:"
    given, model = f"texts.{facts.kind.input_suffix}", quote_for_shell(facts.name)
    yield f"```bash\nlinnet predict {given} --model {model} --output predictions.jsonl\n```"
    if not _is_ordinary(facts):
        yield f"{_why_only_linnet(facts)}, so this model opens with Linnet only."
        return
    yield "With transformers alone:"
    yield _with_transformers(facts)
    yield facts.kind.difference(facts.windows)


def _why_only_linnet(facts: TextFacts) -> str:
    if facts.method == "bi":
        return "It reads each of the two texts by itself and compares them by their cosine"
    stands = WHAT_STANDS_FOR_A_TEXT.get(facts.pooling, facts.pooling)
    return f"What stands for a text is {stands}, for which transformers has no class"


def _with_transformers(facts: TextFacts) -> str:
    folder = quote_as_json(facts.name)
    if facts.kind.has_positions:
        return (
            "```python\nimport torch\nfrom transformers import AutoModelForQuestionAnswering, AutoTokenizer\n\n"
            f"tokenizer = AutoTokenizer.from_pretrained({folder})\n"
            f"model = AutoModelForQuestionAnswering.from_pretrained({folder}).eval()\n"
            'inputs = tokenizer(question, text, truncation="only_second", return_tensors="pt")\n'
            "with torch.inference_mode():\n    scores = model(**inputs)\n"
            "first, last = int(scores.start_logits.argmax()), int(scores.end_logits.argmax())\n"
            'print(tokenizer.decode(inputs["input_ids"][0, first : last + 1]))\n```'
        )
    options = facts.kind.pipeline_options
    given = '{"text": first, "text_pair": second}' if facts.needs_pairs else "text"
    return (
        f'```python\nfrom transformers import pipeline\n\nclassifier = pipeline("text-classification", '
        f"model={folder}{options})\nprint(classifier({given}))\n```"
    )


def _scores(facts: TextFacts) -> Iterator[str]:
    yield "## Scores"
    if not facts.figures_by_split:
        yield NOT_SCORED
        return
    unit = "In percent. " if facts.has_shares else ""
    yield (
        f"{unit}Intervals are 95 % bootstrap intervals over what was evaluated, for this one model; they do not say "
        "how far another seed would move the score."
    )
    for split in facts.figures_by_split:
        yield f"### {escape(split)}"
        yield score_table(facts, split)
        yield from label_section(facts, split, title="By label:")
    if "devel" in facts.figures_by_split and facts.best_epoch is not None:
        yield DEVEL_IS_OPTIMISTIC


def _reading_limits(facts: TextFacts) -> Iterator[str]:
    window = facts.settings.get("max_length")
    size = f"windows of {window} sub-words" if window is not None else "windows"
    joined = "" if facts.kind.has_positions else f", whose scores are joined ({facts.windows})"
    yield f"Long texts are read in overlapping {size}{joined}; what lies further apart cannot influence each other."
    if facts.kind.has_percentages:
        yield "Scores of answers are the network's own and are not calibrated probabilities."
