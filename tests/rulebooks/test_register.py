"""The clause registers: every clause in words and answered, every citation one of them.

The code cites clauses in docstrings, comments and strings; the catalogues cite them in sentences.
"""

from __future__ import annotations

import ast
import inspect
import re
import tokenize
from dataclasses import fields
from pathlib import Path
from types import FunctionType

import pytest
from banzuke.rulebooks.editions import FIGURES, SUBJECTS

import banzuke
from banzuke.core.clause_register import Answer
from banzuke.core.registry import BOOKS
from banzuke.engine.rule_warnings import CLAUSES as WARNING_CLAUSES
from banzuke.rulebooks.fide import fide_2024
from banzuke.rulebooks.fide import sheets as fide_sheets
from banzuke.rulebooks.fide import tables as fide_tables
from banzuke.rulebooks.hakodate import hakodate
from banzuke.rulebooks.jcf import fees as ncs_fees
from banzuke.rulebooks.jcf import jcf_2024, ncs_2022
from banzuke.rulebooks.jcf import monthly as month
from banzuke.rulebooks.pandanet import pandanet
from banzuke.rulebooks.pandanet import ranks as pandanet_ranks
from banzuke.words import LANGUAGES, catalogue

SOURCE = Path(banzuke.__file__).parent
EVERY_BOOK = pytest.mark.parametrize("book", BOOKS.values(), ids=BOOKS)
EVERY_CLAUSE = {clause for book in BOOKS.values() for clause in book.module.REGISTER}

#: The modules that carry a book's clauses out.
MODULES = {
    "ncs-2022": (ncs_2022, ncs_fees, month, fide_tables),
    "jcf-2024": (jcf_2024, month, fide_tables, ncs_2022),
    "hakodate": (hakodate,),
    "pandanet": (pandanet, pandanet_ranks),
    "fide-2024": (fide_2024, fide_sheets, fide_tables),
}

#: Public functions that decide nothing which a clause says: they only carry what others decided.
PLUMBING = {
    "fide_sheets.sheet_of": "asks reason and in_force of every game",
    "fide_sheets.count": "adds up the games that reason lets count",
    "fide_sheets.put_on_file": "hands the games of unrated players to kept",
    "pandanet_ranks.default_zone": "the project's own table; PN 4(2) leaves it to the server",
}

ID = r"(?:table \d|note \d|note|revisions|[CRNK]\d+(?:\.\d+)?|\d\d?(?:\.\d+)*(?:\(\d+\)[A-Za-z]*(?:-[a-z\d]+)?)?)"
CITED = re.compile(rf"\b(NCS|JCF|HCC|PN|FIDE)((?:[,;]? (?:RB )?{ID}(?![\w(]))+)")
ONE = re.compile(rf"(RB )?({ID})(?![\w(])")


def words_of(book):
    return catalogue(f"rules/{book.name.replace('-', '_')}")


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
        assert list(words_of(book)["clauses"]) == list(book.module.REGISTER)

    @EVERY_BOOK
    def test_words_are_in_both_languages(self, book):
        for clause, said in words_of(book)["clauses"].items():
            assert set(said) == set(LANGUAGES), clause
            assert all(said[lang].strip() for lang in LANGUAGES), clause

    @EVERY_BOOK
    def test_clauses_carry_the_prefix_of_their_book(self, book):
        assert {clause.split()[0] for clause in book.module.REGISTER} == {book.prefix}


class TestAnswers:
    @EVERY_BOOK
    def test_every_clause_is_answered_by_functions_or_by_a_person(self, book):
        for clause, answer in book.module.REGISTER.items():
            if not isinstance(answer, Answer):
                assert answer, clause
                assert len(set(answer)) == len(answer), clause
                assert all(
                    callable(function) and not function.__name__.startswith("_") for function in answer
                ), clause

    @EVERY_BOOK
    def test_functions_that_answer_have_a_docstring(self, book):
        for clause, answer in book.module.REGISTER.items():
            for function in () if isinstance(answer, Answer) else answer:
                assert function.__doc__, (clause, function)

    def test_every_public_function_is_named_by_a_clause(self):
        named = {
            function
            for book in BOOKS.values()
            for answer in book.module.REGISTER.values()
            if not isinstance(answer, Answer)
            for function in answer
        }
        modules = {module for of in MODULES.values() for module in of} - {fide_tables}
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
        for clause, answer in book.module.REGISTER.items():
            for function in () if isinstance(answer, Answer) else answer:
                by_function.setdefault(function, set()).add(clause)
        for function, clauses in by_function.items():
            said = citations(inspect.getdoc(function).partition(":")[0])
            own = {clause for clause in said if clause.split()[0] == book.prefix}
            if own and function.__module__ == book.module.__name__:
                sections = {clause for clause in clauses if any(clause.startswith(c) for c in own)}
                assert sections, (function.__name__, own, clauses)


class TestCited:
    @pytest.mark.parametrize(
        "path", sorted(SOURCE.rglob("*.py")), ids=lambda path: str(path.relative_to(SOURCE))
    )
    def test_what_the_code_cites_is_in_a_register(self, path):
        cited = {clause for text in spoken(path) for clause in citations(text)}
        assert [clause for clause in sorted(cited) if not is_known(clause)] == []

    @pytest.mark.parametrize("path", sorted((SOURCE / "words").rglob("*.toml")), ids=lambda path: path.stem)
    def test_what_the_catalogues_cite_is_in_a_register(self, path):
        cited = citations(path.read_text("utf-8"))
        assert [clause for clause in sorted(cited) if not is_known(clause)] == []

    @EVERY_BOOK
    def test_clauses_that_lines_carry(self, book):
        register = book.module.REGISTER
        tables = [
            getattr(book.module, name, {}) for name in ("VERDICTS", "CITES", "CLAUSES", "RAPID_AND_BLITZ")
        ]
        assert any(tables)
        for table in tables:
            assert set(table.values()) <= set(register)
        assert set(tables[3]) <= set(register)
        assert set(WARNING_CLAUSES.get(book.module, {}).values()) <= set(register)

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
        for key, reading in words_of(book)["readings"].items():
            assert reading["clause"] in book.module.REGISTER, key
            assert set(reading) - {"setting"} == {"clause", "question", "answer"}, key
            for part in ("question", "answer"):
                assert set(reading[part]) == set(LANGUAGES), key
                assert all(reading[part][lang].strip() for lang in LANGUAGES), key

    @EVERY_BOOK
    def test_every_setting_has_one_reading_and_every_named_setting_is_one(self, book):
        named = [
            reading["setting"] for reading in words_of(book)["readings"].values() if "setting" in reading
        ]
        assert sorted(named) == sorted(field.name for field in fields(book.settings))

    @EVERY_BOOK
    def test_every_reading_named_in_code_is_a_reading_of_the_book(self, book):
        known = set(words_of(book)["readings"])
        own = [module for module in MODULES[book.name] if module not in (month, fide_tables)]
        if book.name == "jcf-2024":
            own.remove(ncs_2022)
        named = {
            key for module in own for key in re.findall(r"\[reading: ([^\]]*)\]", inspect.getsource(module))
        }
        assert named - {"..."} <= known

    def test_readings_that_the_shared_steps_name_are_both_editions(self):
        for module, books in ((month, ("ncs-2022", "jcf-2024")), (fide_tables, BOOKS)):
            named = set(re.findall(r"\[reading: ([^\]]*)\]", inspect.getsource(module)))
            for name in books:
                assert named <= set(words_of(BOOKS[name])["readings"])

    def test_how_many_are_named_in_code(self):
        named = {
            (path.stem, key)
            for path in (SOURCE / "rulebooks").glob("*.py")
            for key in re.findall(r"\[reading: ([^\]]*)\]", path.read_text("utf-8"))
        }
        assert len(named) > 20


#: The printed numbers, as the two editions have them.
PRINTED = {
    "ncs-2022": {
        "standard-minutes": 45,
        "standard-minutes-fide": 60,
        "rapid-minutes": 10,
        "window-closes": 20,
        "late-days": 90,
        "correction-days": 90,
        "fide-notice-months": 2,
        "fee-yen": 200,
        "k-normal": 20,
        "k-new": 40,
        "k-new-games": 18,
        "k-junior": 40,
        "k-junior-age": 18,
        "k-junior-rating": 2300,
        "k-ever": 10,
        "k-ever-rating": 2400,
        "limit": 400,
        "floor": 400,
        "first-games": 4,
        "ur-counts-as": 1000,
        "qualified-beyond": 18,
    },
    "jcf-2024": {
        "standard-minutes": 45,
        "rapid-minutes": 10,
        "apply-days": 5,
        "window-closes": 20,
        "late-months": 3,
        "correction-days": 90,
        "k-normal": 20,
        "k-new": 40,
        "k-new-games": 30,
        "k-junior": 40,
        "k-junior-age": 19,
        "k-junior-rating": 2000,
        "k-ever": 10,
        "k-ever-rating": 2400,
        "limit": 400,
        "floor": 1000,
        "first-games": 6,
        "first-months": 24,
    },
}
EDITIONS = pytest.mark.parametrize("book", [BOOKS[name] for name in PRINTED], ids=PRINTED)


class TestEditions:
    @EDITIONS
    def test_figures_are_the_printed_ones(self, book):
        assert {name: number for name, (number, _) in FIGURES[book.module].items()} == PRINTED[book.name]

    @EDITIONS
    def test_figures_are_constants_of_the_rule_modules(self, book):
        constants = {
            value
            for module in MODULES[book.name]
            for name, value in vars(module).items()
            if name.isupper() and isinstance(value, int)
        }
        assert {number for number, _ in FIGURES[book.module].values()} <= constants

    @EDITIONS
    def test_a_figure_stands_in_the_words_of_its_clause(self, book):
        """In Japanese every number is written in digits; two years are 24 months."""
        clauses = words_of(book)["clauses"]
        for name, (number, clause) in FIGURES[book.module].items():
            written = "2年" if name == "first-months" else str(number)
            assert re.search(rf"(?<!\d){written}(?!\d)", clauses[clause]["ja"]), (name, clause)

    @EDITIONS
    def test_clauses_exist(self, book):
        register = book.module.REGISTER
        assert {clause for _, clause in FIGURES[book.module].values()} <= set(register)
        assert set(SUBJECTS[book.module].values()) <= set(register)

    def test_every_figure_and_subject_has_a_name(self):
        named = {name for table in (*FIGURES.values(), *SUBJECTS.values()) for name in table}
        assert named == set(catalogue("rules/editions"))
