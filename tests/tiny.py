"""Encoders small enough to be trained in a test: two random layers and a tokenizer made from a corpus's words."""

import atexit
import gc
import random
import warnings
from collections.abc import Callable, Iterable, Sequence
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from types import SimpleNamespace
from typing import Any

import accelerate.utils.memory  # type: ignore[import-untyped]
import pytest
import torch
from tokenizers import Tokenizer, decoders, models, normalizers, pre_tokenizers, processors, trainers
from transformers import (
    AlbertConfig,
    AutoModel,
    BertConfig,
    DebertaV2Config,
    ElectraConfig,
    ModernBertConfig,
    MPNetConfig,
    PreTrainedTokenizerFast,
    RobertaConfig,
)

from linnet.contracts import Plan, tasks
from linnet.models.encoders import quietly
from linnet.settings.training import TrainSettings
from linnet.tasks.ner.settings import NerSettings
from linnet.training.job import SilentWatcher, Watcher
from linnet.training.options import read_recipe
from linnet.training.run_folder import Run
from linnet.training.train import train as train_model

DISEASES = ("ataxia", "cystic fibrosis", "colorectal cancer", "anaemia")
CHEMICALS = ("aspirin", "folic acid", "cisplatin")
FRAMES = ("{d} was treated with {c} .", "{c} did not change {d} in mice .", "no cause of {d} is known", "we gave {c} .")
FAMILIES = ("bert", "roberta", "electra", "albert", "deberta-v2", "modernbert", "mpnet")
POSITIONS = 96  # sub-words that the encoders can read
SIZES: dict[str, Any] = {"hidden_size": 16, "num_hidden_layers": 2, "num_attention_heads": 2, "intermediate_size": 24}

Row = tuple[str, str]  # word and tag


def sentences(number: int, seed: int) -> list[list[Row]]:
    """Return sentences of words with iob2 tags, each the same for the same seed."""
    draw = random.Random(seed)
    return [_sentence(draw) for _ in range(number)]


def conll(rows: Iterable[Sequence[Row]]) -> str:
    """Return the sentences as a token-per-line file."""
    return "".join("".join(f"{word}\t{tag}\n" for word, tag in row) + "\n" for row in rows)


@cache
def workshop() -> Path:
    """Return a folder that lasts as long as the tests; torch gets one thread, the models are too small for two."""
    torch.set_num_threads(1)
    gc.collect()
    gc.freeze()
    # Accelerate looks for garbage before each training, to free the memory of devices; Python does so often enough
    accelerate.utils.memory.gc = SimpleNamespace(collect=lambda: 0)
    place = TemporaryDirectory(prefix="linnet-tests-")
    atexit.register(place.cleanup)
    return Path(place.name)


@cache
def corpus() -> Path:
    """Return the folder of the tiny corpus."""
    return write_corpus(workshop() / "tiny-corpus")


@cache
def encoder(family: str = "bert") -> Path:
    """Return the folder of a tiny encoder."""
    return write_encoder(workshop() / family, family)


@cache
def still_encoder() -> Path:
    """Return the folder of a tiny BERT without dropout."""
    return write_encoder(workshop() / "still-bert", dropout=0.0)


@cache
def trained() -> Path:
    """Return the folder of a run that has learned the tiny corpus."""
    return train(workshop() / "trained", epochs=6, learning_rate=0.03).folder


def settings(output: Path, **given: Any) -> NerSettings:
    """Return settings of a quick training on the tiny corpus."""
    quick: dict[str, Any] = {"epochs": 2, "batch_size": 8, "max_length": 64, "learning_rate": 3e-3}
    paths = {"data": str(corpus()), "encoder": str(encoder()), "output": str(output)}
    found = read_recipe(None, **(quick | paths | given))
    assert isinstance(found, NerSettings)
    return found


def trainer_options(settings: TrainSettings) -> dict[str, Any]:
    """Return what a job takes from the settings of a training."""
    return {
        "optimiser": settings.optimiser,
        "seed": settings.seed,
        "checkpoint_minutes": settings.checkpoint_minutes,
        "patience": settings.selection.patience,
        "tracker": settings.tracker,
        "sampling": settings.sampling,
    }


def plan_of(settings: TrainSettings) -> Plan:
    """Return the plan of a training, everything read and checked."""
    return tasks.get(settings.task).plan(settings)


def train(
    output: Path, *, watcher: Watcher | None = None, resume: bool = False, overwrite: bool = False, **given: Any
) -> Run:
    """Train quickly, without drawing the curves, which would take longer than all the rest."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("linnet.tasks.ner.results.plot_training", lambda rows, path, **_: path.write_bytes(b""))
        chosen = settings(output, **given)
        return train_model(chosen, watcher=watcher or SilentWatcher(), resume=resume, overwrite=overwrite)


def write_corpus(folder: Path, *, train: int = 24, devel: int = 8, test: int = 8) -> Path:
    """Write a corpus of three splits and return its folder."""
    folder.mkdir(parents=True, exist_ok=True)
    for seed, (split, number) in enumerate({"train": train, "devel": devel, "test": test}.items()):
        (folder / f"{split}.tsv").write_text(conll(sentences(number, seed)), encoding="utf-8")
    return folder


def write_encoder(folder: Path, family: str = "bert", *, dropout: float = 0.1) -> Path:
    """Write a random encoder of the family, with its tokenizer, and return its folder."""
    tokenizer = TOKENIZERS[family]()
    config = CONFIGS[family](tokenizer, dropout)
    torch.manual_seed(7)
    with quietly(), warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # DeBERTa's code wants torch.jit.script when it is imported
        AutoModel.from_config(config).save_pretrained(folder)  # type: ignore[no-untyped-call]
        tokenizer.save_pretrained(folder)
    return folder


def words() -> list[str]:
    """Return every word that occurs in the sentences."""
    return sorted({word for text in (*DISEASES, *CHEMICALS, *FRAMES) for word in text.split() if word[0] != "{"})


def _sentence(draw: random.Random) -> list[Row]:
    rows: list[Row] = []
    for part in draw.choice(FRAMES).split():
        if part in ("{d}", "{c}"):
            label, choices = ("Disease", DISEASES) if part == "{d}" else ("Chemical", CHEMICALS)
            mention = draw.choice(choices).split()
            rows += [(word, f"{'I' if index else 'B'}-{label}") for index, word in enumerate(mention)]
        else:
            rows.append((part, "O"))
    return rows


def _word_piece(pad: str = "[PAD]", cls: str = "[CLS]", sep: str = "[SEP]", mask: str = "[MASK]") -> Any:
    """Whole words for half of the corpus, letters for what else may come; MPNet has the special ones of RoBERTa."""
    letters = sorted({letter for word in words() for letter in word})
    specials = [pad, "[UNK]", cls, sep, mask] if pad == "[PAD]" else [cls, pad, sep, "[UNK]", mask]  # by their ids
    pieces = [*specials, *letters, *(f"##{each}" for each in letters)]
    pieces += [word for word in words()[::2] if word not in pieces]
    tokenizer = Tokenizer(models.WordPiece({piece: n for n, piece in enumerate(pieces)}, unk_token="[UNK]"))
    tokenizer.normalizer = normalizers.BertNormalizer(lowercase=True)
    tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    tokenizer.decoder = decoders.WordPiece()
    return _wrapped(tokenizer, cls, sep, pad, "[UNK]", mask)


def _byte_pairs(cls: str, sep: str, pad: str, unk: str, mask: str) -> PreTrainedTokenizerFast:
    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.decoder = decoders.ByteLevel()
    trainer = trainers.BpeTrainer(
        vocab_size=320,
        special_tokens=[cls, pad, sep, unk, mask],
        initial_alphabet=pre_tokenizers.ByteLevel.alphabet(),
        show_progress=False,
    )
    tokenizer.train_from_iterator([" ".join(words())], trainer)
    return _wrapped(tokenizer, cls, sep, pad, unk, mask)


def _unigram() -> PreTrainedTokenizerFast:
    specials = ["<pad>", "<unk>", "[CLS]", "[SEP]", "[MASK]"]
    tokenizer = Tokenizer(models.Unigram())
    tokenizer.pre_tokenizer = pre_tokenizers.Metaspace()
    tokenizer.decoder = decoders.Metaspace()
    trainer = trainers.UnigramTrainer(
        vocab_size=90, special_tokens=specials, unk_token="<unk>", show_progress=False, n_sub_iterations=1
    )
    tokenizer.train_from_iterator(words(), trainer)
    return _wrapped(tokenizer, "[CLS]", "[SEP]", "<pad>", "<unk>", "[MASK]")


def _wrapped(tokenizer: Tokenizer, cls: str, sep: str, pad: str, unk: str, mask: str) -> PreTrainedTokenizerFast:
    known = [(token, tokenizer.token_to_id(token)) for token in (cls, sep)]
    pair = f"{cls} $A {sep} $B:1 {sep}:1" if cls == "[CLS]" else f"{cls} $A {sep} {sep} $B {sep}"
    tokenizer.post_processor = processors.TemplateProcessing(single=f"{cls} $A {sep}", pair=pair, special_tokens=known)
    return PreTrainedTokenizerFast(  # type: ignore[no-untyped-call]
        tokenizer_object=tokenizer, cls_token=cls, sep_token=sep, pad_token=pad, unk_token=unk, mask_token=mask
    )


TOKENIZERS: dict[str, Callable[[], PreTrainedTokenizerFast]] = {
    "bert": _word_piece,
    "electra": _word_piece,
    "roberta": lambda: _byte_pairs("<s>", "</s>", "<pad>", "<unk>", "<mask>"),
    "modernbert": lambda: _byte_pairs("[CLS]", "[SEP]", "[PAD]", "[UNK]", "[MASK]"),
    "mpnet": lambda: _word_piece("<pad>", "<s>", "</s>", "<mask>"),
    "albert": _unigram,
    "deberta-v2": _unigram,
}


def _sized(kind: Callable[..., Any], **own: Any) -> Callable[[PreTrainedTokenizerFast, float], Any]:
    def make(tokenizer: PreTrainedTokenizerFast, dropout: float) -> Any:
        options = {"hidden_dropout_prob": dropout, "attention_probs_dropout_prob": dropout, **SIZES, **own}
        positions = own.get("max_position_embeddings", POSITIONS)
        return kind(
            vocab_size=len(tokenizer),
            pad_token_id=tokenizer.pad_token_id,
            **{**options, "max_position_embeddings": positions},
        )

    return make


CONFIGS: dict[str, Callable[[PreTrainedTokenizerFast, float], Any]] = {
    "bert": _sized(BertConfig),
    "electra": _sized(ElectraConfig, embedding_size=8),
    "roberta": _sized(RobertaConfig, max_position_embeddings=POSITIONS + 2),
    "mpnet": _sized(MPNetConfig, max_position_embeddings=POSITIONS + 2),
    "albert": _sized(AlbertConfig, embedding_size=8),
    "deberta-v2": _sized(DebertaV2Config, relative_attention=True, pos_att_type=["p2c", "c2p"], position_buckets=8),
    "modernbert": lambda tokenizer, dropout: ModernBertConfig(
        vocab_size=len(tokenizer),
        pad_token_id=tokenizer.pad_token_id,
        cls_token_id=tokenizer.cls_token_id,
        sep_token_id=tokenizer.sep_token_id,
        bos_token_id=None,
        eos_token_id=None,
        max_position_embeddings=POSITIONS,
        local_attention=16,
        attention_dropout=dropout,
        mlp_dropout=dropout,
        **SIZES,
    ),
}
