"""The model card (`README.md`) of a pretrained encoder."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from linnet.documents.counted import counted
from linnet.reports.card_sections import HUB_NAME, quote_as_json, quote_for_shell, write_card_file
from linnet.reports.markdown import escape, markdown_table
from linnet.settings.pretraining import PretrainSettings

__all__ = ["write_pretraining_card"]

UNITS = {"subword": "single sub-words", "word": "whole words", "ngram": "n-grams of whole words"}

Facts = Mapping[str, Any]  # as `pretraining.json` and `metrics.json` hold them


def write_pretraining_card(path: Path, name: str, settings: PretrainSettings, facts: Facts, metrics: Facts) -> None:
    """Write the model card of an encoder.

    Args:
        path: the file to write.
        name: of the encoder's folder.
        settings: of the run.
        facts: content of `pretraining.json`.
        metrics: content of `metrics.json`.
    """
    sections = [
        f"# {escape(name)}",
        _describe_encoder(settings, facts, metrics),
        *_describe_use(settings.output),
        *_describe_text(facts["text"]),
        _describe_vocabulary(settings, facts["text"]),
        *_describe_training(settings, facts, metrics),
        *_describe_limits(metrics),
        "## How to repeat it",
        f"```bash\nlinnet pretrain {quote_for_shell(f'{settings.output}/recipe.toml')} --output NEW\n```",
        "Paths are relative to the folder where the run was started.",
        escape("Versions: " + ", ".join(f"{key} {value}" for key, value in facts["versions"].items()) + "."),
        "Licence: none has been chosen; ask before you pass the encoder on. The text and the encoder that it was "
        "started from have their own licences, which may apply too.",
    ]
    write_card_file(path, _make_header(settings), sections)


def _make_header(settings: PretrainSettings) -> Iterator[str]:
    yield from ("library_name: transformers", "pipeline_tag: fill-mask")
    yield from ("language:", *(f"- {language}" for language in settings.cleaning.languages or ("mul",)))
    if not settings.fresh and HUB_NAME.fullmatch(settings.encoder) and not Path(settings.encoder).exists():
        yield f"base_model: {quote_as_json(settings.encoder)}"
    yield from ("tags:", "- linnet", "- fill-mask")


def _describe_encoder(settings: PretrainSettings, facts: Facts, metrics: Facts) -> str:
    weights = "random weights" if settings.fresh else "its pretrained weights"
    return (
        f"An encoder of the family {facts['family']}, started from `{settings.encoder}` with {weights} and trained on "
        f"{metrics['tokens']:,} sub-words of text with Linnet. Its perplexity at masked positions of held-out text is "
        f"{_format_score(metrics['perplexity'])}; before training it was "
        f"{_format_score(metrics['perplexity_before'])}."
    )


def _describe_use(name: str) -> Iterator[str]:
    """Yield commands that work in the folder where the run was started.

    Args:
        name: path of the encoder's folder.
    """
    yield "## How to use it"
    yield f"```bash\nlinnet train --encoder {quote_for_shell(name)} --data CORPUS --output RUN\n```"
    yield (
        "```python\nfrom transformers import AutoModel, AutoModelForMaskedLM, AutoTokenizer\n\n"
        f"encoder = AutoModel.from_pretrained({quote_as_json(name)})\n"
        f"with_head = AutoModelForMaskedLM.from_pretrained({quote_as_json(name)})\n"
        f"tokenizer = AutoTokenizer.from_pretrained({quote_as_json(name)})\n```"
    )


def _describe_text(text: Facts) -> Iterator[str]:
    yield "## Text"
    rows = [
        (escape(source), f"{counts['files']:,}", f"{counts['documents']:,}", f"{counts['words']:,}")
        for source, counts in text["sources"].items()
    ]
    yield markdown_table(("source", "files", "documents", "words kept"), rows)
    yield (
        f"Kept: {text['n_documents']:,} documents, {text['n_sentences']:,} sentences, {text['n_words']:,} words, "
        f"{text['n_tokens']:,} sub-words; {text['n_held_out_documents']:,} documents are held out. "
        f"{text['n_sequences']:,} sequences are for training. Fingerprint `{text['fingerprint']}`."
    )
    removed = [(escape(rule), f"{number:,}") for rule, number in text["cleaned"].items()]
    if removed:
        yield "Removed by cleaning:"
        yield markdown_table(("rule", "number"), removed)
    noted = [(escape(what), f"{number:,}") for what, number in text["notes"].items()]
    if noted:
        yield "Noted while reading:"
        yield markdown_table(("what", "number"), noted)
    excluded = [(escape(corpus), f"{number:,}") for corpus, number in text["excluded"].items()]
    if excluded:
        yield "Sentences left out because evaluation corpora have them; one of several corpora counts for the first:"
        yield markdown_table(("corpus", "sentences"), excluded)
    else:
        yield "No evaluation corpus was excluded: the text may contain its sentences."


def _describe_vocabulary(settings: PretrainSettings, text: Facts) -> str:
    per_word = f"{text['tokens_per_word']:.3f} sub-words per word of held-out text"
    before, wanted = text["tokens_per_word_before"], settings.vocabulary
    if before is None:
        origin = ", learned from the text"
    elif wanted.train is None and wanted.extend is None:
        origin = f" of `{wanted.source or settings.encoder}`"
    else:
        kind = "learned from the text" if wanted.train is not None else "with words of the text"
        origin = f", {kind}, {text['n_new_words']:,} of them new"
        per_word += f" (before: {before:.3f})"
    return f"Vocabulary: {text['vocabulary_size']:,} sub-words{origin}; {per_word}."


def _describe_training(settings: PretrainSettings, facts: Facts, metrics: Facts) -> Iterator[str]:
    masking, schedule = settings.masking, facts["schedule"]
    yield "## Training"
    unit = UNITS[masking.unit]
    if masking.unit == "ngram":
        unit += f" up to {masking.longest_ngram}, drawn in proportion to 1/n"
    order = ", and sentence-order prediction" if masking.sentence_order else ""
    yield (
        f"Masked language modelling of {unit} at a rate of {masking.rate:g} ({masking.keep:g} of them kept, "
        f"{masking.replace:g} replaced){order}; {counted(schedule['steps'], 'update')}, {metrics['passes']:.2f} passes "
        f"over the text, seed {facts['seed']}. `training.png` and `history.jsonl` show the learning curves."
    )
    rows = [(escape(key), escape(str(value))) for key, value in facts["optimiser"].items()]
    yield markdown_table(("setting", "value"), [("length", str(facts["length"])), *rows])
    scores = metrics["held_out"]
    table = [
        (escape(name), _format_score(scores["before"].get(name), 4), _format_score(score, 4))
        for name, score in scores["after"].items()
    ]
    yield "Scores on held-out text, with the same masked positions:"
    yield markdown_table(("score", "before", "after"), table)


def _format_score(score: float | None, digits: int = 2) -> str:
    return "not measurable" if score is None else f"{score:.{digits}f}"


def _describe_limits(metrics: Facts) -> Iterator[str]:
    points = [
        "It is a language model without a task: fine-tune it before use.",
        "Perplexities compare only between encoders with the same vocabulary, text and masking.",
        "It reflects its training text, with its gaps and biases.",
        *(escape(f"{note[:1].upper()}{note[1:]}.") for note in metrics["warnings"]),
    ]
    yield "## Limits"
    yield "\n".join(f"- {point}" for point in points)
