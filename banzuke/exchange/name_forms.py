"""A name's normal form: what stays of it when people cannot agree how to write it.

Case, commas, points, apostrophes, accents, full and half width, blanks and hyphens go; Japanese names in
Latin letters become those of one romanisation (a form for comparing, not for reading); kana become Latin
letters; old and new forms of a kanji become one. How a kanji name is read cannot be known, so it only meets
kanji names. Names that are two to their bearers may have one normal form (Ohno and Ono, Ouchi and Ochi).

Kana are romanised by their names in Unicode (`し` is HIRAGANA LETTER SI), which are Nihon-shiki, the system
that has one spelling for every sign. The libraries for it are no longer kept (romkan, kanaconv) or give
Hepburn (jaconv, pykakasi), which would have to be taken apart again.
"""

from __future__ import annotations

import re
import unicodedata
from functools import cache, lru_cache

LONGEST = 200
#: Marks within a word; `?` and the replacement character stand where a letter was lost.
_WITHIN = re.compile("['’‘`´ʼ?\ufffd]")
_BETWEEN = re.compile(r"[\W_]+")
_KANA = re.compile("[ぁ-ゖァ-ヺー]+")
_LONG_O = re.compile("o(?:[ou]|h(?![aiueo]))+")
_LONG_U = re.compile("uu+")

#: From Hepburn (and half-way spellings of it) to Kunrei's forms; each line relies on those before it.
_ROMAJI = (
    ("cch", "tch"),
    ("shi", "si"),
    ("sh", "sy"),
    ("chi", "ti"),
    ("ch", "ty"),
    ("cy", "ty"),
    ("tsu", "tu"),
    ("fu", "hu"),
    ("ji", "zi"),
    ("j", "zy"),
    ("dz", "z"),
    ("yy", "y"),
    ("mb", "nb"),
    ("mp", "np"),
    ("mm", "nm"),
)

#: Kana with a small one after them, marked by x: `kixya` is kya, `huxa` is fa, `xtuka` is kka.
_SMALL = tuple(
    (re.compile(pattern), form)
    for pattern, form in (
        ("xtu(?=([^aiueox]))", r"\1"),
        ("xtu", ""),
        ("ixe", "ye"),
        ("hux", "f"),
        ("(?<![a-z])ux", "w"),
        ("[aiueo]x|x", ""),
    )
)
#: Kana that sound like others.
_SAME_SOUND = {"di": "zi", "du": "zu", "wo": "o", "wi": "i", "we": "e"}

#: Letters that to Unicode are not others with an accent.
_LETTERS = {"ø": "o", "đ": "d", "ð": "d", "ł": "l", "ı": "i", "æ": "ae", "œ": "oe", "þ": "th"}

#: Kanji of names that stand for one another: a group a word, its first for all.
_KANJI = (
    "沢澤 辺邉邊 高髙 崎﨑碕埼嵜 斎齋斉齊 浜濱濵 広廣 国國 島嶋嶌 恵惠 真眞 桜櫻 渋澁澀 瀬瀨 円圓 栄榮 曽曾 "
    "竜龍 徳德 薮藪籔 富冨 峰峯 滝瀧 静靜 槙槇 条條 学學 万萬 豊豐 礼禮 弥彌 荘莊 与與 実實 "
    "浄淨 寿壽 蔵藏 楽樂 鉄鐵 応應 会會 黒黑 増增 彦彥 頼賴 館舘 桧檜 吉𠮷 野埜 関關 県縣 "
    "芦蘆 鶴靍靎靏 猪豬 祢禰 柳栁 船舩 亀龜 塩鹽 宝寶 将將 尭堯 巌巖 来來 満滿 双雙 数數 暁曉 "
    "歩步 穂穗 糸絲 総總 緑綠 緒緖 覚覺 読讀 譲讓 転轉 顕顯 麦麥 黄黃 児兒 参參 巣巢 当當 "
    "帯帶 団團 壮壯 奥奧 妙玅 桑桒 収收 晋晉 清淸 灯燈 焼燒 粋粹 経經 継繼 聡聰 薫薰 衛衞 "
    "醸釀 鋭銳 閲閱"
)
_ONE_SIGN = str.maketrans(
    _LETTERS | {old: group[0] for group in _KANJI.split() for old in group[1:]}  # compatibility forms: NFKC
)


def normal_form(name: str) -> tuple[str, ...]:
    """The words of a name in normal form and in their order; none for a name without a letter.

    What stands after the first `LONGEST` signs is no name's.
    """
    name = name[:LONGEST]
    plain = name.casefold() if name.isascii() else _plain(name)
    words = _BETWEEN.sub(" ", _WITHIN.sub("", plain)).split()
    return tuple([_one_romanisation(word) if len(word) > 1 else word for word in words])


def writing(name: str) -> str:
    """How a name is written: `kanji` (all of it or in part), `kana`, or `letters`."""
    if any("㐀" <= sign <= "鿿" or sign >= "𠀀" or sign == "々" for sign in name):
        return "kanji"
    return "kana" if _KANA.search(unicodedata.normalize("NFKC", name)) else "letters"


def _plain(name: str) -> str:
    """The name in one case and width, kana as Latin letters, without accents."""
    one_width = unicodedata.normalize("NFKC", name).casefold().translate(_ONE_SIGN)
    latin = _KANA.sub(lambda found: _latin(found[0]), one_width)
    apart = unicodedata.normalize("NFKD", latin)
    return "".join([sign for sign in apart if unicodedata.category(sign) != "Mn"])


def _latin(kana: str) -> str:
    """A run of kana as Latin letters, long vowels short."""
    marked = "".join(map(_sign, kana))
    for pattern, form in _SMALL:
        marked = pattern.sub(form, marked)
    return marked


@cache
def _sign(sign: str) -> str:
    """One kana: `ka`; a small one with an x before it; nothing for the sign of a long vowel."""
    *_, kind, sound = unicodedata.name(sign).lower().split()
    if sound == "mark":
        return ""
    return ("x" if kind == "small" else "") + _SAME_SOUND.get(sound, sound)


@lru_cache(1 << 16)
def _one_romanisation(word: str) -> str:
    for form, ours in _ROMAJI:
        word = word.replace(form, ours)
    return _LONG_U.sub("u", _LONG_O.sub("o", word))
