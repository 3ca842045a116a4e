"""How far do words alone answer BioASQ's factoid questions, without any training?

    python benchmarks/answering_baseline.py [GOLDEN.json ...]

The measure that a trained `answering` model must beat. Candidates are runs of up to four words of a question's snippets
that neither begin nor end with an everyday word, cross no punctuation and hold no word of the question. In each
snippet a candidate earns the share of the question's words (weighted by rarity) that its sentence holds, more the
closer they stand to it. The sum over the snippets is multiplied by the candidate's rarity among all snippets of the
file, by a bonus for what looks like a name (capitals inside, digits, Greek letters), or for numbers where the question
asks for one. The constants were chosen on 4B and 5B; 6B, which is read by default, was looked at once, after that.
"""

import math
import re
import sys
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from linnet.documents.texts import TextExample
from linnet.metrics.texts.question_answering import MOST_ANSWERS, factoid_metrics
from linnet.metrics.texts.resampled import evaluate_metrics
from linnet.tasks.answering.settings import AnsweringSettings
from linnet.tasks.answering.task import Answering

GOLDEN = Path(__file__).resolve().parents[2] / "shared" / "data" / "qa" / "bioasq" / "6B_golden.json"
MOST_WORDS = 4
HALF_DISTANCE = 10  # words from a candidate at which a word of the question counts half
LEAST_SUPPORT = 0.1  # of a sentence without any word of the question
NAME_BONUS = 2.0
NUMBER_BONUS = 10.0
LENGTH_POWER = 0.25  # longer runs are rarer, and so are worth a little more

WORD = re.compile(r"\w+(?:[-'’/.,+]\w+)*")
ASKS_FOR_NUMBER = re.compile(r"how many|how much|what percentage|what is the (number|prevalence)", re.IGNORECASE)
SENTENCE_END = re.compile(r"(?<=[.!?])\s+(?=[A-Z])")
NAME = re.compile(r".+[A-Z]|.*\d|.*[α-ω]")  # FBN1, mTOR, α-synuclein
NUMBER = re.compile(r"\d[\d.,]*%?|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve", re.IGNORECASE)
EVERYDAY = frozenset(
    """a about above after again against all also although among an and any are as associated at based be because been
    before being below between both but by can cause caused causes common could did different do does doing due during
    each effect effects either et al few for found from further had has have having here high how however i if
    important in including increased into involved is it its known less like low main many may might mg more most
    much name named new no nor not novel observed of off on one only or other our out over own patients per possible
    present protein reported respectively results role s same several should show showed shown shows significant
    significantly since so some specific studies study such suggest suggested suggests than that the their them then
    there therefore these they this those through thus to together treatment treated type under until up use used using
    various very via was we well were what when where whether which while who whom whose why will with within without
    would year years yet you your""".split()
)


@dataclass(frozen=True)
class Token:
    """A word in lower case, and where it stands in its sentence."""

    word: str
    start: int
    end: int


def main(paths: Sequence[str]) -> int:
    for path in [Path(each) for each in paths] or [GOLDEN]:
        if not path.is_file():
            print(f"skipped: {path} is not here")
            continue
        examples = [each for split in Answering().read(path, AnsweringSettings()).values() for each in split]
        known = [each for each in examples if each.gold]
        predicted = answers(known)
        gold = {each.group: synonyms(each) for each in known}
        print(f"{path.name}: {len(gold):,} factoid questions, {len(known):,} snippets, no training")
        scored = factoid_metrics(list(gold.values()), [predicted[question] for question in gold])
        for name, figure in evaluate_metrics(scored).items():
            print(f"{name:18} {figure.value:.4f}  ({figure.low:.4f} to {figure.high:.4f})")
    return 0


def synonyms(example: TextExample) -> list[str]:
    answers = example.gold if isinstance(example.gold, tuple) else ()
    return [str(text) for answer in answers for text in answer]


def answers(examples: Sequence[TextExample]) -> dict[str, list[str]]:
    """Return the best answers to each question, the best first."""
    by_question: dict[str, list[TextExample]] = defaultdict(list)
    for example in examples:
        by_question[example.group].append(example)
    rarity = rarities(example.second or "" for example in examples)
    return {question: ranked(snippets, rarity) for question, snippets in by_question.items()}


def rarities(texts: Iterable[str]) -> defaultdict[str, float]:
    """Return the inverse document frequency of each word; a word that never occurs is as rare as can be."""
    counts: Counter[str] = Counter()
    n_texts = 0
    for text in texts:
        counts.update({token.word for token in tokens(text)})
        n_texts += 1
    highest = math.log(n_texts + 1)
    return defaultdict(lambda: highest, {word: math.log((n_texts + 1) / n) for word, n in counts.items()})


def tokens(text: str) -> list[Token]:
    return [Token(found[0].lower(), found.start(), found.end()) for found in WORD.finditer(text)]


def ranked(snippets: Sequence[TextExample], rarity: defaultdict[str, float]) -> list[str]:
    """Return the candidates of a question's snippets, the best first, each in its most frequent spelling."""
    question = snippets[0].first
    asked = {token.word for token in tokens(question)} - EVERYDAY
    scores: Counter[str] = Counter()
    spellings: dict[str, Counter[str]] = defaultdict(Counter)
    for snippet in snippets:
        best: dict[str, float] = {}  # a snippet counts once for a candidate, where that stands best
        for sentence in SENTENCE_END.split(snippet.second or ""):
            for spelling, support in candidates(sentence, asked, rarity):
                key = spelling.lower()
                spellings[key][spelling] += 1
                best[key] = max(best.get(key, 0.0), support)
        scores.update(best)
    wants_number = ASKS_FOR_NUMBER.match(question) is not None
    usual = {key: counts.most_common(1)[0][0] for key, counts in spellings.items()}
    final = {key: score * worth(usual[key], rarity, wants_number=wants_number) for key, score in scores.items()}
    return [usual[key] for key in sorted(final, key=lambda key: (-final[key], key))[:MOST_ANSWERS]]


def candidates(sentence: str, asked: set[str], rarity: defaultdict[str, float]) -> Iterator[tuple[str, float]]:
    """Yield each run of words that may be an answer, and how well the sentence around it supports it."""
    found = tokens(sentence)
    clues = {token.word: at for at, token in enumerate(found) if token.word in asked}
    total = sum(rarity[word] for word in asked) or 1.0
    for first, token in enumerate(found):
        for last in range(first, min(first + MOST_WORDS, len(found))):
            if found[last].word in asked or (last > first and sentence[found[last - 1].end : found[last].start] != " "):
                break
            if token.word in EVERYDAY or found[last].word in EVERYDAY:
                continue
            distances = {word: min(abs(at - first), abs(at - last)) for word, at in clues.items()}
            near = sum(rarity[word] / (1 + distance / HALF_DISTANCE) for word, distance in distances.items())
            yield sentence[token.start : found[last].end], LEAST_SUPPORT + near / total


def worth(spelling: str, rarity: defaultdict[str, float], *, wants_number: bool) -> float:
    """Return the factor for what a candidate looks like."""
    words = [token.word for token in tokens(spelling)]
    mean_rarity = sum(rarity[word] for word in words) / len(words)
    bonus = 1.0
    if wants_number and NUMBER.match(spelling):
        bonus = NUMBER_BONUS
    elif not wants_number and any(NAME.match(word) for word in spelling.split()):
        bonus = NAME_BONUS
    return bonus * mean_rarity * math.pow(len(words), LENGTH_POWER)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
