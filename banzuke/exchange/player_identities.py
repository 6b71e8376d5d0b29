"""Every player of a report with the member it is: found for sure, decided by the officer, or added."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import NamedTuple

from banzuke.core.facts import Player
from banzuke.core.fault import Fault, fault
from banzuke.exchange.member_index import Member, members
from banzuke.exchange.player_matching import Candidate, Matcher, only_likely, only_same
from banzuke.formats.report import Report, ReportedPlayer
from banzuke.ledger.folder import ChessLedger

ADDED, DECIDED = "added", "decided"
#: The decision that a reported player is nobody of the register.
NEW = "new"
#: What begins no name and no id, but a formula, and so much of one that is shown.
_FORMULAS, _SHOWN = ("=", "+", "@", "＝", "＋", "＠", "\t"), 40
_OF_TEXT = ("name", "name_native", "national_id", "fide_id")


class Match(NamedTuple):
    """A reported player and the member it is; `how` says how it was found, or `decided` or `added`."""

    reported: ReportedPlayer
    player_id: str
    how: str


class UndecidedPlayer(NamedTuple):
    """A reported player of whom it is not sure who they are, and who they may be (nobody: unknown)."""

    file: str
    reported: ReportedPlayer
    candidates: tuple[Candidate, ...]


def proposals(
    undecided: Iterable[UndecidedPlayer],
    taken: Iterable[str] = (),
    choose: Callable[[Iterable[Candidate]], str] = only_same,
) -> dict[tuple[str, int], str]:
    """Who is filled in for the officer to confirm, by file and number: a member whom no other one is.

    `taken` are the members whom other players of the report are; `choose` says whom the candidates propose.
    """
    found = {(one.file, one.reported.number): choose(one.candidates) for one in undecided}
    claims = Counter((file, player_id) for (file, _), player_id in found.items())
    left_out = {"", *taken}
    return {
        place: player_id
        for place, player_id in found.items()
        if player_id not in left_out and claims[place[0], player_id] == 1
    }


def likely_members(
    undecided: Iterable[UndecidedPlayer], taken: Iterable[str] = ()
) -> dict[tuple[str, int], str]:
    """Who is likely meant, by file and number: a member alone whom nothing contradicts, and of one player."""
    return proposals(undecided, taken, only_likely)


class Decision(NamedTuple):
    """What an officer decided of a reported player: a member's id, or `NEW`.

    `name` is the reported name that the officer saw, so that a decision never meets somebody else.
    """

    file: str
    number: int
    name: str
    player_id: str


class PlayerIdentifier:
    """Tells who the players of reports are, one report after the other.

    Who is added gets the next of `new_ids`, where an office gives ids by rules of its own. `matcher` is one
    of the ledger's members, for whoever keeps it; it stays as it is.
    """

    def __init__(
        self,
        ledger: ChessLedger,
        decisions: Iterable[Decision],
        *,
        add_players: bool,
        new_ids: Iterator[str] | None = None,
        matcher: Matcher | None = None,
    ) -> None:
        self._known, self._come = members(ledger), list[Member]()
        self._matcher, self._is_kept = matcher or Matcher(self._known), matcher is not None
        self._members = {member.player_id for member in self._known}
        self._taken = {player.player_id for player in ledger.players}
        self._decisions: Mapping[tuple[str, int], Decision] = {(d.file, d.number): d for d in decisions}
        self._add_players, self._new_ids, self._is_fide = add_players, new_ids, ledger.pool.has_fide_ids
        self.added: dict[str, Player] = {}

    def match(
        self, file: str, report: Report, faults: list[Fault]
    ) -> tuple[list[Match], list[UndecidedPlayer]]:
        """The players of whom it is sure who they are, and those of whom it is not.

        In one report all are different people: of two who seem to be one member both are asked about, and
        who is added in it is looked for in the next ones only.
        """
        self._know_who_came()
        found = self._ask_about_doubles(
            file, [self._match_one(file, player, faults) for player in report.players]
        )
        matches = [self._with_id(one) for one in found if isinstance(one, Match)]
        _check_once(file, matches, faults)
        _check_named(file, matches, faults)
        return matches, [one for one in found if isinstance(one, UndecidedPlayer)]

    def _know_who_came(self) -> None:
        """Have those whom the reports before added among the members."""
        if self._come and self._is_kept:
            self._matcher, self._is_kept = Matcher(self._known, self._matcher.erased), False
        for member in self._come:
            self._matcher.add(member)
        self._come = []

    def _ask_about_doubles(
        self, file: str, found: list[Match | UndecidedPlayer]
    ) -> list[Match | UndecidedPlayer]:
        claims = Counter(one.player_id for one in found if isinstance(one, Match) and one.how != ADDED)
        return [
            UndecidedPlayer(file, one.reported, self._matcher.find(one.reported).candidates)
            if isinstance(one, Match) and one.how != DECIDED and claims[one.player_id] > 1
            else one
            for one in found
        ]

    def _match_one(self, file: str, player: ReportedPlayer, faults: list[Fault]) -> Match | UndecidedPlayer:
        found = self._matcher.find(player)
        decision = self._decisions.get((file, player.number))
        if decision is not None and decision.player_id:
            return self._match_decision(file, player, decision, faults)
        if found.sure is not None:
            return Match(player, found.sure, found.how)
        if self._add_players and not found.candidates:
            return Match(player, "", ADDED)
        return UndecidedPlayer(file, player, found.candidates)

    def _match_decision(
        self, file: str, player: ReportedPlayer, decision: Decision, faults: list[Fault]
    ) -> Match:
        if decision.name != player.name:
            faults.append(fault(file, player.line, player.name, "who-other-name", name=decision.name))
        if decision.player_id == NEW:
            return Match(player, "", ADDED)
        if decision.player_id not in self._members:
            faults.append(fault(file, player.line, player.name, "who-no-member", id=decision.player_id))
        return Match(player, decision.player_id, DECIDED)

    def _with_id(self, match: Match) -> Match:
        """The match, an added player with a new id."""
        if match.how != ADDED:
            return match
        reported, player_id = match.reported, self._new_id(match.reported)
        self._taken.add(player_id)
        self._members.add(player_id)
        self.added[player_id] = Player(
            player_id,
            reported.name,
            name_native=reported.name_native,
            birth_date=reported.birth_date,
            sex=reported.sex,
            fide_id=reported.fide_id,
            title=reported.title,
        )
        names = (reported.name, reported.name_native)
        self._come.append(Member(player_id, names, reported.fide_id, reported.birth_date, reported.sex))
        return match._replace(player_id=player_id)

    def _new_id(self, reported: ReportedPlayer) -> str:
        """The office's next id; else the national id, the FIDE id, or the next free number.

        In a FIDE pool it is the FIDE id, and for who has none no id that looks like one.
        """
        if self._is_fide and reported.fide_id and reported.fide_id not in self._taken:
            return reported.fide_id
        if self._new_ids is not None:
            return next(player_id for player_id in self._new_ids if player_id not in self._taken)
        number = len(self._taken) + 1
        while f"P{number:05}" in self._taken:
            number += 1
        wishes = () if self._is_fide else (reported.national_id, reported.fide_id)
        return next((wish for wish in wishes if wish and wish not in self._taken), f"P{number:05}")


def _check_once(file: str, matches: list[Match], faults: list[Fault]) -> None:
    """No two reported players were decided to be the same member."""
    first: dict[str, ReportedPlayer] = {}
    for match in matches:
        player, earlier = match.reported, first.setdefault(match.player_id, match.reported)
        if earlier.number != player.number:
            facts = {"id": match.player_id, "first": earlier.line, "name": earlier.name}
            faults.append(fault(file, player.line, player.name, "import-same", **facts))


def _check_named(file: str, matches: list[Match], faults: list[Fault]) -> None:
    """Who is added has a name, and nothing that a spreadsheet would run where it opens the ledger."""
    for player, player_id, how in matches:
        if how != ADDED:
            continue
        if not player.name:
            facts = {"number": player.number, "id": player_id}
            faults.append(fault(file, player.line, "name", "import-nameless", **facts))
        for column in _OF_TEXT:
            if getattr(player, column).startswith(_FORMULAS):
                text = getattr(player, column)[:_SHOWN]
                faults.append(fault(file, player.line, column, "import-formula", text=text))
