"""Every fault that a page shows has a place where it is mended, and the page's own words."""

from __future__ import annotations

import re

import pytest

from banzuke.core.fault import RefusedError, fault
from banzuke.core.registry import BOOKS
from banzuke.office.inbox.problems import WARNS, Problem
from banzuke.office.mending import (
    PLACES,
    REFUSALS,
    MendingPlace,
    MendingTarget,
    place_of,
    target_of_fault,
    target_of_refusal,
    target_of_verdict,
)
from banzuke.office.page_words import OFFICE_CODES, page_line
from banzuke.office.problem_groups import group_problems
from banzuke.office.refusals import NotDoneError, RevisionsDueError
from banzuke.words import LANGUAGES, book_words, catalogue, fault_areas, fault_text

#: Catalogues of what only commands, settings of the server and lists in files say.
OF_COMMANDS = {"backup", "book", "list", "settings", "standings"}
#: Codes of other catalogues that only commands say, and ledgers in folders.
ONLY_COMMANDS = re.compile(
    "who-|waiting-|rate-|columnar-|spark-|export-|import-one-id|warn-nobody-|warn-no-members|warn-unread|warn-game-twice|"
    "register-(outdated|columns)$"
)
OF_FOLDERS = [
    "no-folder",
    "not-chess",
    "not-go",
    "missing-file",
    "missing-file-like",
    "two-files",
    "unreadable",
    "not-a-file",
    "not-utf8",
    "not-toml",
    "toml-large",
    "toml-tables",
    "unnamed-column",
    "separator-line",
    "workbook",
    "separator",
    "blank-rows",
    "not-csv",
    "no-parquet",
    "not-parquet",
    "parquet-type",
]
#: What no page may say: options, commands, tables and files of a ledger.
TECHNICAL = re.compile(r"--\w|`|\bbanzuke\b|\.csv\b|\.toml\b|base_minutes|players_id|game-table")


def codes_on_pages() -> list[str]:
    """The codes as pages have them."""
    return sorted(
        {OFFICE_CODES.get(code, code) for code in fault_areas() if place_of(OFFICE_CODES.get(code, code))}
    )


def test_every_code_has_a_place_or_is_of_commands_alone():
    without = [
        code
        for code, area in fault_areas().items()
        if place_of(OFFICE_CODES.get(code, code)) is None
        and area.removeprefix("faults/") not in OF_COMMANDS
        and not ONLY_COMMANDS.match(code)
        and code not in OF_FOLDERS
    ]
    assert without == []


@pytest.mark.parametrize("lang", LANGUAGES)
def test_pages_say_it_in_their_own_words(lang):
    settings = {
        MendingPlace.SETTINGS,
        MendingPlace.LABORATORY,
    }  # a reform is a file of TOML wherever it is mended
    said = {code: catalogue(fault_areas()[code])[code][lang] for code in codes_on_pages()}
    assert {
        code: text for code, text in said.items() if TECHNICAL.search(text) and place_of(code) not in settings
    } == {}


def test_codes_of_the_table_are_codes():
    assert set(PLACES) <= fault_areas().keys()
    assert set(catalogue("repeated")) - {"others"} <= fault_areas().keys()
    assert {place.value for place in MendingPlace} <= set(catalogue("mending"))


def test_what_a_book_names_is_a_place_and_its_own_finding():
    for book in BOOKS.values():
        for code, place in book_words(book).get("mends", {}).items():
            assert code in book_words(book)["sentences"]
            assert MendingPlace(place.partition(":")[0])
            assert place_of(code) is MendingPlace(place.partition(":")[0])


@pytest.mark.parametrize(
    ("found", "mend"),
    [
        (fault("", 0, "place", "import-field", option="--place"), MendingTarget(MendingPlace.FIELD, "place")),
        (
            fault("", 0, "", "warn-missing", fields="place, form", clause=""),
            MendingTarget(MendingPlace.FIELD, "place"),
        ),
        (
            fault("events.csv", 0, "E1", "warn-missing", fields="place", clause=""),
            MendingTarget(MendingPlace.EVENT, "E1"),
        ),
        (
            fault("events.csv", 0, "E1", "warn-organiser", organiser="C9"),
            MendingTarget(MendingPlace.CLUB, "C9"),
        ),
        (
            fault("players.csv", 0, "J01", "warn-name", name="x", clause=""),
            MendingTarget(MendingPlace.MEMBER, "J01"),
        ),
        (fault("games.csv", 0, "E1", "warn-never-stands"), MendingTarget(MendingPlace.EVENT, "E1")),
        (fault("a.trf", 12, "49", "trf-bad-rating", text="x"), MendingTarget(MendingPlace.FILE, "a.trf")),
        (fault("a.csv", 12, "name", "cell-control", value="x"), MendingTarget(MendingPlace.FILE, "a.csv")),
        (
            fault("", 0, "", "inbox-other-report", report=7, event="x"),
            MendingTarget(MendingPlace.REPORT, "7"),
        ),
        (fault("", 0, "", "rate-into-ledger"), None),
    ],
)
def test_whose_a_place_is(found, mend):
    assert target_of_fault(found) == mend


@pytest.mark.parametrize(
    ("verdict", "mend"),
    [
        ("fee", MendingTarget(MendingPlace.FEES, "2025-01")),
        ("late", MendingTarget(MendingPlace.EVENT, "E1")),
        ("forfeit", None),
    ],
)
def test_why_games_stay_out_leads_on(verdict, mend):
    assert target_of_verdict(verdict, "E1", "2025-01") == mend


def test_a_refusal_leads_on():
    codes = {each.code for each in NotDoneError.__subclasses__()}
    assert REFUSALS.keys() <= codes
    assert target_of_refusal(RevisionsDueError(lists="2025-01")) == MendingTarget(MendingPlace.LISTS)
    refused = RefusedError([fault("games.csv", 3, "", "rate-into-ledger"), fault("", 0, "J1", "warn-name")])
    assert target_of_refusal(refused) == MendingTarget(MendingPlace.MEMBER, "J1")
    assert target_of_refusal(ValueError()) is None


def members(count: int) -> list[Problem]:
    return [
        Problem(
            WARNS,
            fault("", 0, "", "inbox-member", name=f"P{n}", id=f"J{n}", games=1, clause="JCF 4"),
            f"J{n}",
        )
        for n in range(count)
    ]


@pytest.mark.parametrize(
    ("lang", "sentence"),
    [
        ("en", "Players who are not members on the day they played: 35. Their games are not rated (JCF 4)."),
        ("ja", "対局日に会員でないプレイヤーが35人います。その対局は計算されません（JCF 4）。"),
    ],
)
def test_one_fault_35_times_is_one_line(lang, sentence):
    [group] = group_problems(members(35))
    assert group.text(lang) == sentence
    assert len(group.problems) == 35


def test_two_stay_apart_and_missing_fields_too():
    fields = [
        Problem(WARNS, fault("", 0, name, "inbox-field")) for name in ("name", "place", "starts", "ends")
    ]
    assert [len(group.problems) for group in group_problems([*members(2), *fields])] == [1] * 6


def test_what_has_no_sentence_for_many_says_the_first():
    rows = [Problem(WARNS, fault("a.trf", n, "", "trf-tab")) for n in range(1, 6)]
    [group] = group_problems(rows)
    assert group.text("en") == f"{fault_text(rows[0].fault, 'en')} The same holds for 4 more."


def test_a_place_in_a_file_is_in_words():
    found = fault("a.trf", 12, "49", "trf-tab")
    assert page_line(found, "en").startswith("a.trf, line 12, column 49: There is a tab")
    assert page_line(found, "ja").startswith("a.trf 12行目 49列：")
    named = page_line(found._replace(column="valid_from"), "en")
    assert named.startswith("a.trf, line 12, first day of the membership: ")
    assert page_line(found._replace(column="anything"), "en").startswith("a.trf, line 12: ")
