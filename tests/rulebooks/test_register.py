"""The clause registers: every clause in words and answered, every citation one of them.

The code cites clauses in docstrings, comments and strings; the catalogues cite them in sentences.
"""

from __future__ import annotations

import ast
import inspect
import re
import tokenize
from dataclasses import fields, replace
from datetime import date
from importlib import import_module
from pathlib import Path
from types import FunctionType

import pytest

import banzuke
from banzuke.core.clause_register import Answer
from banzuke.core.facts import Event
from banzuke.core.fault import fault
from banzuke.core.registry import BOOKS
from banzuke.core.rulebook import ChessBook
from banzuke.rulebooks.fide import event_sides, fide_2024, tables
from banzuke.rulebooks.hakodate import hakodate
from banzuke.rulebooks.jcf import checks, fees, jcf_2024, monthly, ncs_2022
from banzuke.rulebooks.pandanet import pandanet, ranks
from banzuke.words import LANGUAGES, book_words, catalogue, fault_text

SOURCE = Path(banzuke.__file__).parent
EVERY_BOOK = pytest.mark.parametrize("book", BOOKS.values(), ids=BOOKS)
EVERY_CLAUSE = {clause for book in BOOKS.values() for clause in book.register}

#: The modules that carry a book's clauses out, where they are not simply those of its folder.
MODULES = {
    "ncs-2022": (ncs_2022, fees, monthly, tables),
    "jcf-2024": (jcf_2024, monthly, tables, ncs_2022),
    "hakodate": (hakodate,),
    "pandanet": (pandanet, ranks),
    "fide-2024": (fide_2024, event_sides, tables),
}

#: Modules of a book's folder that carry out no clause.
AROUND = {"__init__", "books", "register", "sentences", "worked_examples"}


def modules_of(book) -> tuple:
    """The modules that carry a book's clauses out, the one with its verdicts first."""
    if book.name in MODULES:
        return MODULES[book.name]
    package = book.rate.__module__.rpartition(".")[0]
    folder = Path(import_module(package).__file__).parent
    found = [
        import_module(f"{package}.{path.stem}") for path in folder.glob("*.py") if path.stem not in AROUND
    ]
    return tuple(sorted(found, key=lambda module: getattr(module, "VERDICTS", None) is not book.verdicts))


#: Public functions that decide nothing which a clause says: they only carry what others decided.
PLUMBING = {
    "event_sides.sheet_of": "asks reason and in_force of every game",
    "event_sides.count_rated_games": "adds up the games that reason lets count",
    "event_sides.put_on_file": "hands the games of unrated players to games_on_file",
    "ncs_2022.warnings": "says what is_recognised, missing_fields and notified_in_time find",
    "jcf_2024.warnings": "says what is_recognised, missing_fields and was_applied_for_in_time find",
    "ranks.prospects": "tells how far a player is from certification, by the functions that decide it",
    "ranks.default_zone": "the project's own table; PN 4(2) leaves it to the server",
}

ID = r"(?:table \d|note \d|note|revisions|[CRNK]\d+(?:\.\d+)?|\d\d?(?:\.\d+)*(?:\(\d+\)[A-Za-z]*(?:-[a-z\d]+)?)?)"
CITED = re.compile(rf"\b(NCS|JCF|HCC|PN|FIDE)((?:[,;]? (?:RB )?{ID}(?![\w(]))+)")
ONE = re.compile(rf"(RB )?({ID})(?![\w(])")


def citations(text: str) -> set[str]:
    """The clauses that a text cites: `NCS 2(2), 3(5)` cites two, `FIDE 7.1, RB 7.2.1` too."""
    found = set()
    for prefix, ids in CITED.findall(text):
        where = prefix
        for rapid, clause in ONE.findall(ids):
            where = f"{prefix} RB" if rapid else where
            found.add(f"{where} {clause}")
    return found


def is_known(citation: str) -> bool:
    """A clause of the register, or a section of which it has clauses (`FIDE 8.2`)."""
    return citation in EVERY_CLAUSE or any(
        clause.startswith((f"{citation}.", f"{citation}(")) for clause in EVERY_CLAUSE
    )


def spoken(path: Path) -> list[str]:
    """The strings, docstrings and comments of a Python file."""
    tree = ast.parse(path.read_text("utf-8"))
    strings = [
        node.value
        for node in ast.walk(tree)
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
    ]
    with tokenize.open(path) as stream:
        tokens = tokenize.generate_tokens(stream.readline)
        return strings + [token.string for token in tokens if token.type == tokenize.COMMENT]


class TestCitations:
    """The reader of citations itself."""

    @pytest.mark.parametrize(
        ("text", "cited"),
        [
            ("NCS 2(2), 3(5): an annual member", {"NCS 2(2)", "NCS 3(5)"}),
            ("JCF 5(1)K, in the order", {"JCF 5(1)K"}),
            ("FIDE 1.1, RB 1.1.1, RB 1.1.2: as", {"FIDE 1.1", "FIDE RB 1.1.1", "FIDE RB 1.1.2"}),
            (
                "(FIDE 1, 5, 7.1; RB 1, 7.2.1).",
                {"FIDE 1", "FIDE 5", "FIDE 7.1", "FIDE RB 1", "FIDE RB 7.2.1"},
            ),
            ("NCS 4(6), table 2: the speeds", {"NCS 4(6)", "NCS table 2"}),
            ("JCF 3(7), note 3: later", {"JCF 3(7)", "JCF note 3"}),
            ("of NCS 3(7) and JCF 7(3)", {"NCS 3(7)", "JCF 7(3)"}),
            ("HCC R4, R6, R7: what", {"HCC R4", "HCC R6", "HCC R7"}),
            ("JCF 5(1)K-junior: below 19", {"JCF 5(1)K-junior"}),
            ("JCF 5(1)C-zero", {"JCF 5(1)C-zero"}),
            ("[PN 1(5)e]", {"PN 1(5)e"}),
            ("FIDE RB 7.2.1: the standard", {"FIDE RB 7.2.1"}),
            ("NCS 2022 and JCF 2024-10-01, HCC: events", set()),
        ],
    )
    def test_reads(self, text, cited):
        assert citations(text) == cited

    @pytest.mark.parametrize(
        ("citation", "known"),
        [
            ("NCS 5(1)", True),
            ("FIDE 8.2", True),
            ("FIDE 8.9", False),
            ("NCS 9(1)", False),
            ("PN 3(7)", False),
        ],
    )
    def test_knows(self, citation, known):
        assert is_known(citation) is known


class TestWords:
    @EVERY_BOOK
    def test_every_clause_has_words_in_the_order_of_the_register(self, book):
        assert list(book_words(book)["clauses"]) == list(book.register)

    @EVERY_BOOK
    def test_words_are_in_both_languages(self, book):
        for clause, said in book_words(book)["clauses"].items():
            assert set(said) == set(LANGUAGES), clause
            assert all(said[lang].strip() for lang in LANGUAGES), clause

    @EVERY_BOOK
    def test_clauses_carry_the_prefix_of_their_book(self, book):
        assert {clause.split()[0] for clause in book.register} == {book.prefix}


class TestAnswers:
    @EVERY_BOOK
    def test_every_clause_is_answered_by_functions_or_by_a_person(self, book):
        for clause, answer in book.register.items():
            if not isinstance(answer, Answer):
                assert answer, clause
                assert len(set(answer)) == len(answer), clause
                assert all(
                    callable(function) and not function.__name__.startswith("_") for function in answer
                ), clause

    @EVERY_BOOK
    def test_functions_that_answer_have_a_docstring(self, book):
        for clause, answer in book.register.items():
            for function in () if isinstance(answer, Answer) else answer:
                assert function.__doc__, (clause, function)

    def test_every_public_function_is_named_by_a_clause(self):
        named = {
            function
            for book in BOOKS.values()
            for answer in book.register.values()
            if not isinstance(answer, Answer)
            for function in answer
        }
        modules = {module for of in MODULES.values() for module in of} - {tables}
        unnamed = {
            f"{module.__name__.rpartition('.')[2]}.{name}"
            for module in modules
            for name, function in vars(module).items()
            if isinstance(function, FunctionType)
            and function.__module__ == module.__name__
            and not name.startswith("_")
            and function not in named
        }
        assert unnamed == set(PLUMBING)

    @EVERY_BOOK
    def test_a_docstring_that_begins_with_clauses_begins_with_its_own(self, book):
        """The clauses over a function and those that name it meet."""
        by_function: dict[FunctionType, set[str]] = {}
        for clause, answer in book.register.items():
            for function in () if isinstance(answer, Answer) else answer:
                by_function.setdefault(function, set()).add(clause)
        for function, clauses in by_function.items():
            said = citations(inspect.getdoc(function).partition(":")[0])
            own = {clause for clause in said if clause.split()[0] == book.prefix}
            if own and function.__module__ == modules_of(book)[0].__name__:
                sections = {clause for clause in clauses if any(clause.startswith(c) for c in own)}
                assert sections, (function.__name__, own, clauses)


class TestCited:
    def test_what_the_code_cites_is_in_a_register(self):
        """In one test: one for each of the modules takes ten times as long."""
        paths = [path for path in sorted(SOURCE.rglob("*.py")) if citations(path.read_text("utf-8"))]
        cited = {(path, clause) for path in paths for text in spoken(path) for clause in citations(text)}
        assert len(cited) > 50
        assert sorted(pair for pair in cited if not is_known(pair[1])) == []

    @pytest.mark.parametrize("path", sorted(SOURCE.rglob("*.toml")), ids=lambda path: path.stem)
    def test_what_the_catalogues_cite_is_in_a_register(self, path):
        cited = citations(path.read_text("utf-8"))
        assert [clause for clause in sorted(cited) if not is_known(clause)] == []

    @EVERY_BOOK
    def test_clauses_that_lines_carry(self, book):
        module = modules_of(book)[0]
        carried = [getattr(module, name, {}) for name in ("VERDICTS", "CITES", "CLAUSES", "RAPID_AND_BLITZ")]
        assert any(carried)
        for table in carried:
            assert set(table.values()) <= set(book.register)
        assert set(carried[3]) <= set(book.register)
        if isinstance(book, ChessBook):
            assert (book.verdicts, book.cites) == (module.VERDICTS, module.CITES)
            assert book.fees is None or book.fees.clause in book.register

    @pytest.mark.parametrize("lacking", [{}, {"organiser": "Nobody"}, {"base_minutes": None}])
    @EVERY_BOOK
    def test_clauses_of_what_a_book_finds_in_reports(self, book, lacking):
        """Of an event that lacks what it may, an organiser unknown, a name out of form."""
        if not isinstance(book, ChessBook):
            return
        day = date(2025, 1, 6)
        event = Event("E", " ", day, day, day, **{"base_minutes": 5, "speed": "standard"} | lacking)
        event = replace(event, fide_rated=True) if book.prefix == "NCS" else event
        found = [*book.checks.event(event), *book.checks.warnings(event, ()), *book.checks.name("x,")]
        assert {each.facts["clause"] for each in found} <= set(book.register)
        assert found or book.prefix not in ("NCS", "JCF")
        for column, code, facts in found:
            assert str(facts["clause"]) in fault_text(fault("events.csv", 1, column, code, **facts), "en")

    def test_every_k_has_its_clause(self):
        for module in (ncs_2022, jcf_2024, fide_2024):
            tree = ast.parse(inspect.getsource(module))
            made = [
                node.args[2].value
                for node in ast.walk(tree)
                if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "Coefficient"
            ]
            assert len(made) >= 4
            assert set(made) <= set(module.REGISTER)


class TestReadings:
    @EVERY_BOOK
    def test_every_reading_is_of_a_clause_and_in_both_languages(self, book):
        for key, reading in book_words(book)["readings"].items():
            assert reading["clause"] in book.register, key
            of_form = {"setting", "label", "help", "subject", "says"} if "setting" in reading else set()
            assert set(reading) - of_form == {"clause", "question", "answer"}, key
            for part in {"question", "answer", "label", "help"} & set(reading):
                assert set(reading[part]) == set(LANGUAGES), key
                assert all(reading[part][lang].strip() for lang in LANGUAGES), key

    @EVERY_BOOK
    def test_every_setting_has_one_reading_and_every_named_setting_is_one(self, book):
        named = [
            reading["setting"] for reading in book_words(book)["readings"].values() if "setting" in reading
        ]
        assert sorted(named) == sorted(field.name for field in fields(book.settings))

    @EVERY_BOOK
    def test_every_reading_named_in_code_is_a_reading_of_the_book(self, book):
        known = set(book_words(book)["readings"])
        own = [module for module in modules_of(book) if module not in (monthly, tables)]
        if book.name == "jcf-2024":
            own.remove(ncs_2022)
        named = {
            key for module in own for key in re.findall(r"\[reading: ([^\]]*)\]", inspect.getsource(module))
        }
        assert named - {"..."} <= known

    def test_readings_that_the_shared_steps_name_are_both_editions(self):
        for module, books in ((monthly, ("ncs-2022", "jcf-2024")), (tables, BOOKS)):
            named = set(re.findall(r"\[reading: ([^\]]*)\]", inspect.getsource(module)))
            for name in books:
                assert named <= set(book_words(BOOKS[name])["readings"])

    def test_how_many_are_named_in_code(self):
        named = {
            (path.stem, key)
            for path in (SOURCE / "rulebooks").rglob("*.py")
            for key in re.findall(r"\[reading: ([^\]]*)\]", path.read_text("utf-8"))
        }
        assert len(named) > 20


#: Numbers that belong to the arithmetic, whatever a document prints: signs, halves, percentages, hundredths.
ARITHMETIC = {0, 1, 2, 10, 50, 100}
#: Constants that are units and happen to be a number of the document as well.
UNITS = {"HALF_RANK", "RANK"}
#: What Japanese writes in another unit, or in words: two years are 24 months, and the like.
WRITTEN = {
    ("jcf-2024", "first_months"): ["2年"],
    ("fide-2024", "drawn_games"): ["二人"],
    ("fide-2024", "real_difference_since"): ["2025年10月1日"],
    ("pandanet", "even_komi"): ["6目半"],
    ("pandanet", "half_rank_komi"): ["半目"],
    ("pandanet", "whole_rank_komi"): ["5目半"],
    ("pandanet", "lower_wins"): ["136"],
    ("pandanet", "both_wins"): ["64", "136"],
    ("pandanet", "multipliers"): ["50局", "150%", "100局", "120%"],
    ("pandanet", "later_multiplier"): ["以後100%"],
    ("pandanet", "bonus_below"): ["9k+"],
}
#: Numbers that no clause's own words have: our readings, and one of a paragraph whose parts have it.
READINGS = {
    ("ncs-2022", "above_half_each"),
    ("hakodate", "classes"),
    ("hakodate", "per_cent"),
    ("hakodate", "limit"),
    ("pandanet", "zone_width"),
    ("pandanet", "zone_slack"),
    ("pandanet", "zone_start"),
    ("pandanet", "beyond_table_a_rank"),
    ("pandanet", "most_expected"),
    ("pandanet", "flat"),
}


def flat(value):
    """The numbers of a parameter; none of a word or a day."""
    if isinstance(value, list):
        return {number for each in value for number in flat(each)}
    return {abs(value)} if isinstance(value, int) else set()


def literals(module):
    """The whole numbers that a module's code writes, with the line; its units left out."""
    tree = ast.parse(inspect.getsource(module))
    units = {
        node
        for assigned in ast.walk(tree)
        if isinstance(assigned, ast.Assign)
        and {n.id for n in ast.walk(assigned) if isinstance(n, ast.Name)} <= UNITS
        for node in ast.walk(assigned)
    }
    return {
        (node.value, node.lineno)
        for node in ast.walk(tree)
        if isinstance(node, ast.Constant) and type(node.value) is int and node not in units
    }


class TestNumbers:
    @EVERY_BOOK
    def test_each_has_a_clause_a_unit_and_a_name_in_both_languages(self, book):
        for parameter in book.parameters.values():
            assert parameter.clause in book.register, parameter.name
            assert parameter.unit in catalogue("units"), parameter.name
            assert parameter.en.strip()
            assert parameter.ja.strip()
            assert parameter.en != parameter.ja

    @EVERY_BOOK
    @pytest.mark.parametrize("lang", LANGUAGES)
    def test_no_two_are_called_the_same(self, book, lang):
        labels = [parameter.label(lang) for parameter in book.parameters.values()]
        assert len(set(labels)) == len(labels)

    def test_every_unit_is_used(self):
        used = {parameter.unit for book in BOOKS.values() for parameter in book.parameters.values()}
        assert used == set(catalogue("units"))

    @EVERY_BOOK
    def test_each_stands_in_one_place(self, book):
        """No module of the book's folder writes a number again that its parameters have."""
        folder = Path(inspect.getsourcefile(modules_of(book)[0])).parent
        numbers = {n for each in book.parameters.values() for n in flat(each.value)} - ARITHMETIC
        modules = [module for module in modules_of(book) if module is not tables]
        assert all(folder in Path(inspect.getsourcefile(module)).parents for module in modules)
        modules += [
            import_module(f"{modules[0].__package__}.sentences"),
            *([checks] if fees in modules else []),
        ]
        again = {
            (module.__name__.rpartition(".")[2], line, number)
            for module in modules
            for number, line in literals(module)
            if number in numbers
        }
        assert again == set()

    @EVERY_BOOK
    def test_each_is_read_by_a_module(self, book):
        """Every name of the parameters is asked for by the code of the folder."""
        sources = "".join(inspect.getsource(module) for module in modules_of(book))
        assert [
            name for name in book.parameters if f'("{name}")' not in sources and f'["{name}"]' not in sources
        ] == []

    @EVERY_BOOK
    def test_each_stands_in_the_words_of_its_clause(self, book):
        """In Japanese every number is written in digits."""
        clauses = book_words(book)["clauses"]
        missing = []
        for name, parameter in book.parameters.items():
            written = WRITTEN.get((book.name, name))
            texts = written or [str(number) for number in flat(parameter.value)]
            said = clauses[parameter.clause]["ja"]
            if (book.name, name) not in READINGS and not all(
                re.search(rf"(?<!\d){re.escape(text)}(?!\d)", said) for text in texts
            ):
                missing.append((name, parameter.clause, said))
        assert missing == []

    def test_matters_are_clauses_with_a_name(self):
        named = set()
        for book in BOOKS.values():
            matters = book_words(book).get("matters", {})
            assert set(matters.values()) <= set(book.register)
            named |= set(matters)
        assert named == set(catalogue("matters"))
