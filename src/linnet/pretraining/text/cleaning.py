"""Cleaning of raw text before pretraining, line by line.

In files of running text a line is a paragraph. The rules apply in this order, and what each removes is counted:

1. `markup` removes tags, entities, formula code and reference marks from the line (see `markup.py`);
2. `least_words` drops lines with fewer words: headings, table cells, page numbers. A word is a run of letters and
   digits with at least one letter;
3. `languages` drops lines in another language, or in no known one (see `languages.py`);
4. `duplicates` drops lines that repeat, or nearly repeat, an earlier line (see `duplicates.py`).
"""

import re
from collections import Counter
from collections.abc import Iterable, Sequence

from linnet.pretraining.text.duplicates import SeenLines
from linnet.pretraining.text.languages import LEAST_WORDS, check_languages, identify_language
from linnet.pretraining.text.markup import remove_markup
from linnet.settings.pretraining import CleaningSettings

__all__ = ["BLANK", "OTHER_LANGUAGE", "TOO_FEW_WORDS", "Cleaner"]

BLANK, TOO_FEW_WORDS, OTHER_LANGUAGE = "blank lines", "lines with too few words", "lines in other languages"
WORD = re.compile(r"[^\W_]+")


class Cleaner:
    """Cleans one text after the other, remembers their lines to detect repeats, and counts what it removes."""

    def __init__(self, settings: CleaningSettings) -> None:
        check_languages(settings.languages)
        self._settings = settings
        self._seen = SeenLines() if settings.duplicates else None
        self.n_lines = 0
        self.counts: Counter[str] = Counter()  # by rule: removed marks and dropped lines

    def clean(self, lines: Iterable[str]) -> list[str]:
        """Return the cleaned lines of one text that are kept."""
        kept: list[str] = []
        words_of_kept: list[list[str]] = []
        for line in lines:
            self.n_lines += 1
            cleaned = (remove_markup(line, self.counts) if self._settings.markup else line).strip()
            words = WORD.findall(cleaned.casefold())
            reason = self._reason_to_drop(cleaned, words)
            if reason:
                self.counts[reason] += 1
            else:
                kept.append(cleaned)
                words_of_kept.append(words)
        if self._seen is None or not kept:
            return kept
        repeats = self._seen.find_repeats([[word.encode() for word in words] for words in words_of_kept])
        self.counts.update(kind for kind in repeats if kind)
        return [line for line, kind in zip(kept, repeats, strict=True) if not kind]

    def _reason_to_drop(self, line: str, words: Sequence[str]) -> str | None:
        """Return the rule that drops the line; None if it is kept."""
        if not line:
            return BLANK
        with_letters = [word for word in words if not word.isdecimal()]
        if len(with_letters) < self._settings.least_words:
            return TOO_FEW_WORDS
        kept_languages = self._settings.languages
        if (
            kept_languages
            and len(with_letters) >= LEAST_WORDS
            and identify_language(with_letters) not in kept_languages
        ):
            return OTHER_LANGUAGE
        return None
