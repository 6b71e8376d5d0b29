"""`banzuke rules new` and `banzuke rules test`: a new book is complete, and what is wrong with one is said."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from cli.command_runs import EXAMPLES, banzuke, no_traceback, outside

from banzuke.testing.book_checks import CHECKS, ON_LEDGERS

ROOT = Path(__file__).resolve().parents[2]
ALL = [*CHECKS, *ON_LEDGERS]


@pytest.fixture
def here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return tmp_path


def run(here, *words, **environment):
    return outside(*words, cwd=here, **{"PYTHONPATH": str(ROOT), **environment})


class TestNew:
    @pytest.mark.parametrize(
        "like",
        [[], ["--like", "jcf-2024"], ["--like", "hakodate"]],
    )
    @pytest.mark.slow
    def test_a_new_book_holds_everything(self, here, like):
        made = run(here, "rules", "new", "kyoto-2026", *like)
        assert made.status == 0, made.err
        *files, following = made.lines
        assert all((here / file).is_file() for file in files)
        assert following == "Next: banzuke rules test kyoto-2026"
        tried = run(here, "rules", "test", "kyoto-2026", "--format", "json")
        assert tried.status == 0, tried.out + tried.err
        (of_book,) = tried.json["books"]
        assert of_book["book"] == "kyoto-2026"
        assert [check["check"] for check in of_book["checks"]] == ALL
        assert not any(check["wrong"] for check in of_book["checks"])

    @pytest.mark.slow
    def test_its_own_test_passes(self, here):
        run(here, "rules", "new", "kyoto-2026")
        done = subprocess.run(
            [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "tests"],
            cwd=here / "kyoto-2026",
            env={"PYTHONPATH": f"{ROOT}:{here / 'kyoto-2026'}"},
            capture_output=True,
            encoding="utf-8",
            check=False,
        )
        assert done.returncode == 0, done.stdout
        assert "1 passed" in done.stdout

    def test_files_for_programs(self, here):
        made = banzuke("rules", "new", "kyoto-2026", "--format", "json").json
        assert made["book"] == "kyoto-2026"
        assert "kyoto-2026/pyproject.toml" in made["files"]

    @pytest.mark.parametrize(
        "name",
        ["Kyoto", "2026", "kyoto_2026", "kyoto 2026", "json", "test", "jcf-2024", "", "../x", "banzuke"],
    )
    def test_a_name_that_will_not_do(self, here, name):
        refused = banzuke("rules", "new", name)
        assert refused.status == 2
        assert "cannot be the name of a new book" in no_traceback(refused)
        assert not list(here.iterdir())

    @pytest.mark.parametrize(
        ("raised", "status"), [(OSError(28, "No space left"), 2), (KeyboardInterrupt(), 130)]
    )
    def test_all_of_it_is_written_or_nothing(self, here, monkeypatch, raised, status):
        write_text = Path.write_text

        def write_some(path, content, encoding):
            if path.name == "rules.py":
                raise raised
            return write_text(path, content, encoding)

        monkeypatch.setattr(Path, "write_text", write_some)
        refused = banzuke("rules", "new", "kyoto-2026")
        assert refused.status == status
        if status == 2:
            assert (
                no_traceback(refused)
                == "Cannot read or write kyoto-2026/kyoto_2026/rules.py: No space left\n"
            )
        assert not list(here.iterdir())

    def test_what_is_there_stays(self, here):
        (here / "kyoto-2026").mkdir()
        refused = banzuke("rules", "new", "kyoto-2026", lang="ja")
        assert refused.status == 2
        assert no_traceback(refused) == "kyoto-2026はすでにあります。何も書き込んでいません。\n"
        assert not list((here / "kyoto-2026").iterdir())

    @pytest.mark.parametrize("like", ["pandanet", "nothing-2024"])
    def test_no_book_to_follow(self, here, like):
        refused = banzuke("rules", "new", "kyoto-2026", "--like", like)
        assert refused.status == 2
        assert no_traceback(refused).startswith(f"A new rule book cannot be based on {like}. Possible: ")
        assert "jcf-2024" in refused.err

    def test_like_is_for_new_alone(self):
        assert banzuke("rules", "jcf-2024", "--like", "ncs-2022").status == 2


class TestAnInstalledBookThatIsBroken:
    """One sentence for every command: the entry point, and the package to mend or to remove."""

    @pytest.fixture
    def broken(self, here):
        about = here / "banzuke_broken-1.0.dist-info"
        about.mkdir()
        (about / "METADATA").write_text("Metadata-Version: 2.1\nName: banzuke-broken\nVersion: 1.0\n")
        (about / "entry_points.txt").write_text("[banzuke.rulebooks]\nbroken = broken_book:BOOKS\n")

        def write(code):
            (here / "broken_book.py").write_text(code)
            return f"{ROOT}:{here}"

        return write

    @pytest.mark.parametrize(
        "words",
        [
            ["check", EXAMPLES / "japan"],
            ["rules", "test", "hakodate"],
            ["calc", "change", "--help"],
            pytest.param(["serve", "--port", "1024"], marks=pytest.mark.slow),
        ],
        ids=lambda words: " ".join(map(str, words[:2])),
    )
    def test_every_command(self, here, broken, words):
        ran = run(here, *words, PYTHONPATH=broken("1 / 0"), BANZUKE_HOME=str(here / "home"))
        assert ran.status == 2
        assert no_traceback(ran) == (
            "An installed rule book cannot be used: broken = broken_book:BOOKS: ZeroDivisionError: "
            "division by zero. Mend or remove the package banzuke-broken.\n"
        )

    @pytest.mark.parametrize(
        ("code", "why"),
        [
            ("import sys; sys.exit(3)", "SystemExit: 3"),
            ("BOOKS = [7] * 9999", "a value of the type int is no rule book"),
        ],
    )
    def test_in_japanese(self, here, broken, code, why):
        ran = run(here, "rules", PYTHONPATH=broken(code), BANZUKE_LANG="ja")
        assert ran.status == 2
        assert no_traceback(ran) == (
            f"インストールされている規程が使えません：broken = broken_book:BOOKS: {why}。"
            "パッケージbanzuke-brokenを直すか、取り除いてください。\n"
        )


@pytest.fixture
def twice(here):
    """A book that is installed, and its folder, in which something has been edited since."""
    run(here, "rules", "new", "kyoto-2026")
    installed = here / "installed"
    shutil.copytree(here / "kyoto-2026/kyoto_2026", installed / "kyoto_2026")
    about = installed / "banzuke_kyoto_2026-1.0.dist-info"
    about.mkdir()
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: banzuke-kyoto-2026\nVersion: 1.0\n")
    (about / "entry_points.txt").write_text("[banzuke.rulebooks]\nkyoto-2026 = kyoto_2026:BOOKS\n")
    rules = here / "kyoto-2026/kyoto_2026/rules.py"
    edited = rules.read_text("utf-8").replace("return 50 + rounded", "return 51 + rounded")
    rules.write_text(edited, "utf-8")
    return f"{ROOT}:{installed}"


class TestTest:
    @pytest.mark.slow
    @pytest.mark.parametrize("word", ["kyoto-2026", "./kyoto-2026", "."])
    def test_a_folder_goes_before_the_installed_book(self, here, twice, word):
        folder = here / "kyoto-2026"
        tried = run(folder if word == "." else here, "rules", "test", word, PYTHONPATH=twice)
        assert tried.lines[0] == f"kyoto-2026 (the folder {folder})"
        assert tried.status == 1
        assert any(line.startswith("  WRONG examples") for line in tried.lines)

    @pytest.mark.slow
    def test_the_installed_book_from_elsewhere(self, here, twice):
        (here / "elsewhere/kyoto-2026").mkdir(parents=True)  # a pool of that name is no folder of books
        tried = run(here / "elsewhere", "rules", "test", "kyoto-2026", PYTHONPATH=twice)
        assert tried.status == 0
        assert tried.lines[0] == "kyoto-2026 (as installed)"

    def test_an_installed_book(self):
        tried = banzuke("rules", "test", "hakodate")
        assert tried.status == 0
        assert tried.lines[0] == "hakodate (as installed)"
        assert [line.split()[:2] for line in tried.lines[1:]] == [["good", check] for check in ALL]

    @pytest.mark.slow
    def test_what_is_wrong_is_said(self, here):
        run(here, "rules", "new", "kyoto-2026")
        rules = here / "kyoto-2026/kyoto_2026/rules.py"
        rules.write_text(
            rules.read_text("utf-8").replace("return 50 + rounded", "return 51 + rounded"), "utf-8"
        )
        tried = run(here, "rules", "test", "kyoto-2026", LANG="ja_JP.UTF-8")
        assert tried.status == 1
        at = next(number for number, line in enumerate(tried.lines) if line.startswith("  誤り examples"))
        assert "where +15 is printed" in tried.lines[at + 1]
        found = run(here, "rules", "test", "kyoto-2026", "--format", "json")
        assert found.status == 1
        assert found.json["good"] is False
        (of_book,) = found.json["books"]
        assert [check["check"] for check in of_book["checks"] if check["wrong"]] == ["examples"]

    @pytest.mark.slow
    def test_a_book_that_lacks_something(self, here):
        run(here, "rules", "new", "kyoto-2026")
        books = here / "kyoto-2026/kyoto_2026/books.py"
        books.write_text(books.read_text("utf-8").replace("rate=rules.rate", "rate=None"), "utf-8")
        tried = run(here, "rules", "test", "kyoto-2026")
        assert tried.status == 1
        assert no_traceback(tried) == "kyoto-2026 = kyoto_2026:BOOKS: kyoto-2026: rate is missing\n"

    def test_what_the_book_raises_is_wrong(self, here):
        run(here, "rules", "new", "kyoto-2026")
        rules = here / "kyoto-2026/kyoto_2026/rules.py"
        rules.write_text(
            rules.read_text("utf-8").replace(
                "    ratings = standings", "    1 / 0\n    ratings = standings", 1
            ),
            "utf-8",
        )
        tried = run(here, "rules", "test", "kyoto-2026")
        assert tried.status == 1
        no_traceback(tried)
        at = next(number for number, line in enumerate(tried.lines) if line.startswith("  WRONG same-again"))
        assert tried.lines[at + 1].startswith("    ZeroDivisionError: division by zero (rules.py:")

    @pytest.mark.slow
    def test_words_that_are_no_toml(self, here):
        run(here, "rules", "new", "kyoto-2026")
        words = here / "kyoto-2026/kyoto_2026/kyoto_2026.words.toml"
        words.write_text("x = = 3\n" + words.read_text("utf-8"), "utf-8")
        tried = run(here, "rules", "test", "kyoto-2026")
        assert tried.status == 1
        no_traceback(tried)
        assert tried.lines[3] == "    kyoto_2026.words.toml: Invalid value (at line 1, column 5)"

    @pytest.mark.parametrize(
        ("project", "status", "complaint"),
        [
            ("project = 3", 1, 'pyproject.toml: no [project.entry-points."banzuke.rulebooks"]\n'),
            (
                '[project.entry-points]\n"banzuke.rulebooks" = "x"',
                1,
                'pyproject.toml: [project.entry-points."banzuke.rulebooks"] is no table\n',
            ),
            ('[project.entry-points."banzuke.rulebooks"]', 2, ": there is no rule book in it.\n"),
        ],
    )
    def test_a_project_without_a_book(self, here, project, status, complaint):
        (here / "pyproject.toml").write_text(project)
        tried = banzuke("rules", "test", here)
        assert tried.status == status
        assert no_traceback(tried).endswith(complaint)

    def test_a_folder_without_a_book(self, here):
        tried = banzuke("rules", "test", here)
        assert tried.status == 1
        assert "banzuke.rulebooks" in no_traceback(tried)

    def test_no_such_book(self):
        tried = banzuke("rules", "test", "nothing-2024")
        assert tried.status == 2
        assert no_traceback(tried).startswith("There is no rule book or folder nothing-2024. Rule books: ")


class TestDiff:
    @pytest.mark.parametrize(
        ("word", "folder"), [("jcf-2026", "./jcf-2026"), ("./books/jcf-2026", "./books/jcf-2026")]
    )
    def test_a_book_that_is_not_installed(self, word, folder):
        for words in (["jcf-2024", word], [word, "jcf-2024"]):
            tried = banzuke("rules", "diff", *words)
            assert tried.status == 2
            said = no_traceback(tried)
            assert said.startswith(f"No rule book {word} is installed. Installed: ")
            assert said.endswith(f"once it is installed: pip install -e {folder}\n")
