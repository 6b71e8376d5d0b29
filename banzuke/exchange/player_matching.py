"""Who is who: which member a reported player is, where that is sure; else who it may be, and why.

Sure, and therefore taken, is

- an id (the national one, FIDE's) that one member bears, unless the report contradicts it;
- where no id is known, a name exactly as it stands (blanks around it aside) that one member alone bears,
  unless the report contradicts it.

What contradicts:

- For an id, a name that agrees with none of the member's (`name_likeness.py`: the same in normal form, a part
  of it, or close: one word differs, by little). No name contradicts no id. A kanji name agrees with no name
  in Latin letters, as its reading is not known.
- For an id, a name that another member bears exactly and this one does not; if it is only a part of this
  member's, or close to it, also a name that agrees with another member's.
- For a name, the report's other name, if the member has one in that writing (kanji, kana, other) and they do
  not agree: people of one romanised name are told apart by their kanji.
- The other id, if the member bears another one, or if it is another member's.
- A national id that nobody bears but that looks like this register's (the same letters around its digits):
  a slip of the pen or somebody new. National ids of another kind say nothing.
- A birth date that is not the member's.
- That the person was erased: nobody is taken for them but by a decision.

All else, an id in other letters or in a name's place too, is asked about: at most five candidates, the
likeliest first, each with its reasons.
"""

from collections.abc import Collection, Iterable, Iterator
from typing import NamedTuple

from banzuke.exchange.member_index import Member, Members, Name, name_of, plain_id
from banzuke.exchange.name_likeness import Kind, Likeness, likeness, writing
from banzuke.formats.report import ReportedPlayer
from banzuke.words import Language, day_text, say

BY_NATIONAL_ID, BY_FIDE_ID, BY_NAME = "national id", "FIDE id", "name"
MOST_CANDIDATES = 5
NO_NAME = Name("", ())

#: The codes of reasons, whose sentences are in `words/matching.toml`: what was found,
IDS = NATIONAL_ID, FIDE_ID, NEAR_ID = "national-id", "fide-id", "near-id"
NAMES = {kind: f"name-{kind.name.lower()}" for kind in Kind}
#: what contradicts,
CONTRADICTIONS = OTHER_NATIONAL_ID, OTHER_FIDE_ID, OTHER_BIRTH_DATE, OTHER_WRITING, FITS_ANOTHER, ERASED = (
    "other-national-id",
    "other-fide-id",
    "other-birth-date",
    "other-writing",
    "fits-another",
    "erased",
)
#: and what else is good to know.
NOTES = NAMESAKES, SAME_BIRTH_DATE, OTHER_SEX = "namesakes", "same-birth-date", "other-sex"
#: How a sure member was found, by the id's code.
HOW = {NATIONAL_ID: BY_NATIONAL_ID, FIDE_ID: BY_FIDE_ID}


class Reason(NamedTuple):
    """What speaks for or against a candidate: a code with the facts of its sentence."""

    code: str
    facts: tuple[tuple[str, str], ...] = ()


class Candidate(NamedTuple):
    """A member whom the report may mean, the likest of the names, and why.

    The ratio is how like that name is, in whole per cent; None where the report gives no name.
    """

    player_id: str
    known_as: str
    ratio: int | None
    reasons: tuple[Reason, ...]


def reasons_text(candidate: Candidate, lang: Language) -> str:
    """The reasons of a candidate in one line."""
    between = "、" if lang == "ja" else "; "
    return between.join(_reason_text(reason, lang) for reason in candidate.reasons)


def _reason_text(reason: Reason, lang: Language) -> str:
    return say("matching", reason.code, lang, **{name: day_text(fact, lang) for name, fact in reason.facts})


def only_same(candidates: Iterable[Candidate]) -> str:
    """The only candidate whose name is the reported one but for its spelling; blank if anything contradicts.

    It is likely and not sure: an officer confirms it.
    """
    found = [(one.player_id, {reason.code for reason in one.reasons}) for one in candidates]
    same = [one for one in found if one[1] & {NAMES[Kind.EXACT], NAMES[Kind.NORMAL]}]
    return same[0][0] if len(same) == 1 and not same[0][1] & {*CONTRADICTIONS, NAMESAKES} else ""


def only_likely(candidates: Iterable[Candidate]) -> str:
    """The only candidate whom nothing contradicts, however the name is spelled; blank for none or several.

    An id in other letters beside another name is a slip of the pen, and makes nobody likely.
    """
    against, slip = {*CONTRADICTIONS, NAMESAKES}, {NEAR_ID, NAMES[Kind.OTHER]}
    said = ((one.player_id, {reason.code for reason in one.reasons}) for one in candidates)
    found = [player_id for player_id, codes in said if not against & codes and not slip <= codes]
    return found[0] if len(found) == 1 else ""


class MatchResult(NamedTuple):
    """The member, where it is sure who it is, and by what; else None, a blank, and the candidates.

    A sure member is the only candidate.
    """

    sure: str | None
    how: str
    candidates: tuple[Candidate, ...]


class _WeighedMember(NamedTuple):
    """A member beside a report: the ids that name them, the likest name, what else speaks against them."""

    player_id: str
    ids: tuple[str, ...]
    like: Likeness
    reported_as: Name
    known_as: Name
    against: tuple[Reason, ...]


class Matcher:
    """Finds the members of a register, which may be added to while it is in use.

    `erased` are the ids of persons who were erased, of whom no name is known.
    """

    def __init__(self, known: Iterable[Member], erased: Collection[str] = ()) -> None:
        self._members, self.erased = Members(known), erased

    def add(self, member: Member) -> None:
        """Know one member more."""
        self._members.add(member)

    def find(self, reported: ReportedPlayer) -> MatchResult:
        """Who a reported player is, or may be; no candidates where nobody is like them."""
        names = [name_of(name) for name in (reported.name, reported.name_native) if name.strip()]
        by_id = self._by_ids(reported)
        likely = by_id or dict.fromkeys((p for name in names for p in self._members.of_name(name)), ())
        if len(likely) == 1:
            ((player_id, ids),) = likely.items()
            weighed = self._weigh(reported, names, player_id, ids)
            if not weighed.against and (weighed.like.agrees or not names):
                how = HOW[ids[0]] if ids else BY_NAME
                return MatchResult(player_id, how, (self._candidate(reported, weighed),))
        return MatchResult(None, "", self._candidates(reported, names, by_id))

    def _by_ids(self, reported: ReportedPlayer) -> dict[str, tuple[str, ...]]:
        """Whom the report's ids name, each with the codes of the ids that do."""
        found: dict[str, tuple[str, ...]] = {}
        given = reported.national_id
        if given in self._members and self._members[given].national_id:
            found[given] = (NATIONAL_ID,)
        for player_id in self._members.of_fide_id(reported.fide_id):
            found[player_id] = (*found.get(player_id, ()), FIDE_ID)
        return found

    def _near_ids(self, reported: ReportedPlayer) -> dict[str, str]:
        """Whose id the report may mean, each with what is written there: the id's place, or a name's."""
        written = (reported.name_native, reported.name, reported.national_id)
        return {player_id: text for text in written for player_id in self._members.of_near_id(text)}

    def _candidates(
        self, reported: ReportedPlayer, names: list[Name], by_id: dict[str, tuple[str, ...]]
    ) -> tuple[Candidate, ...]:
        """Whom the ids name and whose names are like it, the likeliest first."""
        alike = {player_id for name in names for player_id in self._members.alike(name)}
        by_id = dict.fromkeys(self._near_ids(reported), (NEAR_ID,)) | by_id
        weighed = [
            self._weigh(reported, names, player_id, by_id.get(player_id, ()))
            for player_id in {*by_id, *alike}
        ]
        likely = sorted((w for w in weighed if w.ids or w.like.kind <= Kind.NEAR), key=_rank)
        return tuple(self._candidate(reported, w) for w in likely[:MOST_CANDIDATES])

    def _weigh(
        self, reported: ReportedPlayer, names: list[Name], player_id: str, ids: tuple[str, ...]
    ) -> _WeighedMember:
        like, one, other = self._likest_pair(names, player_id)
        against = [*self._other_ids(reported, player_id)]
        if player_id in self.erased:
            against.append(_reason(ERASED))
        born, known = reported.birth_date, self._members[player_id].birth_date
        if born and known and born != known:
            against.append(_reason(OTHER_BIRTH_DATE, reported=born, known=known))
        if ids and like.agrees:
            against += self._fits_another(names, player_id, like)
        elif like.agrees:
            against += self._other_writing(names, player_id)
        return _WeighedMember(player_id, ids, like, one, other, tuple(against))

    def _likest_pair(self, names: list[Name], player_id: str) -> tuple[Likeness, Name, Name]:
        """How like the likest pair of a reported and a member's name is, and the pair."""
        known = self._members.names(player_id) or (NO_NAME,)
        pairs = [(_like(one, other), one, other) for one in names or [NO_NAME] for other in known]
        return min(pairs, key=lambda pair: pair[0])

    def _other_ids(self, reported: ReportedPlayer, player_id: str) -> Iterator[Reason]:
        """The ids of the report that are not the member's."""
        given, own = reported.national_id, self._members[player_id].national_id
        is_other = bool(own and given) and plain_id(given) != plain_id(own)
        if is_other and self._members.looks_like_an_id(given):
            yield _reason(OTHER_NATIONAL_ID, reported=given, known=own)
        given, own = reported.fide_id, self._members[player_id].fide_id
        if given not in ("", own) and (own or self._members.of_fide_id(given)):
            yield _reason(OTHER_FIDE_ID, reported=given, known=own or "-")

    def _fits_another(self, names: list[Name], player_id: str, like: Likeness) -> Iterator[Reason]:
        """A member of another id who bears a reported name exactly, or like it if the own is only like it."""
        own = {name.written for name in self._members.names(player_id)}
        others = [name for name in names if name.written not in own]
        search = self._members.of_name if like.kind <= Kind.NORMAL else self._members.alike
        for rival in sorted({rival for name in others for rival in search(name)} - {player_id}):
            other, _, known = self._likest_pair(others, rival)
            if other.agrees:
                yield _reason(FITS_ANOTHER, id=rival, known=known.written)
                return

    def _other_writing(self, names: list[Name], player_id: str) -> Iterator[Reason]:
        """The report's names that the member has otherwise, in the same writing."""
        for name in names:
            same = [n for n in self._members.names(player_id) if writing(n.written) == writing(name.written)]
            if same and not any(_like(name, known).agrees for known in same):
                yield _reason(OTHER_WRITING, reported=name.written, known=same[0].written)

    def _candidate(self, reported: ReportedPlayer, weighed: _WeighedMember) -> Candidate:
        """A member as offered, with the reasons in the order in which one would say them."""
        member, like, one = self._members[weighed.player_id], weighed.like, weighed.reported_as
        near = self._near_ids(reported).get(weighed.player_id, "")
        given = {NATIONAL_ID: reported.national_id, FIDE_ID: reported.fide_id, NEAR_ID: near}
        reasons = [_reason(code, id=given[code]) for code in weighed.ids]
        if one.written and one.written != near:
            known, ratio = weighed.known_as.written, like.ratio
            reasons.append(_reason(NAMES[like.kind], reported=one.written, known=known, ratio=ratio))
        if like.kind is Kind.EXACT and (bearers := len(self._members.of_name(one))) > 1:
            reasons.append(_reason(NAMESAKES, count=bearers))
        reasons += weighed.against
        if reported.birth_date and reported.birth_date == member.birth_date:
            reasons.append(_reason(SAME_BIRTH_DATE, date=member.birth_date))
        if {reported.sex, member.sex} == {"m", "w"}:
            reasons.append(_reason(OTHER_SEX))
        ratio_said = like.ratio if one.written else None
        return Candidate(weighed.player_id, weighed.known_as.written, ratio_said, tuple(reasons))


def _like(one: Name, other: Name) -> Likeness:
    """How like two names are, as they stand or else in normal form."""
    if one.written and one.written == other.written:
        return Likeness(Kind.EXACT, 0)
    return likeness(one.words, other.words)


def _rank(weighed: _WeighedMember) -> tuple[object, ...]:
    """The likelier, the less: agreeing names by kind, then members of the report's ids, then near names."""
    agrees, kind, by_id = weighed.like.agrees, weighed.like.kind, bool(weighed.ids)
    order = (kind, not by_id) if agrees else (not by_id, kind)
    return (not agrees, *order, len(weighed.against), weighed.like.unlike, weighed.player_id)


def _reason(code: str, **facts: object) -> Reason:
    return Reason(code, tuple((name, str(fact)) for name, fact in facts.items()))
