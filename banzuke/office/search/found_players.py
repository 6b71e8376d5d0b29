"""The players whom a search finds: as they were named, and those whose names are near what was typed.

Every member of the register is found, rated or not, and who is on a list without being a member any more.
Who is shown by id only is found by the id alone. An entry that was put together with another is the other.
"""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from banzuke.core import facts
from banzuke.database.models import GoPlayer, ListRow, LiveStanding, NameWord, Pool
from banzuke.exchange.member_index import plain_id
from banzuke.exchange.name_likeness import kept_forms, writing
from banzuke.office import player_search
from banzuke.office.fact_rows import standing_rows
from banzuke.office.lists import list_index
from banzuke.office.live.live_codec import state_from
from banzuke.office.merged_ids import kept_ids
from banzuke.office.near_names import near_players, slips_between
from banzuke.office.public_names import Person, by_id_only, person
from banzuke.office.search.search_index import Named

#: Of each way to read what was typed so many forms are read.
READ = 60
#: Near names are looked for where fewer are found as they were named, and none of them in whole words.
ENOUGH = 5
#: How exactly somebody is named so: the whole name, whole words of it, or its beginning.
_IN_FULL, _IN_WORDS, _IN_PART = range(3)
#: So many bearers of one name are told apart; more are several, too.
MOST_NAMESAKES = 200


class Rating(NamedTuple):
    """What the newest list says at one speed: the rating, or the rank of a Go player."""

    speed: str
    written: str


class FoundPlayer(NamedTuple):
    """A player who was found; `ratings` are of the newest list, `was_rated` by one before it.

    `namesakes` are how many bear the name, this one among them; `club_id` is blank for who is in none.
    """

    person: Person
    club_id: str
    ratings: tuple[Rating, ...]
    was_rated: bool
    namesakes: int


class FoundPlayers(NamedTuple):
    """Those who are named so, those whose names are near it, and whether more are named so."""

    exact: list[FoundPlayer]
    near: list[FoundPlayer]
    has_more: bool


class _Member(NamedTuple):
    """A player with the names as they were entered."""

    player_id: str
    name: str
    name_native: str
    club_id: str = ""

    @property
    def names(self) -> tuple[str, ...]:
        """The names that there are."""
        return tuple(name for name in (self.name, self.name_native) if name)


class _Pool(NamedTuple):
    """A pool, and who is shown by id only there."""

    pool: Pool
    hidden: frozenset[str]


def find_players(pool: Pool, typed: str, most: int, unindexed: Iterable[Named]) -> FoundPlayers:
    """The players who are meant by what was typed, so many at most of each kind.

    Those whom the index has not (`search_index.find_unindexed`) are found among the others.
    """
    about = _Pool(pool, by_id_only(pool))
    recent = [_Member(*row) for row in unindexed]
    named = _named_so(about, typed, recent)
    ids = list(named)
    is_known = len(ids) >= ENOUGH or any(rank <= _IN_WORDS for rank in named.values())
    near_ids = [] if is_known else _near_ids(about, typed, recent, set(ids))
    members = _members(about, [*ids[: 2 * READ], *near_ids])
    exact = [members[each] for each in ids if each in members]
    near = _nearest(typed, [members[each] for each in near_ids if each in members])
    shown = _with_ratings(about, [*exact[:READ], *near[:most]])
    first = sorted((shown[each.player_id] for each in exact[:READ]), key=lambda one: _order(one, named))
    of_near = [shown[each.player_id] for each in near[:most]]
    return FoundPlayers(first[:most], of_near, has_more=len(exact) > most)


def _named_so(about: _Pool, typed: str, recent: Iterable[_Member]) -> dict[str, int]:
    """The ids of those who are named so, with how exactly, the most exactly first."""
    between = "" if writing(typed) == "kanji" else " "
    beginnings = player_search.beginnings(typed)
    withheld = player_search.withheld_players(about.hidden, typed)
    forms = (*_forms_beginning(about.pool, beginnings, withheld), *_forms_of(recent, beginnings))
    kept = kept_ids(about.pool, {player_id for _, player_id in forms})
    found: dict[str, int] = {}
    for form, player_id in forms:
        if player_id not in withheld:
            rank = min(_rank(form, begin, between) for begin in beginnings if form.startswith(begin))
            end = kept.get(player_id, player_id)
            found[end] = min(rank, found.get(end, rank))
    return dict(sorted(found.items(), key=lambda item: item[1]))


def _rank(form: str, begin: str, between: str) -> int:
    if form == begin:
        return _IN_FULL
    return _IN_WORDS if between and form.startswith(begin + between) else _IN_PART


def _forms_beginning(
    pool: Pool, beginnings: Iterable[str], withheld: Collection[str]
) -> list[tuple[str, str]]:
    """The first forms of the index that begin so, with their bearers."""
    forms = NameWord.objects.filter(pool=pool).exclude(player_id__in=withheld).order_by("form")
    found: list[tuple[str, str]] = []
    for begin in sorted(filter(None, beginnings)):
        begun = forms.filter(player_search.form_begins(begin)).values_list("form", "player_id")
        found += [(bytes(form).decode(), player) for form, player in begun[: READ + 1]]
    return found


def _forms_of(members: Iterable[_Member], beginnings: Collection[str]) -> list[tuple[str, str]]:
    """The forms of members whom the index has not that begin so."""
    starts = tuple(filter(None, beginnings))
    found = []
    for member in members if starts else ():
        forms = {plain_id(member.player_id)}.union(*map(player_search.forms, member.names))
        found += [(form, member.player_id) for form in forms if form.startswith(starts)]
    return found


def _near_ids(about: _Pool, typed: str, recent: Iterable[_Member], known: Collection[str]) -> list[str]:
    """The ids of those whose names may be near; those who are shown by id only have none."""
    near = [member.player_id for member in recent if slips_between(typed, member.names) is not None]
    near += near_players(about.pool, typed)
    kept = kept_ids(about.pool, near)
    ends = dict.fromkeys(kept.get(each, each) for each in near)
    return [each for each in ends if each not in known and each not in about.hidden]


def _nearest(typed: str, members: Iterable[_Member]) -> list[_Member]:
    counted = [(slips_between(typed, member.names), member) for member in members]
    near = [(count, _unlike(typed, member), member) for count, member in counted if count is not None]
    return [member for *_, member in sorted(near)]


def _unlike(typed: str, member: _Member) -> int:
    """How far the whole name is from what was typed: of equally near ones the shorter stands first."""
    return min(abs(len(typed) - len(name)) for name in member.names)


def _members(about: _Pool, ids: Sequence[str]) -> dict[str, _Member]:
    """The players of the ids, by id; who is in no register and was on no list has no page."""
    fields = ("player_id", "name", "name_native", "club_id")
    rows = standing_rows(about.pool, facts.Player).filter(player_id__in=ids).values_list(*fields)
    found = {row[0]: _Member(*row) for row in rows}
    if not found:
        go = GoPlayer.objects.filter(pool=about.pool, player_id__in=ids).order_by("pk")
        found = {player: _Member(player, name, "") for player, name in go.values_list("player_id", "name")}
    missing = [each for each in ids if each not in found]
    if missing:
        listed = ListRow.objects.filter(player_id__in=missing, list__pool=about.pool)
        found |= {row[0]: _Member(*row) for row in listed.order_by("list").values_list(*fields)}
    return found


def _with_ratings(about: _Pool, members: Iterable[_Member]) -> dict[str, FoundPlayer]:
    """The members as the public may see them."""
    members = list(members)
    ratings = _ratings(about.pool, [member.player_id for member in members])
    unrated = [member.player_id for member in members if member.player_id not in ratings]
    were = ListRow.objects.filter(player_id__in=unrated, list__pool=about.pool, rating__isnull=False)
    rated_before = set(were.order_by().values_list("player_id", flat=True).distinct())
    namesakes = _namesakes(about, members)
    return {
        member.player_id: FoundPlayer(
            person(member.player_id, member.name, member.name_native, about.hidden),
            "" if member.player_id in about.hidden else member.club_id,
            ratings.get(member.player_id, ()),
            member.player_id in rated_before,
            namesakes.get(member.player_id, 1),
        )
        for member in members
    }


def _ratings(pool: Pool, ids: Sequence[str]) -> dict[str, tuple[Rating, ...]]:
    """The ratings of the newest list, or, of a Go server, the ranks as they are now."""
    standings = list(LiveStanding.objects.filter(pool=pool, player_id__in=ids))
    if standings:
        return {row.player_id: (Rating("", state_from(row.state).rank),) for row in standings}
    newest = list_index.latest_list(pool)
    if newest is None:
        return {}
    found: dict[str, tuple[Rating, ...]] = {}
    order = newest.speeds.index
    for row in sorted(newest.rows.filter(player_id__in=ids), key=lambda row: order(row.speed)):
        if row.rating_text:
            found[row.player_id] = (*found.get(row.player_id, ()), Rating(row.speed, row.rating_text))
    return found


def _namesakes(about: _Pool, members: Iterable[_Member]) -> dict[str, int]:
    """How many bear each member's name, as far as the public may know."""
    shown = [member for member in members if member.player_id not in about.hidden]
    forms = {member.player_id: _whole(member) for member in shown}
    wanted = {form.encode() for either in forms.values() for form in either}
    rows = NameWord.objects.filter(pool=about.pool, form__in=wanted)
    bearers = list(rows.values_list("form", "player_id")[:MOST_NAMESAKES])
    left_out = about.hidden | kept_ids(about.pool, (player for _, player in bearers)).keys()
    named = defaultdict[str, set[str]](set)
    for form, player in bearers:
        named[bytes(form).decode()] |= {player} - left_out
    counts = {player: len(set().union(*(named[form] for form in either))) for player, either in forms.items()}
    return {player: max(1, count) for player, count in counts.items()}


def _whole(member: _Member) -> list[str]:
    """The forms, of now and of before, of the name that tells the most: in kanji where there is one."""
    name = member.name_native or member.name
    between = "" if writing(name) == "kanji" else " "
    return [between.join(words)[: player_search.LONGEST] for words in kept_forms(name)]


def _order(found: FoundPlayer, named: Mapping[str, int]) -> tuple[Any, ...]:
    """Those named exactly so first, and of them those on the newest list."""
    return named[found.person.player_id], not found.ratings, found.person.name.casefold()
