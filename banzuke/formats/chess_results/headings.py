"""The words of Chess-Results' tables and titles in its languages.

A heading is known by its word, whatever stands around it: case, accents, full stops, colons and width do
not count. A round's heading is known by its shape (`5.Rd`, `5. Ru`, `Rd.5`, `第5回戦`), in any language.
"""

import re
import tomllib
import unicodedata
from functools import lru_cache
from importlib.resources import files

from banzuke.formats.files.text import plain

_WORDS = tomllib.loads(files(__package__).joinpath("headings.toml").read_text("utf-8"))
_ROUND = re.compile(
    r"(?P<a>[0-9]{1,3})\s*\.\s*(?P<word>[^\W\d_]{1,9})\.?"
    r"|(?:rd|ru|r|rnd|round|runde|ronda|rodada|ronde|tour|turno|kolo|runda|тур|tur|fordulo)\W{0,2}(?P<b>[0-9]{1,3})"
    r"|第?\s*(?P<c>[0-9]{1,3})\s*(?:回戦?|ラウンド|局|r)",
    re.IGNORECASE,
)
_UNROUND = re.compile(r"tb|wtg|des|bh|buch|so|sb|wert|tie|кр|доп|bp|pkt|pts|z", re.IGNORECASE)
#: Titles of an event that is over, and of one that stands after a round, by their words.
_FINAL = re.compile(
    r"final|endtabelle|endstand|endrang|konecn|koncow|итог|конечн|кінцев|vegered|vegso|slut|eind|nihai|最終|konacn|"
    r"koncn|zakljuc|lopput|τελικ|galut|beigu|lopp"
)
_AFTER = re.compile(
    r"after round|nach (?:der )?(?:\d+ )?runde(?!n)|despues de la ronda|tras la ronda|apres (?:la )?ronde|"
    r"dopo (?:il )?(?:\d+ )?turno|apos (?:a )?(?:rodada|ronda)|po (?:\d+ )?(?:rundzie|kole)|"
    r"после (?:\d+-?(?:го)? )?тура|"
    r"tur(?:dan)? (?:\d+ )?sonra|fordulo utan|回戦(?:終了)?後|"
    r"efter rond|etter runde|na ronde|depois da ronda"
)


_AFTER_ROUNDS = re.compile(
    r"(?:after|nach|tras|despues de|apres|dopo|apos|po|efter|etter|na) \d{1,3} "
    r"(?:round|rund|rond|tur|rodad|kol|omgang)\w*$"
)
_RANKING = re.compile(
    r"(?:final |start(?:ing)? ?)?(?:ranking|standings|rank|crosstable|cross table)"
    r"(?: list(?: of players)?| crosstable| by [\w ]+)?$"
    r"|(?:(?:board |team )?pairings(?:/results)?|not paired|alphabetical list(?: of players)?)$"
    r"|(?:start|end)?rangliste$|kreuztabelle(?: nach \w+)?$|endtabelle$|最終順位|対戦表$|順位表$"
)


#: Letters with a stroke, or without their dot, as one types them plain.
_STROKES = str.maketrans("łđøħı", "ldohi")


@lru_cache(maxsize=4096)
def plain_word(text: str) -> str:
    """A word without case, accents, strokes, width, and signs at its ends: `Rd. ` gives `rd`."""
    letters = unicodedata.normalize("NFKD", plain(text).casefold()).translate(_STROKES)
    return " ".join(
        "".join(c for c in letters if not unicodedata.combining(c)).replace(".", " ").split()
    ).strip(" :,")


def _by_word(words: dict[str, list[str]]) -> dict[str, str]:
    """The meaning of each word; of a word with two meanings the first."""
    return {plain_word(word): meaning for meaning in reversed(words) for word in words[meaning]}


_COLUMN_OF, _DETAIL_OF = _by_word(_WORDS["columns"]), _by_word(_WORDS["details"])
_NOBODY = {plain_word(word) for word in _WORDS["nobody"]}
_SPEEDS: dict[str, str] = _WORDS["speeds"]


def column_of(heading: str) -> str:
    """What a column holds by its heading (`number`, `name`, `points` ...); blank if it is not known."""
    return _COLUMN_OF.get(plain_word(heading), "")


def round_of(heading: str) -> int:
    """The round of a column by its heading (`5.Rd`, `Rd.5`); 0 if it is no round's."""
    found = _ROUND.fullmatch(plain(heading))
    if not found or (found["word"] and _UNROUND.match(found["word"])):
        return 0
    return int(found["a"] or found["b"] or found["c"])


def detail_of(label: str) -> str:
    """Which detail of the event a label names (`organiser`, `days` ...); blank if none that is read."""
    word = re.sub(r"\(.*|\s*/.*", "", plain_word(label)).strip()
    return _DETAIL_OF.get(word) or _DETAIL_OF.get(word.removesuffix("(s)"), "")


def speed_of(label: str) -> str:
    """The ledger's speed in a label such as `Time control (Rapid)`; blank if it has none."""
    return next((speed for word, speed in _SPEEDS.items() if word in plain_word(label)), "")


def is_nobody(name: str) -> bool:
    """Whether the words in an opponent's place say that there is none."""
    return not name or is_bye(name)


def is_bye(name: str) -> bool:
    """Whether a name is a word for a round without an opponent."""
    return plain_word(name) in _NOBODY


def rounds_when_final(title: str) -> int | None:
    """The number of rounds in the title of a final table; 0 if it says none, None if it is no final title."""
    words = plain_word(title)
    if not _FINAL.search(words):
        return None
    found = re.findall(r"(?<!\d)\d{1,3}(?!\d)", words)
    return int(found[0]) if len(found) == 1 else 0


def is_table_title(title: str) -> bool:
    """Whether a text is a table's title (`Final Ranking crosstable after 5 Rounds`), and no event's name."""
    words = plain_word(title)
    return bool(_AFTER.search(words) or _AFTER_ROUNDS.search(words) or _RANKING.match(words))


def stands_after_round(title: str) -> bool:
    """Whether a title says that the table stands after some round, and not that it is final."""
    words = plain_word(title)
    return bool(_AFTER.search(words)) and not _FINAL.search(words)
