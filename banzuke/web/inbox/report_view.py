"""A report as its page shows it: sentences in the visitor's language, players with candidates, games."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import date
from hashlib import sha256
from types import MappingProxyType
from typing import NamedTuple

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from banzuke.database.two_names import name_here
from banzuke.exchange.player_identities import ADDED, DECIDED, UndecidedPlayer, likely_members, proposals
from banzuke.exchange.player_matching import BY_FIDE_ID, BY_NAME, BY_NATIONAL_ID, reasons_text
from banzuke.formats.report import ReportedGame, ReportedPlayer
from banzuke.formats.report_form.form_layout import CHOICES
from banzuke.ledger.list_schedule import Schedule
from banzuke.office.inbox.compared_members import PlayerTraits, traits_of_report
from banzuke.office.inbox.event_fields import (
    ARRIVAL,
    CLUB,
    FILE,
    NOBODY,
    SAID,
    SANCTION,
    TIME,
    Field,
    GameKey,
)
from banzuke.office.inbox.problems import BLOCKS, EXCLUDES, WARNS, field_label
from banzuke.office.inbox.review_findings import EventReview, Review
from banzuke.web.inbox.forms import ORDER, EventForm, fields_for, initial_values
from banzuke.words import Language, day_text, list_titles

#: A club is shown no members.
NO_MEMBERS: Mapping[str, PlayerTraits] = MappingProxyType({})


class FieldView(NamedTuple):
    """A field of an event: its name and label, its value, and where the value comes from."""

    name: str
    label: str
    value: str
    origin: str
    is_missing: bool


class CandidateView(NamedTuple):
    """A member whom a reported player may be, why, and what the register has (None: a handle of Go)."""

    player_id: str
    name: str
    why: str
    traits: PlayerTraits | None = None


class PlayerView(NamedTuple):
    """A reported player: who it is (`player_id`, `how`), or may be; `key` names the decision.

    `proposed` is the member who is chosen already, `likely` the one whom one click takes.
    """

    key: str
    number: str
    name: str
    also: str
    player_id: str
    how: str
    candidates: Sequence[CandidateView]

    is_new: bool = False
    proposed: str = ""
    likely: str = ""
    traits: PlayerTraits | None = None

    @property
    def look_up_name(self) -> str:
        """The name of the field in which another member is looked up."""
        return f"{self.key}-id"

    @property
    def is_open(self) -> bool:
        """Whether it is still to be decided who it is."""
        return not self.player_id

    @property
    def is_undone(self) -> bool:
        """Whether what was decided can be taken back here."""
        return self.is_new or self.how == hows()[DECIDED]


class GameView(NamedTuple):
    """A game by the names of the report; `place` is where the report has it."""

    place: str
    round: int
    white: str
    black: str
    result: str
    played: str
    is_excluded: bool


class EventView(NamedTuple):
    """An event of a report."""

    number: int
    title: str
    fields: Sequence[FieldView]
    form: EventForm
    players: Sequence[PlayerView]
    games: Sequence[GameView]
    ruling: str
    joined: bool
    rated: bool
    list: str
    closes: date | None
    time_control: str

    @property
    def open(self) -> Sequence[PlayerView]:
        """Who is to be decided on."""
        return [player for player in self.players if player.is_open]

    @property
    def unknown(self) -> Sequence[PlayerView]:
        """Who of them is like nobody."""
        return [player for player in self.open if not player.candidates]

    @property
    def alike(self) -> Sequence[PlayerView]:
        """Who of them may be a member."""
        return [player for player in self.open if player.candidates]

    @property
    def proposed(self) -> int:
        """For how many of them a member is chosen already, to be confirmed."""
        return sum(bool(player.proposed) for player in self.open)

    @property
    def likely(self) -> int:
        """For how many of them one member is likely."""
        return sum(bool(player.likely) for player in self.open)

    @property
    def newcomers(self) -> int:
        """How many are new."""
        return len(self.unknown) + sum(player.is_new for player in self.players)


def weights() -> dict[str, str]:
    """What the weights of problems are called."""
    return {BLOCKS: _("to be settled"), EXCLUDES: _("not rated"), WARNS: _("to check")}


def hows() -> dict[str, str]:
    """How a player was found."""
    return {
        BY_NATIONAL_ID: _("by the member's id"),
        BY_FIDE_ID: _("by the FIDE id"),
        BY_NAME: _("by the name"),
        DECIDED: _("decided"),
        ADDED: _("new"),
    }


def events(
    review: Review,
    lang: Language,
    clubs: Mapping[str, str],
    members: Mapping[str, PlayerTraits] = NO_MEMBERS,
    *,
    is_officer: bool,
) -> list[EventView]:
    """The events of a report of chess; `clubs` are the names by id, `members` whom its players may be."""
    found = [
        _event(number, one, review.rules.schedule, lang, members, is_officer=is_officer)
        for number, one in enumerate(review.events)
    ]
    return [one._replace(fields=[_with_club(field, clubs) for field in one.fields]) for one in found]


def _with_club(field: FieldView, clubs: Mapping[str, str]) -> FieldView:
    """The field; an organiser that is a club's id has the club's name before it."""
    name = clubs.get(field.value) if field.name == "organiser" else None
    return field._replace(value=f"{name} ({field.value})") if name else field


def _event(
    number: int,
    event_review: EventReview,
    schedule: Schedule,
    lang: Language,
    members: Mapping[str, PlayerTraits],
    *,
    is_officer: bool,
) -> EventView:
    values = {field.name: field.value for field in event_review.known.fields.values()}
    return EventView(
        number,
        name_here(values["name"], values["name_native"]) or event_review.file,
        fields(event_review.known.fields.values(), lang),
        event_form(event_review, number, is_officer=is_officer),
        _players(number, event_review, lang, members),
        _games(event_review, lang),
        event_review.known.ruling,
        event_review.known.joined,
        event_review.known.rated,
        event_review.placement.list if event_review.placement else "",
        schedule.window_of(event_review.event).closes
        if event_review.event and not schedule.is_by_event
        else None,
        event_review.reported.event.time_control,
    )


def event_form(event_review: EventReview, number: int, data: object = None, *, is_officer: bool) -> EventForm:
    """The form of an event with what is known, bound to `data` where some was sent."""
    values = initial_values({field.name: field.value for field in event_review.known.fields.values()})
    return EventForm(data, prefix=f"e{number}", asked=fields_for(is_officer=is_officer), initial=values)


def seen_on_page(rows: str, review: Review, *, is_officer: bool) -> str:
    """By what a report's page is known to be out of date: for an officer its last rows (`rows`).

    Those would tell a club what officers decide: of its page it is the fields that its form has.
    """
    if is_officer:
        return rows
    names = fields_for(is_officer=False)
    shown = [[(name, event.known.fields[name].value) for name in names] for event in review.events]
    return sha256(repr(shown).encode()).hexdigest()


def fields(known: Iterable[Field], lang: Language) -> list[FieldView]:
    """The fields of an event, in the order of the report form."""
    by_name = {field.name: field for field in known}
    return [_field(by_name[name], lang) for name in ORDER]


def _field(field: Field, lang: Language) -> FieldView:
    origins = {
        FILE: _("from the file"),
        SANCTION: _("from the application"),
        ARRIVAL: _("made by the office") if field.name == "event_id" else _("from its arrival"),
        CLUB: _("the club"),
        TIME: _("from the time control"),
        NOBODY: _("missing"),
    }
    origin_text = _("entered by %(author)s") % {"author": field.author}
    origin = origin_text if field.origin == SAID else origins[field.origin]
    return FieldView(
        field.name, field_label(field.name, lang), _value(field, lang), origin, field.value is None
    )


def _value(field: Field, lang: Language) -> str:
    choices = {"fide_rated": "yes-no"}.get(field.name, field.name)
    if field.value is None:
        return ""
    key = str(int(field.value)) if isinstance(field.value, bool) else field.value
    label = CHOICES.get(choices, {}).get(key)
    return getattr(label, lang) if label else day_text(str(field.value), lang)


def _players(
    number: int, event_review: EventReview, lang: Language, members: Mapping[str, PlayerTraits]
) -> list[PlayerView]:
    found = [_player(number, m.reported, m.player_id, hows()[m.how], lang) for m in event_review.matches]
    taken = [m.player_id for m in event_review.matches]
    proposed, likely = (choose(event_review.undecided, taken) for choose in (proposals, likely_members))
    for one in event_review.undecided:
        place = one.file, one.reported.number
        found.append(
            _player(number, one.reported, "", "", lang)._replace(
                candidates=_candidates(one, lang, members),
                proposed=proposed.get(place, ""),
                likely=likely.get(place, ""),
                traits=traits_of_report(one.reported),
            )
        )
    return sorted(found, key=lambda player: int(player.number))


def _candidates(
    one: UndecidedPlayer, lang: Language, members: Mapping[str, PlayerTraits]
) -> list[CandidateView]:
    reported = traits_of_report(one.reported)
    return [
        CandidateView(
            each.player_id,
            each.known_as,
            reasons_text(each, lang),
            members.get(each.player_id, PlayerTraits()).differs_from(reported),
        )
        for each in one.candidates
    ]


def _player(event: int, player: ReportedPlayer, player_id: str, how: str, lang: Language) -> PlayerView:
    name, other = _reported_names(player, lang)
    ids = (player.national_id, f"FIDE {player.fide_id}" if player.fide_id else "")
    also = " ".join(part for part in (player.title, other, *ids) if part not in ("", name))
    key, is_new = f"who-{event}-{player.number}", how == hows()[ADDED]
    return PlayerView(key, str(player.number), name, also, player_id, how, (), is_new)


def _reported_names(player: ReportedPlayer, lang: Language) -> tuple[str, str]:
    """What the report calls a player in that language, and its other name; the id where it gives no name."""
    first, other = (player.name_native, player.name) if lang == "ja" else (player.name, player.name_native)
    return first or other or player.national_id, other


def _games(event_review: EventReview, lang: Language) -> list[GameView]:
    names = {player.number: _reported_names(player, lang)[0] for player in event_review.reported.players}
    return [
        _game(game, names, event_review.known.excluded)
        for game in event_review.reported.games
        if game.white in names and game.black in names
    ]


def _game(game: ReportedGame, names: dict[int, str], excluded: frozenset[GameKey]) -> GameView:
    place = game.round, game.white, game.black
    where, played = "-".join(map(str, place)), game.played.isoformat() if game.played else ""
    return GameView(
        where, game.round, names[game.white], names[game.black], game.result, played, place in excluded
    )


def unknown_go(review: Review) -> list[PlayerView]:
    """The handles of a report of Go that nobody bears."""
    if review.go is None:
        return []
    alike = _("the same handle in other letters")
    return [
        PlayerView(
            f"who-0-{number}",
            one.rank or "–",
            one.name,
            one.file,
            "",
            "",
            [CandidateView(player_id, player_id, alike) for player_id in one.candidates],
        )
        for number, one in enumerate(review.go.unknown)
    ]


def in_short(review: Review, lang: Language) -> list[str]:
    """A report in a few words: its list, its players, newcomers, games and left-out ones."""
    placements = [event.placement for event in review.events] + [review.placement]
    names = dict.fromkeys(placement.list for placement in placements if placement)
    lists = list_titles(names, lang)
    players = sum(len(event.reported.players) for event in review.events)
    of_events = (len(event.games or event.reported.games) for event in review.events)
    games = len(review.go.games) if review.go else sum(of_events)
    parts = [
        _("list %(list)s") % {"list": lists} if lists else "",
        ngettext("%(n)s player", "%(n)s players", players) % {"n": players} if players else "",
        ngettext("%(n)s new", "%(n)s new", len(review.added)) % {"n": len(review.added)}
        if review.added
        else "",
        ngettext("%(n)s game", "%(n)s games", games) % {"n": games},
    ]
    return [part for part in parts if part]
