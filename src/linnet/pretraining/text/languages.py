"""Language identification of a line by its function words.

A line is in the language whose most frequent words it has most of. Such words are about a third of running text, also
in reports of medical trials. A line in which every language has less than `LEAST_SHARE` is in no known language: it may
be in another one, or a table, a list of names, a formula. Lines with fewer than `LEAST_WORDS` words are not
classified; numbers do not count as words.
"""

from collections import Counter
from collections.abc import Iterable, Sequence

from linnet.errors import BadSetting

__all__ = ["LANGUAGES", "LEAST_SHARE", "LEAST_WORDS", "check_languages", "identify_language"]

LEAST_SHARE = 0.08
LEAST_WORDS = 12
COMMON_WORDS = {
    "en": """the of and in to a with for was were is that by as on at from are be or this an which not than between
    we it had have has after these our their its both during may been can also but there into who all more when no""",
    "de": """der die und in den von zu das mit sich des auf für ist im dem nicht ein eine als auch es an werden aus er
    hat dass sie nach wird bei einer um am sind noch wie einem über einen so zum war haben nur oder aber vor zur bis
    mehr durch wurde wurden""",
    "fr": """de la le et les des en un du une que est pour qui dans a par plus pas au sur ne se ce il sont avec ou son
    aux cette ces été d l être ont nous chez entre comme mais leur deux ses elle""",
    "es": """de la que el en y a los se del las un por con no una su para es al lo como más o pero sus le ha este
    entre cuando muy sin sobre también fue son está hasta hay desde estos fueron""",
    "it": """di e il la che in un a per è una del con non si le da i della dei al sono nel gli alla più come delle lo
    anche ma nella o ha su degli dal questo tra stato essere dalla""",
    "pt": """de a o que e do da em um para é com não uma os no se na por mais as dos como mas foi ao ele das tem à seu
    sua ou ser quando muito há nos já está também pelo pela até isso entre foram""",
    "nl": """de van een het en in is dat op te zijn met voor niet aan er die om bij ook als maar dan nog uit door over
    naar worden werd of hebben was deze tot wordt kan zich geen meer""",
    "sv": """och i att det som en på är av för med till den har de inte om ett var men sig så vi kan från eller vid
    efter hade ska under mellan också detta""",
    "da": """og i at det er en til af på for med der den de ikke som et har om var men sig fra kan vi efter eller blev
    ved være mellem også""",
    "pl": """w i z na do nie się o że jest to od po za przez jak co dla oraz ale są ich był tym lub przy także który
    która które u było może""",
}
LANGUAGES = tuple(COMMON_WORDS)
LANGUAGES_BY_WORD: dict[str, tuple[str, ...]] = {
    word: tuple(name for name in COMMON_WORDS if word in COMMON_WORDS[name].split())
    for words in COMMON_WORDS.values()
    for word in words.split()
}


def check_languages(names: Iterable[str]) -> None:
    """Refuse languages that cannot be identified.

    Raises:
        BadSetting: naming the unknown and the known languages.
    """
    unknown = sorted(set(names) - set(LANGUAGES))
    if unknown:
        raise BadSetting(
            f"`cleaning.languages` has {', '.join(unknown)}, which Linnet cannot identify",
            f"choose from {', '.join(LANGUAGES)}, or give `languages = []` to keep every language",
        )


def identify_language(words: Sequence[str]) -> str | None:
    """Return the language of a line, given its lower-cased words; None if it is in no known language.

    >>> identify_language("the rate of infection was higher in women than in men".split())
    'en'
    >>> identify_language("die rate der infektionen war bei frauen höher als bei männern".split())
    'de'
    """
    counts = Counter(name for word in words if word in LANGUAGES_BY_WORD for name in LANGUAGES_BY_WORD[word])
    if not counts:
        return None
    # ties go to the first language of the table, so that the order of the words does not matter
    best = max(LANGUAGES, key=lambda name: counts[name])
    return best if counts[best] >= LEAST_SHARE * len(words) else None
