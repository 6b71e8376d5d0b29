"""What goes wrong is one clear line and an exit status, never a traceback; nothing is written."""

from __future__ import annotations

import re
import shutil

import pytest
from command_runs import EXAMPLES, banzuke, ledger, no_traceback
from formats.test_tournament_file import Made

from banzuke.cli.usage_errors import translate

JAPAN, CLUB, GO = EXAMPLES / "japan", EXAMPLES / "hakodate", EXAMPLES / "go-server"
NOTHING = "Refused. Faults: 1. Nothing was written."
READ_ONLY = "Refused. Faults: 1."
EVENTS = "event_id,name,starts,ends,reported,speed\nE,Event,2025-02-01,2025-02-02,2025-02-03,standard"
GAMES = "event_id,round,white,black,result\nE,1,A,B,1-0"
PLAYERS = "player_id,name,fide_id\nA,SATO Keiko,7000001\nB,ITO Ken,"


@pytest.fixture
def small(tmp_path):
    return ledger(tmp_path / "ledger", "hakodate", players=PLAYERS, events=EVENTS, games=GAMES)


def refused(*arguments, lang="en"):
    """The lines of a refusal: exit status 2, and nothing on standard output."""
    ran = banzuke(*arguments, lang=lang)
    assert (ran.status, ran.out) == (2, "")
    return no_traceback(ran).splitlines()


class TestLedger:
    @pytest.mark.parametrize(
        "words", [["check"], ["rate", "--out", "OUT"], ["explain", "J001"], ["import", "FILE", "--into"]]
    )
    @pytest.mark.parametrize("what", ["missing", "a file"])
    def test_no_folder(self, words, what, tmp_path):
        path, report = tmp_path / "ledger", tmp_path / "x.trf"
        report.write_text("001    1      SATO Keiko\n", "utf-8")
        if what == "a file":
            path.write_text("", "utf-8")
        words = [{"OUT": tmp_path / "out", "FILE": report}.get(word, word) for word in words]
        at = 1 if words[0] != "import" else len(words)
        lines = refused(*words[:at], path, *words[at:])
        assert lines[0].startswith(f"{path}: There is no folder here that can be opened")
        assert lines[1:] == [READ_ONLY if words[0] in ("check", "explain") else NOTHING]
        assert not (tmp_path / "out").exists()

    def test_no_folder_in_japanese(self, tmp_path):
        lines = refused("check", tmp_path / "missing", lang="ja")
        assert lines[0].startswith(f"{tmp_path / 'missing'}: 開けるフォルダがありません。")
        assert lines[1] == "受け付けられません：誤りが1件あります。"

    def test_a_table_that_cannot_be_read(self, small):
        (small / "games.csv").unlink()
        (small / "games.csv").mkdir()
        first, last = refused("check", small)
        assert first.startswith("games.csv: ")
        assert "Is a directory" in first
        assert last == READ_ONLY

    def test_a_table_that_is_no_text(self, small):
        (small / "players.csv").write_bytes(b"player_id,name\nA,\x82\xa0\n")
        lines = refused("rate", small, "--out", small / "out")
        assert lines[0].startswith("players.csv:2: ")
        assert not (small / "out").exists()

    def test_the_same_as_json(self, tmp_path):
        ran = banzuke("explain", tmp_path / "missing", "J001", "--format", "json")
        assert (ran.status, ran.err) == (2, "")
        assert [fault["code"] for fault in ran.json["refused"]] == ["no-folder"]


class TestOut:
    def test_a_file(self, small, tmp_path):
        (tmp_path / "out").write_text("mine", "utf-8")
        assert refused("rate", small, "--out", tmp_path / "out") == [
            f"Cannot read or write {tmp_path / 'out'}: Not a directory"
        ]
        assert (tmp_path / "out").read_text("utf-8") == "mine"

    def test_below_a_file(self, small, tmp_path):
        (tmp_path / "f").write_text("mine", "utf-8")
        (line,) = refused("rate", small, "--out", tmp_path / "f" / "out")
        assert line.startswith(f"Cannot read or write {tmp_path / 'f'}: ")

    def test_a_folder_that_may_not_be_written(self, small, tmp_path, monkeypatch):
        def deny(**_):
            raise PermissionError(13, "Permission denied", str(tmp_path / "out"))

        monkeypatch.setattr("banzuke.engine.rating_run.tempfile.mkdtemp", deny)
        assert refused("rate", small, "--out", tmp_path / "out") == [
            f"Cannot read or write {tmp_path / 'out'}: Permission denied"
        ]

    def test_the_ledger_itself(self, tmp_path):
        folder = shutil.copytree(GO, tmp_path / "go")
        before = (folder / "standings.csv").read_bytes()
        lines = refused("rate", folder, "--out", folder)
        why = "This is a ledger; results written into it could replace its tables. Name another folder with --out."
        assert lines == [f"{folder}: {why}", NOTHING]
        assert (folder / "standings.csv").read_bytes() == before
        assert not (folder / "changes.csv").exists()

    def test_a_name_too_long(self, small, tmp_path):
        (line,) = refused("rate", small, "--out", tmp_path / ("x" * 300))
        assert line.endswith(": File name too long")


class TestListsAndPlayers:
    @pytest.mark.parametrize(
        ("words", "line"),
        [
            (["rate", JAPAN, "--out", "x", "--until", "2025"], "'2025' is not a list of this ledger. Write it like these: 2025-01, 2025-02, 2025-03, 2025-04, 2025-05"),
            (["rate", GO, "--out", "x", "--until", "2025-03"], "'2025-03' is not a list of this ledger. Write it like these: 2025-03-01T12:00:00+09:00"),
            (["explain", JAPAN, "J001", "--list", "2030-01"], "'2030-01' is not a list of this ledger. Write it like these: 2025-01, 2025-02, 2025-03, 2025-04, 2025-05"),
            (["explain", JAPAN, "J001", "--list", ""], "'' is not a list of this ledger. Write it like these: 2025-01, 2025-02, 2025-03, 2025-04, 2025-05"),
            (["explain", GO, "harukaze", "--list", "now"], "'now' is not a list of this ledger. Write it like these: 2025-03-01T12:00:00+09:00"),
        ],
    )  # fmt: skip
    def test_no_such_list(self, words, line, tmp_path, monkeypatch):
        monkeypatch.chdir(tmp_path)
        assert refused(*words) == [line]
        assert list(tmp_path.iterdir()) == []

    def test_a_club_says_its_last_events(self, tmp_path):
        (line,) = refused("rate", CLUB, "--out", tmp_path / "x", "--until", "2025-06")
        assert line.startswith("'2025-06' is not a list of this ledger. Write it like these: ")
        assert line.endswith(", 2025-12-evening")

    def test_in_japanese(self):
        assert refused("explain", JAPAN, "J001", "--list", "2030-01", lang="ja") == [
            "この台帳に「2030-01」というリストはありません。書き方の例：2025-01, 2025-02, 2025-03, 2025-04, 2025-05"
        ]

    @pytest.mark.parametrize("words", [[], ["--list", "2025-01"]])
    def test_a_ledger_without_events(self, words, tmp_path):
        heads = {name: text.splitlines()[0] for name, text in (("events", EVENTS), ("games", GAMES))}
        memberships = "player_id,kind,valid_from,valid_to"
        folder = ledger(tmp_path / "new", "jcf-2024", players=PLAYERS, memberships=memberships, **heads)
        assert refused("explain", folder, "A", *words) == [
            "This ledger has no list yet, because it has no events."
        ]
        assert banzuke("rate", folder, "--out", tmp_path / "out").status == 0
        assert banzuke("check", folder).out == "Pool: good. 0 events, 0 games, 2 players.\n"

    @pytest.mark.parametrize(
        ("folder", "player", "line"),
        [
            (JAPAN, "J999", "No player 'J999' in this ledger. Player ids are in players.csv."),
            (JAPAN, "hayashi", "No player 'hayashi' in this ledger. Did you mean: J004 (HAYASHI Haruto)?"),
            (
                JAPAN,
                "Aoi",
                "No player 'Aoi' in this ledger. Did you mean: J017 (HASEGAWA Aoi), J028 (TAKEUCHI Aoi)?",
            ),
            (GO, "kaze", "No player 'kaze' in this ledger. Did you mean: harukaze, kazehaya, suzukaze?"),
            (
                JAPAN,
                "Hayashy Haruto",
                "No player 'Hayashy Haruto' in this ledger. Did you mean: J004 (HAYASHI Haruto)?",
            ),
            (JAPAN, "[red]", "No player '[red]' in this ledger. Player ids are in players.csv."),
            (JAPAN, "\x1b[31m", r"No player '\x1b[31m' in this ledger. Player ids are in players.csv."),
        ],
    )
    def test_no_such_player_is_an_answer(self, folder, player, line):
        ran = banzuke("explain", folder, player)
        assert (ran.status, ran.out, no_traceback(ran)) == (1, "", line + "\n")

    @pytest.mark.parametrize(
        ("lang", "line"),
        [
            ("en", "More than one player is called 'maja holm': A2 (Maja Holm), A6 (HOLM Maja). Write the player's id."),
            ("ja", "「maja holm」という名前のプレイヤーは複数います：A2 (Maja Holm), A6 (HOLM Maja)。IDを指定してください。"),
        ],
    )  # fmt: skip
    def test_two_players_of_one_name(self, tmp_path, lang, line):
        rows = "player_id,name\nA2,Maja Holm\nA6,HOLM Maja\n"
        folder = ledger(
            tmp_path / "new", "fide-2024", players=rows, events=EVENTS, games=GAMES.splitlines()[0]
        )
        ran = banzuke("explain", folder, "maja holm", lang=lang)
        assert (ran.status, ran.err) == (1, f"{line}\n")

    def test_no_such_player_in_japanese(self):
        ran = banzuke("explain", JAPAN, "林", "--lang", "ja")
        assert (ran.status, ran.err) == (
            1,
            "この台帳に「林」というプレイヤーはいません。もしかして：J004 (林 陽翔)\n",
        )


class TestInterrupt:
    """Ctrl-C at any moment: one line, status 130, and nothing written."""

    @pytest.mark.parametrize("words", [["check"], ["explain", "A"], ["rate", "--out", "OUT"]])
    def test_while_a_ledger_is_read(self, words, small, tmp_path, monkeypatch):
        def interrupted(_):
            raise KeyboardInterrupt

        monkeypatch.setattr("banzuke.cli.rating.read_ledger", interrupted)
        words = [tmp_path / "out" if word == "OUT" else word for word in words]
        ran = banzuke(words[0], small, *words[1:])
        assert (ran.status, ran.out) == (130, "")
        assert no_traceback(ran) == "Interrupted. Nothing was left half written.\n"
        assert not (tmp_path / "out").exists()

    def test_while_a_report_is_taken_in(self, small, tmp_path, monkeypatch):
        def interrupted(*_, **__):
            raise KeyboardInterrupt

        path = tmp_path / "new.trf"
        path.write_text(trf(row(1, "SATO Keiko", 2, "w", "1"), row(2, "ITO Ken", 1, "b", "0")), "utf-8")
        before = {p.name: p.read_bytes() for p in small.iterdir()}
        monkeypatch.setattr("banzuke.ledger.safe_writing.shutil.copy", interrupted)
        ran = banzuke("import", path, "--into", small, *TestImport.SAID, lang="ja")
        assert (ran.status, ran.err) == (130, "中断しました。書きかけのものは残していません。\n")
        assert {p.name: p.read_bytes() for p in small.iterdir()} == before


#: Command lines that cannot be read, and what the sentence names.
WRONG_WORDS = [
    (["rate", JAPAN], "--out"),
    (["rate", JAPAN, "--out", "x", "--engine", "abacus"], "--engine"),
    (["rate", JAPAN, "--out", "x", "--format", "xml"], "--format"),
    (["rate", JAPAN, "--out", "x", "--lang", "fr"], "--lang"),
    (["rate", JAPAN, "--out", "x", "--nonsense"], "--nonsense"),
    (["rate", "--out", "x"], "LEDGER"),
    (["explain", GO, "harukaze", "--games", "-1"], "--games"),
    (["explain", GO, "harukaze", "--games", "many"], "--games"),
    (["explain", GO, "harukaze", "--games", "99999999999999999999"], "--games"),
    (["calc", "change", "--rulebook", "elo", "--own", "1", "--opponent", "1", "--score", "1"], "--rulebook"),
    (["calc", "change", "--rulebook", "jcf-2024", "--own", "-1", "--opponent", "1", "--score", "1"], "--own"),
    (["calc", "change", "--rulebook", "jcf-2024", "--own", "1", "--opponent", "1", "--score", "2"], "--score"),
    (["calc", "change", "--rulebook", "jcf-2024", "--own", "1", "--opponent", "1", "--score", "1", "--k", "0"], "--k"),
    (["calc", "go", "--white", "1k", "--black", "1k", "--handicap", "10"], "--handicap"),
    (["calc", "go", "--white", "1k", "--black", "1k", "--game-number", "20"], "--game-number"),
    (["import", "missing.trf", "--into", JAPAN], "missing.trf"),
    (["import", __file__, "--into", JAPAN, "--format", "docx"], "--format"),
    (["import", "--into", JAPAN], "FILE"),
    (["import", __file__, "--into", JAPAN, "--reported", "1.2.2025"], "--reported"),
    (["import", __file__, "--into", JAPAN, "--base-minutes", "-5"], "--base-minutes"),
    (["import", __file__, "--into", JAPAN, "--speed", "bullet"], "--speed"),
    (["unpublish"], "unpublish"),
]  # fmt: skip


class TestOptions:
    @pytest.mark.parametrize(("words", "named"), WRONG_WORDS)
    def test_wrong_values(self, words, named, tmp_path, monkeypatch):
        """Typer says it in its own words; the line names the option or the value."""
        monkeypatch.chdir(tmp_path)
        lines = refused(*words)
        assert lines[0].startswith("Usage: ")
        assert lines[-1].startswith("Error: ")
        assert named in lines[-1]
        assert list(tmp_path.iterdir()) == []

    @pytest.mark.parametrize(("words", "named"), WRONG_WORDS)
    def test_wrong_values_in_japanese(self, words, named):
        lines = refused(*words, lang="ja")
        assert lines[0].startswith("使い方：banzuke ")
        assert re.fullmatch("詳しい説明は`banzuke .*--help`で表示されます。", lines[1])
        assert lines[3].startswith("エラー：")
        assert named in lines[3]
        assert not re.search("[a-z] [a-z]", lines[3])

    @pytest.mark.parametrize(
        ("words", "said"),
        [
            (["rat"], "エラー：'rat'というコマンドはありません。もしかして：'rate'"),
            (["lab", "compar"], "エラー：'compar'というコマンドはありません。もしかして：'compare'"),
            (["lab", "--all"], "エラー：--allというオプションはありません。"),
            (["--fast"], "エラー：--fastというオプションはありません。"),
            (["rate", JAPAN, "--ot", "x"], "エラー：--otというオプションはありません。もしかして：--format, --out, --work"),
            (["rate", JAPAN, "--out"], "エラー：オプション'--out'の値がありません。"),
            (["rate", JAPAN, "--out", "x", "--parquet=3"], "エラー：オプション'--parquet'に値は付けられません。"),
            (["check", JAPAN, GO], f"エラー：余分な引数があります：{GO}"),
            (["check"], "エラー：引数'LEDGER'がありません。"),
            (["import-ledger", __file__, "--pool", "x"], f"エラー：'LEDGER'の値が正しくありません：「{__file__}」はファイルです。フォルダを指定してください。"),
            (["register", JAPAN, "--into", JAPAN], f"エラー：'FILE'の値が正しくありません：「{JAPAN}」はフォルダです。ファイルを指定してください。"),
            (["import", "x.trf", "--into", JAPAN], "エラー：'FILE...'の値が正しくありません：「x.trf」というファイルはありません。"),
            (["import", __file__, "--into", JAPAN, "--reported", "1.2.2025"], "エラー：'--reported'の値が正しくありません：'1.2.2025'は日付ではありません。2025-03-31の形で書いてください。"),
            (["form", "x.xlsx", "--players", "0"], "エラー：'--players'の値が正しくありません：1以上の値を指定してください。"),
            (["form", "x.xlsx", "--players", "many"], "エラー：'--players'の値が正しくありません：整数を指定してください。"),
        ],
    )  # fmt: skip
    def test_what_is_said_in_japanese(self, words, said):
        assert refused(*words, lang="ja")[-1] == said

    @pytest.mark.parametrize(
        ("words", "said"),
        [
            (["import", __file__, "--into", JAPAN, "--reported", "1.2.2025"], "Error: Invalid value for '--reported': '1.2.2025' is not a day; write it as 2025-03-31."),
            (["new", "x", "--book", "icu", "--from", "2025-02-30"], "Error: Invalid value for '--from': '2025-02-30' is not a day; write it as 2025-03-31."),
        ],
    )  # fmt: skip
    def test_what_is_said_in_english(self, words, said):
        assert refused(*words)[-1] == said

    def test_a_format_that_is_none(self):
        line = refused("export", JAPAN, "--format", "doc")[-1]
        assert line.startswith("Error: Invalid value for '--format': 'doc' is not one of 'csv', ")

    def test_a_choice_that_is_missing_in_japanese(self):
        at, *choices = refused("calc", "change", lang="ja")[3:]
        assert at == "エラー：オプション'--rulebook'がありません。次のいずれかを指定してください："
        assert "    jcf-2024" in [choice.rstrip(",") for choice in choices]

    @pytest.mark.parametrize(
        ("words", "lang", "said"),
        [
            (["check", "--lang", "ja"], "en", "エラー：引数"),
            (["check", "--lang=ja"], "en", "エラー：引数"),
            (["lab", "compare", "--lang", "ja"], "en", "エラー：引数"),
            (["check", "--lang", "en"], "ja", "Error: Missing argument"),
            (["check", "--lang", "fr"], "ja", "エラー：'--lang'の値が正しくありません：'fr'は使えません。"),
        ],
    )
    def test_the_language_that_the_words_ask_for(self, words, lang, said):
        assert refused(*words, lang=lang)[-1].startswith(said)

    def test_a_sentence_that_is_not_known_stays(self):
        assert translate("Error: Invalid value for '--k': Nobody knows", "ja") == (
            "エラー：'--k'の値が正しくありません：Nobody knows"
        )

    def test_help_of_a_group_stays_as_it_is(self):
        ran = banzuke("lab", lang="ja")
        assert ran.status == banzuke("lab").status
        assert "\nCommands:\n" in ran.out + ran.err
        assert "エラー" not in ran.out + ran.err


def trf(*rows, starts="2025/02/08", ends="2025/02/09"):
    return "\n".join(["012 New Open", f"042 {starts}", f"052 {ends}", *rows, ""])


def row(number, name, opponent, colour, result, fide_id=""):
    points = 1.0 if result == "1" else 0.0
    about = f"001 {number:4}      {name:33} {'':4} JPN {fide_id:>11} {'':10} {points:4} {number:4}  "
    return about + f"{opponent:4} {colour} {result}"


EVENT_SAID = (
    *("--name", "X", "--starts", "2025-05-01", "--ends", "2025-05-01", "--reported", "2025-05-02"),
    *("--speed", "standard", "--organiser", "C01"),
)


class TestImport:
    SAID = ("--reported", "2025-02-10", "--speed", "standard")

    def write(self, folder, *rows, name="new.trf"):
        path = folder / name
        path.write_text(trf(*rows), "utf-8")
        return path

    def test_good(self, small, tmp_path):
        path = self.write(tmp_path, row(1, "SATO Keiko", 2, "w", "1"), row(2, "ITO Ken", 1, "b", "0"))
        ran = banzuke("import", path, "--into", small, *self.SAID)
        assert (ran.status, ran.err) == (0, "")
        assert ran.out == "new.trf: new with 1 game; 2 players matched, 0 added.\n"
        assert banzuke("check", small).out == "Pool: good. 2 events, 2 games, 2 players.\n"

    def test_good_as_json(self, small, tmp_path):
        path = self.write(
            tmp_path, row(1, "Keiko Sato", 2, "w", "1", "7000001"), row(2, "NEW One", 1, "b", "0")
        )
        ran = banzuke(
            "import",
            path,
            "--into",
            small,
            *self.SAID,
            "--add-players",
            "--event-id",
            "E2",
            "--format",
            "json",
        )
        assert ran.json == [
            {
                "file": "new.trf",
                "event_id": "E2",
                "games": 1,
                "players": [
                    {"number": 1, "name": "Keiko Sato", "player_id": "A", "how": "FIDE id"},
                    {"number": 2, "name": "NEW One", "player_id": "P00003", "how": "added"},
                ],
                "added": ["P00003"],
                "remarks": [],
            }
        ]

    def test_all_that_can_be_said_of_an_event(self, small, tmp_path):
        path = self.write(tmp_path, row(1, "SATO Keiko", 2, "w", "1"), row(2, "ITO Ken", 1, "b", "0"))
        options = (
            "--event-id E2 --name Open --starts 2025-02-07 --ends 2025-02-09 --reported 2025-02-10 --base-minutes 60 "
            "--increment-seconds 30 --no-fide-rated --form meeting --organiser Club --place Tokyo --responsible R "
            "--reporter Q --applied 2025-01-01 --paid 2025-02-11 --nonmembers 0"
        )
        assert banzuke("import", path, "--into", small, *options.split()).status == 0
        assert (small / "events.csv").read_text("utf-8").splitlines()[-1] == (
            "E2,Open,Club,Tokyo,R,Q,meeting,,60,30,0,2025-02-07,2025-02-09,2025-02-10,2025-01-01,,2025-02-11,,0,,"
        )

    def test_an_id_with_anothers_name_is_asked_about(self, small, tmp_path):
        path = self.write(
            tmp_path, row(1, "TANAKA Jun", 2, "w", "1", "7000001"), row(2, "ITO Ken", 1, "b", "0")
        )
        ran = banzuke("import", path, "--into", small, *self.SAID, "--add-players")
        assert (ran.status, ran.out) == (1, "")
        asked, likely, *rest = no_traceback(ran).splitlines()
        assert asked == "new.trf:4: 1 TANAKA Jun 7000001 JPN"
        assert likely.startswith("    A SATO Keiko: ")
        assert rest[0] == "Not in the ledger: 0; not sure who it is: 1. Nothing was written."
        assert rest[1].startswith("Run it again with --who who.csv")

    def test_decided_in_a_table(self, small, tmp_path):
        """Written, filled in, taken."""
        path = self.write(tmp_path, row(1, "Sato, K", 2, "w", "1"), row(2, "-NEW", 1, "b", "0"))
        table = tmp_path / "who.csv"
        words = ("import", path, "--into", small, *self.SAID, "--who", table)
        asked = banzuke(*words)
        assert asked.err.splitlines()[-1].startswith(f"Fill in player_id in {table}")
        header, first, second = table.read_text("utf-8-sig").splitlines()
        assert header == "file,number,name,name_native,national_id,fide_id,player_id,candidates"
        assert first == 'new.trf,1,"Sato, K",,,,,A SATO Keiko'
        assert second == "new.trf,2,'-NEW,,,,,"
        half = "\n".join((header, first.replace(",,A SATO", ",A,A SATO"), second, ""))
        table.write_text(half, "utf-8")
        assert banzuke(*words).err.splitlines()[-1].startswith("Fill in player_id for these too")
        assert table.read_text("utf-8") == half
        table.write_text(half.replace("'-NEW,,,,", "'-NEW,,,,NEW"), "utf-8")
        taken = banzuke(*words)
        assert (taken.err, taken.out) == ("", "new.trf: new with 1 game; 1 player matched, 1 added.\n")
        assert (small / "players.csv").read_text("utf-8").splitlines()[-1].startswith("P00003,-NEW,")

    def test_a_folder_without_files(self, small, tmp_path):
        folder = tmp_path / "mails"
        (folder / "2025").mkdir(parents=True)
        (folder / ".DS_Store").write_bytes(b"")
        why = "There is no file in this folder; name the folder with the reports, or the reports themselves."
        assert refused("import", folder, "--into", small, *self.SAID) == [f"{folder}: {why}"]

    def test_decided_with_full_width_letters(self, small, tmp_path):
        path = self.write(tmp_path, row(1, "Sato, K", 2, "w", "1"), row(2, "ITO Ken", 1, "b", "0"))
        table = tmp_path / "who.csv"
        table.write_text(
            'file,number,name,player_id\nnew.trf,１,"Sato, K",Ａ\nnew.trf,２,ITO Ken,ｎｅｗ\n', "utf-8"
        )
        taken = banzuke("import", path, "--into", small, *self.SAID, "--who", table)
        assert (taken.err, taken.out) == ("", "new.trf: new with 1 game; 1 player matched, 1 added.\n")

    def test_decided_twice(self, small, tmp_path):
        path = self.write(tmp_path, row(1, "Sato, K", 2, "w", "1"), row(2, "ITO Ken", 1, "b", "0"))
        table = tmp_path / "who.csv"
        twice = 'new.trf,1,"Sato, K",A\n' * 2
        table.write_text(f'file,number,name,player_id\n{twice}new.trf,1,"Sato, K",B\n', "utf-8")
        lines = refused("import", path, "--into", small, *self.SAID, "--who", table)
        why = "Player 1 of new.trf is decided on in another row already, otherwise; keep one of the two."
        assert lines == [f"who.csv:4: player_id: {why}", NOTHING]

    def test_a_table_of_decisions_takes_no_tables_place(self, small, tmp_path):
        path = self.write(tmp_path, row(1, "Sato, K", 2, "w", "1"), row(2, "ITO Ken", 1, "b", "0"))
        table = small / "standings.csv"
        lines = refused("import", path, "--into", small, *self.SAID, "--who", table)
        assert lines[0].startswith(f"{table}: This folder is a ledger")
        assert not table.exists()

    def test_a_table_of_decisions_that_is_none(self, small, tmp_path):
        path = self.write(tmp_path, row(1, "Sato, K", 2, "w", "1"), row(2, "ITO Ken", 1, "b", "0"))
        table = tmp_path / "who.csv"
        table.write_text("file,number,name,player_id\nnew.trf,one,x,A\n", "utf-8")
        assert refused("import", path, "--into", small, *self.SAID, "--who", table)[0].startswith(
            "who.csv:2: number: “one” is no number of a player"
        )
        table.write_text("file,name\n", "utf-8")
        lines = refused("import", path, "--into", small, *self.SAID, "--who", table)
        assert [line.split(": ")[1] for line in lines[:-1]] == ["number", "player_id"]

    def test_the_readable_part(self, small, tmp_path):
        path = self.write(tmp_path, row(1, "SATO Keiko", 2, "w", "1"), row(2, "ITO Ken", 1, "w", "0"))
        ran = banzuke("import", path, "--into", small, *self.SAID, "--readable-part")
        assert ran.out == "new.trf: new with 0 games; 2 players matched, 0 added.\n"
        assert ran.err.startswith("new.trf:5: 97: Round 1: players 2 and 1 (line 4) both have the colour w")

    def test_unknown_players_are_listed(self, small, tmp_path):
        path = self.write(tmp_path, row(1, "NEW One", 2, "w", "1", "7123456"), row(2, "ITO Ken", 1, "b", "0"))
        before = {p.name: p.read_bytes() for p in small.iterdir()}
        ran = banzuke("import", path, "--into", small, *self.SAID)
        assert (ran.status, ran.out) == (1, "")
        assert no_traceback(ran).splitlines()[:2] == [
            "new.trf:4: 1 NEW One 7123456 JPN",
            "Not in the ledger: 1; not sure who it is: 0. Nothing was written.",
        ]
        assert {p.name: p.read_bytes() for p in small.iterdir()} == before

    def test_ids_in_place_of_names_are_pointed_out(self, tmp_path):
        folder, file = shutil.copytree(JAPAN, tmp_path / "l"), tmp_path / "s2.csv"
        file.write_text("白,黒,結果\nJ001,J002,1-0\n", "utf-8")
        ran = banzuke("import", file, "--into", folder, *EVENT_SAID)
        assert (ran.status, ran.err.splitlines()[0]) == (1, "s2.csv:2: 1 J001 -")
        assert "s2.csv:1: Every name looks like an id." in ran.err
        file.write_text("白番会員番号,黒番会員番号,結果\nJ001,J002,1-0\n", "utf-8")
        assert banzuke("import", file, "--into", folder, *EVENT_SAID).status == 0

    def test_unknown_players_as_json(self, small, tmp_path):
        path = self.write(tmp_path, row(1, "NEW One", 2, "w", "1"), row(2, "ITO Ken", 1, "b", "0"))
        ran = banzuke("import", path, "--into", small, *self.SAID, "--format", "json")
        assert ran.status == 1
        assert [
            (p["file"], p["number"], p["name"], p["line"], p["candidates"]) for p in ran.json["undecided"]
        ] == [("new.trf", 1, "NEW One", 4, [])]

    def test_a_name_cannot_command_the_terminal(self, small, tmp_path):
        path = self.write(tmp_path, row(1, "\x1b[2JNEW", 2, "w", "1"), row(2, "a\u202eb", 1, "b", "0"))
        ran = banzuke("import", path, "--into", small, *self.SAID)
        assert ran.err.splitlines()[:2] == [r"new.trf:4: 1 \x1b[2JNEW - JPN", "new.trf:5: 2 ab - JPN"]
        added = banzuke("import", path, "--into", small, *self.SAID, "--add-players")
        assert added.status == 2
        assert "control character" in no_traceback(added)

    def test_what_the_file_lacks(self, small, tmp_path):
        """A club pool needs no day of the report."""
        path = self.write(tmp_path, row(1, "SATO Keiko", 2, "w", "1"), row(2, "ITO Ken", 1, "b", "0"))
        path.write_text(re.sub("(?m)^012.*\n", "", path.read_text("utf-8")), "utf-8")
        assert refused("import", path, "--into", small) == [
            "new.trf: name: The file does not say it; give it with --name.",
            NOTHING,
        ]

    @pytest.mark.parametrize("data", [b"", b"\0\1\2\3" * 100, b"\xff\xfe\x00d", b"hello\n", b"001\n" * 300])
    def test_a_file_that_is_no_report(self, small, tmp_path, data):
        path = tmp_path / "x.trf"
        path.write_bytes(data)
        lines = refused("import", path, "--into", small, *self.SAID)
        assert all(re.match(r"x\.trf(:\d+)?: ", line) for line in lines[:-1])
        assert len(lines) <= 101

    def test_a_broken_report_as_json(self, small, tmp_path):
        path = self.write(tmp_path, row(1, "SATO Keiko", 2, "w", "1"), row(2, "ITO Ken", 1, "w", "0"))
        ran = banzuke("import", path, "--into", small, *self.SAID, "--format", "json")
        assert ran.status == 2
        assert [(f["file"], f["line"], f["code"]) for f in ran.json["refused"]] == [
            ("new.trf", 5, "trf-same-colour")
        ]

    def test_a_name_that_is_no_text(self, small, tmp_path):
        """A file name, or an option, in another encoding than UTF-8."""
        name = b"x\xff.trf".decode("utf-8", "surrogateescape")
        path = self.write(
            tmp_path, row(1, "SATO Keiko", 2, "w", "1"), row(2, "ITO Ken", 1, "b", "0"), name=name
        )
        (line,) = refused("import", path, "--into", small, *self.SAID)
        assert line.endswith(" holds something that is no text (UTF-8); name it otherwise.")
        assert banzuke("check", small).out == "Pool: good. 1 event, 1 game, 2 players.\n"

    @pytest.mark.parametrize(
        "name", ["incompatible_color", "incorrect_points", "invalid_code", "missing_result"]
    )
    def test_reports_that_another_program_refuses(self, small, shared, name):
        path = shared / "data" / "trf" / f"py4swiss_{name}.trf"
        lines = refused("import", path, "--into", small, *self.SAID)
        assert all(line.startswith(f"py4swiss_{name}.trf:") for line in lines[:-1])

    def test_a_binary_file_has_no_lines(self, small, tmp_path):
        path = tmp_path / "cup.TUNX"
        path.write_bytes(Made().bytes())
        days = ("--starts", "2025-01-01", "--ends", "2025-01-01")
        listed = banzuke("import", path, "--into", small, *self.SAID, *days)
        assert listed.status == 1
        assert next(line for line in listed.err.splitlines() if "TUNX" in line) == "cup.TUNX: 1 A -"

    def test_a_real_one(self, small, shared):
        path = shared / "data" / "trf" / "karl_mala_2005_frankfurt_284p.trf"
        listed = banzuke("import", path, "--into", small, "--reported", "2025-02-10")
        assert listed.status == 1
        assert len(listed.err.splitlines()) == 286
        taken = banzuke("import", path, "--into", small, "--reported", "2025-02-10", "--add-players")
        assert taken.status == 2
        assert taken.err.startswith("karl_mala_2005_frankfurt_284p.trf: ends: ")
        (small / "pool.toml").write_text((small / "pool.toml").read_text().replace("2022", "2002"), "utf-8")
        taken = banzuke("import", path, "--into", small, "--reported", "2025-02-10", "--add-players")
        assert taken.out == (
            "karl_mala_2005_frankfurt_284p.trf: karl_mala_2005_frankfurt_284p with 980 games; "
            "0 players matched, 284 added.\n"
        )
        rated = banzuke("rate", small, "--out", small / "lists", "--format", "json")
        assert (rated.json["lines"], rated.json["lists"]) == (1962, ["karl_mala_2005_frankfurt_284p", "E"])
