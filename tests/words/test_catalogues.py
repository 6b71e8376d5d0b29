"""The catalogues and the code that speaks by them: no sentence is missing, unused or half translated.

Keys are found by walking the code. A key that is put together (`text(f"why-{...}")`) is a pattern, and
`MADE` says what it may become.
"""

from __future__ import annotations

import ast
import re
from dataclasses import replace
from functools import cache
from pathlib import Path
from string import Formatter

import pytest

import banzuke
from banzuke.cli.app import COMMANDS
from banzuke.cli.log_sentences import LISTS, REVISIONS, UNKNOWN
from banzuke.core.clause_register import Answer
from banzuke.core.facts import SPEEDS
from banzuke.core.fault import fault
from banzuke.core.rating import FIRST, RATED
from banzuke.core.registry import BOOKS
from banzuke.core.rulebook import ChessBook
from banzuke.database.outages import Outage
from banzuke.formats.member_register import FIELDS
from banzuke.rulebooks.pandanet import pandanet
from banzuke.testing.book_checks import CHECKS, ON_LEDGERS
from banzuke.transparency.log_entries import KINDS
from banzuke.words import (
    LANGUAGES,
    book_words,
    catalogue,
    fault_line,
    fault_text,
    preferred_language,
    say,
)

SOURCE = Path(banzuke.__file__).parent
AREAS = sorted(
    str(path.relative_to(SOURCE / "words").with_suffix("")) for path in (SOURCE / "words").rglob("*.toml")
)
#: The parts of the program that find faults, each with a catalogue of its own.
FAULTS_OF = [area.removeprefix("faults/") for area in AREAS if area.startswith("faults/")]

#: The other catalogues, by what speaks.
PLAIN = [
    "cli",
    "examples",
    "explain",
    "export",
    "federations",
    "journal",
    "lab",
    "matching",
    "matters",
    "mending",
    "notices",
    "office",
    "progress",
    "proofs",
    "public_ledger",
    "repeated",
    "tie_breaks",
    "units",
    "usage",
]

#: Catalogues of whole files; all others have sentences on one line.
FILES = ["public_ledger"]

#: The functions that say a key, with the place of the key among their arguments, by catalogue.
SAYERS = {
    "cli": {"text": 0, "_say": 1},
    "explain": {"text": 0, "Statement": 0, "Word": 0, "bounded": 1},
}

#: The sentences that each book has of its own, and those of all books.
OWN = {name: book_words(book).get("sentences", {}) for name, book in BOOKS.items()}
OF_BOOKS = {key: said for own in OWN.values() for key, said in own.items()}

#: What the books' whole numbers are called: a book's own sentence may name them beside its facts. Of the common
#: ones one does, of a number that the books have which say it.
NUMBERS = {
    name: {each for each, number in book.parameters.items() if type(number.value) is int}
    for name, book in BOOKS.items()
}
COMMON_NUMBERS = {"k-ever-2400": {"reached_rating"}}

CODES = {verdict for book in BOOKS.values() if isinstance(book, ChessBook) for verdict in book.verdicts} - {
    RATED,
    FIRST,
}
NO_FIRST = {"too-few", "one-sided", "below-floor"}


def reasons_of_k() -> set[str]:
    """The reasons that the books have for a K."""
    return {
        node.args[1].value
        for path in (SOURCE / "rulebooks").rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, ast.Call)
        and getattr(node.func, "id", "") == "Coefficient"
        and isinstance(node.args[1], ast.Constant)
    }


FINDINGS = (SOURCE / "client" / "public_verification.py").read_text("utf-8")

#: What keys that are put together may become.
MADE = {
    "club-score-*": {"0", "1", "2"},
    "answer-*": {answer.value for answer in Answer},
    "book-*": {"closed", "forbidden", "newer"},
    "log-count-*": {LISTS, REVISIONS, UNKNOWN, *KINDS} - {"list"},
    "lab-*": {"number", "value", "least", "most", "unit", "label"},
    "lab-policy-*": {"calendar", "most-change", "adjustment"},
    "rules-test-*": {*CHECKS, *ON_LEDGERS},
    "outage-*": {why.value for why in Outage},
    "why-*": {*NO_FIRST, "no-points"},
    "first-*": NO_FIRST,
    "not-*": CODES,
    "go-not-*": set(pandanet.CLAUSES),
    "go-side-*": {"upper", "lower", "even"},
    "k-*": reasons_of_k(),
    "public-*": set(re.findall(r'Finding\(\s*"([a-z-]+)"', FINDINGS)) | {"table-good"},
    "register-field-*": set(FIELDS),
    "score-*": {"0", "1", "2"},
    "source-*": {"other-speed", "fide-standard", "fide-rapid", "fide-blitz", "standard"},
    "speed-*": set(SPEEDS),
    "status-*": {"provisional", "established"},
}


def placeholders(sentence: str) -> set[str]:
    return {name for _, name, _, _ in Formatter().parse(sentence) if name is not None}


def sentences(table: dict, path: str = "") -> list[tuple[str, dict[str, str]]]:
    """Every pair of an English and a Japanese sentence, with its path in the file."""
    if set(LANGUAGES) & set(table):
        return [(path, table)]
    return [
        found
        for key, value in table.items()
        if isinstance(value, dict)
        for found in sentences(value, f"{path}.{key}" if path else key)
    ]


@cache
def nodes_of(tree: ast.AST) -> tuple[ast.AST, ...]:
    """Every node below one, found once."""
    return tuple(ast.walk(tree))


def calls(tree: ast.AST, sayers: dict[str, int]) -> list[tuple[ast.Call, ast.expr]]:
    """Calls of functions that say a key, with the key's expression."""
    found = []
    for node in nodes_of(tree):
        if isinstance(node, ast.Call):
            name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
            if name in sayers and len(node.args) > sayers[name]:
                found.append((node, node.args[sayers[name]]))
    return found


def keys_of(node: ast.expr, function: ast.AST, module: ast.Module) -> set[str]:
    """What an expression for a key can be; a pattern with `*` where it is put together."""
    match node:
        case ast.Constant(value=str(key)):
            return {key}
        case ast.IfExp():
            return keys_of(node.body, function, module) | keys_of(node.orelse, function, module)
        case ast.JoinedStr():
            return {"".join(p.value if isinstance(p, ast.Constant) else "*" for p in node.values)}
        case ast.Name(id=name):
            return named_keys(name, function, module)
    return set()


def named_keys(name: str, function: ast.AST, module: ast.Module) -> set[str]:
    """What a variable can be: assigned in its function, looped over, or given to it as an argument."""
    found: set[str] = set()
    for node in nodes_of(function):
        if isinstance(node, ast.Assign):
            for target in node.targets:
                if ast.unparse(target) == name:
                    found |= keys_of(node.value, function, module)
                elif isinstance(target, ast.Tuple):
                    found |= unpacked_keys(name, target, node.value, function, module)
    arguments = [argument.arg for argument in getattr(function, "args", ast.arguments(args=[])).args]
    if name in arguments:
        at = arguments.index(name)
        for call in nodes_of(module):
            if isinstance(call, ast.Call) and getattr(call.func, "id", "") == function.name:
                found |= keys_of(call.args[at], module, module)
                caller = caller_of(call, module)
                found |= keys_of(call.args[at], caller, module) if caller else set()
    return found


def unpacked_keys(
    name: str, target: ast.Tuple, value: ast.expr, function: ast.AST, module: ast.Module
) -> set[str]:
    """`key, concept = ("a", "b") if ... else ("c", "d")`."""
    names = [ast.unparse(element) for element in target.elts]
    if name not in names:
        return set()
    options = [value.body, value.orelse] if isinstance(value, ast.IfExp) else [value]
    return {
        key
        for option in options
        if isinstance(option, ast.Tuple)
        for key in keys_of(option.elts[names.index(name)], function, module)
    }


def caller_of(call: ast.Call, module: ast.Module) -> ast.FunctionDef | None:
    return next((f for f in nodes_of(module) if isinstance(f, ast.FunctionDef) and call in nodes_of(f)), None)


def spoken(area: str, *patterns: str) -> list[tuple[str, ast.Call, set[str]]]:
    """Every call that says a key of the area: where it is, the call, and what the key may be."""
    found = []
    for path in sorted(path for pattern in patterns for path in SOURCE.glob(pattern)):
        module = ast.parse(path.read_text("utf-8"))
        for call, key in calls(module, SAYERS[area]):
            function = caller_of(call, module) or module
            keys = keys_of(key, function, module)
            if not keys and isinstance(key, ast.Attribute) and key.attr == "key":
                continue  # the key of a statement that was made elsewhere
            if isinstance(key, ast.Name) and function.name in SAYERS[area]:
                continue  # it hands its own key on
            found.append((f"{path.parent.name}/{path.name}:{call.lineno}", call, keys))
    return found


@cache
def functions_of(file: str) -> list[ast.FunctionDef]:
    """The functions of a file of the package (`cli/app.py`), the outer before the inner."""
    (path,) = SOURCE.rglob(file)
    return [
        node for node in ast.walk(ast.parse(path.read_text("utf-8"))) if isinstance(node, ast.FunctionDef)
    ]


def function_around(call: ast.Call, where: str) -> ast.FunctionDef | None:
    """The function that a call stands in."""
    functions = functions_of(where.partition(":")[0])
    return next((one for one in functions if one.lineno <= call.lineno <= (one.end_lineno or 0)), None)


def given_to(call: ast.Call, function: ast.FunctionDef | None) -> set[str] | None:
    """The names of a call's facts: keywords, or a dict given or assigned; None where they are not written out."""
    if any(keyword.arg is None for keyword in call.keywords):
        return None
    name = call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", "")
    place = {"Statement": 2, "Word": 1, "text": 1}.get(name)
    named = {str(keyword.arg) for keyword in call.keywords}
    if place is None or len(call.args) <= place:
        return named
    dicts: list[ast.expr] = [call.args[place]]
    if isinstance(call.args[place], ast.Name) and function is not None:
        name = call.args[place].id
        dicts = [
            node.value
            for node in ast.walk(function)
            if isinstance(node, (ast.Assign, ast.AugAssign))
            and name in {ast.unparse(t) for t in getattr(node, "targets", None) or [node.target]}
        ]
    if not dicts or not all(isinstance(each, ast.Dict) and None not in each.keys for each in dicts):
        return None
    return named | {key.value for each in dicts for key in each.keys if isinstance(key, ast.Constant)}


def spelled_out(keys: set[str]) -> set[str]:
    return {
        full
        for key in keys
        for full in ({key.replace("*", part) for part in MADE[key]} if "*" in key else {key})
    }


#: By catalogue, the folder whose code speaks by it; `say("cli", ...)` stands in the office too.
SPEAKERS = {
    "cli": spoken("cli", "cli/*.py"),
    "explain": spoken(
        "explain",
        "explanations/*.py",
        "core/chess_sentences.py",
        "rulebooks/*/sentences.py",
        "rulebooks/*/books.py",
    ),
}


class TestBothLanguages:
    @pytest.mark.parametrize("area", AREAS)
    def test_say_the_same_facts_on_one_line(self, area):
        found = sentences(catalogue(area))
        assert found
        for path, said in found:
            assert set(said) == set(LANGUAGES), path
            assert all(text.strip() for text in said.values()), path
            assert area in FILES or "\n" not in "".join(said.values()), path
            assert placeholders(said["en"]) == placeholders(said["ja"]), path

    @pytest.mark.parametrize("book", BOOKS.values(), ids=BOOKS)
    def test_a_books_own_words_do_too(self, book):
        found = sentences(book_words(book))
        assert found
        for path, said in found:
            assert set(said) == set(LANGUAGES), path
            assert all(text.strip() for text in said.values()), path
            assert "\n" not in "".join(said.values()), path
            assert placeholders(said["en"]) == placeholders(said["ja"]), path
            assert (
                path.startswith("sentences.")
                or ".says." in path
                or not set("{}") & set("".join(said.values()))
            ), path

    @pytest.mark.parametrize(
        "area",
        ["cli", "explain", "export", "matching", *(area for area in AREAS if area.startswith("faults/"))],
    )
    def test_only_names_and_symbols_are_alike(self, area):
        alike = {path for path, said in sentences(catalogue(area)) if said["en"] == said["ja"]}
        assert alike <= {"unrated"}

    def test_the_catalogues_are_these(self):
        assert sorted(AREAS) == sorted([*PLAIN, *(f"faults/{name}" for name in FAULTS_OF)])


class TestKeys:
    @pytest.mark.parametrize("area", SPEAKERS)
    def test_every_call_is_understood(self, area):
        assert len(SPEAKERS[area]) > 60
        assert [where for where, _, keys in SPEAKERS[area] if not keys] == []

    @pytest.mark.parametrize("area", SPEAKERS)
    def test_every_key_that_is_said_exists(self, area):
        for where, _, keys in SPEAKERS[area]:
            assert spelled_out(keys) <= set(catalogue(area)) | set(OF_BOOKS), where

    @pytest.mark.parametrize("area", SPEAKERS)
    def test_no_key_is_unused(self, area):
        said = {key for _, _, keys in SPEAKERS[area] for key in spelled_out(keys)}
        if area == "cli":
            said |= spelled_out({"answer-*"})  # said by explanations/rule_pages.py
            helps = {words.replace(" ", "-") for words in ("app", *COMMANDS)}
            said |= helps | ({f"{key}-epilog" for key in helps} & set(catalogue(area)))
        assert sorted(set(catalogue(area)) - said) == []

    def test_no_sentence_of_a_book_is_unused(self):
        said = {key for of in SPEAKERS.values() for _, _, keys in of for key in spelled_out(keys)}
        said |= {worked.kind for book in BOOKS.values() for worked in book.examples}
        said |= codes_of_findings() | set(noted("rulebooks")) | columns_of_books()
        assert sorted(set(OF_BOOKS) - said) == []

    @pytest.mark.parametrize("area", SPEAKERS)
    def test_every_call_gives_the_facts_of_its_sentence(self, area):
        """Where the facts are written out; those handed on as `**facts` are seen by the tests of their command."""
        calls = [
            (where, keys, given)
            for where, call, keys in SPEAKERS[area]
            if (given := given_to(call, function_around(call, where))) is not None
            and ast.unparse(call.func).rpartition(".")[2] not in ("_flat", "bounded")
        ]
        facts = {name for _, _, given in calls for name in given}
        for where, keys, given in calls:
            for key in spelled_out(keys):
                common = COMMON_NUMBERS.get(key, set())
                if key in catalogue(area):
                    assert placeholders(catalogue(area)[key]["en"]) <= given | common, (where, key)
                for name, own in OWN.items():
                    if key in own:
                        # what some call gives as a fact is never left to the number of that name
                        assert placeholders(own[key]["en"]) <= given | NUMBERS[name] - facts, (where, key)

    def test_the_books_that_say_why_k_is_that_of_2400_have_its_number(self):
        for path in (SOURCE / "rulebooks").rglob("*.py"):
            if '"ever-2400"' in (text := path.read_text("utf-8")):
                assert '"reached_rating"' in text, path

    def test_a_book_speaks_with_the_facts_that_the_common_sentence_has(self):
        for name, own in OWN.items():
            for area in ("cli", "explain", "examples"):
                for key in set(own) & set(catalogue(area)):
                    facts = placeholders(catalogue(area)[key]["en"])
                    assert placeholders(own[key]["en"]) <= facts | NUMBERS[name], (name, key)

    def test_put_together_keys_are_the_ones_the_table_knows(self):
        patterns = {
            key for speaker in SPEAKERS.values() for _, _, keys in speaker for key in keys if "*" in key
        }
        assert patterns | {"answer-*"} == set(MADE)

    def test_why_k_is_this_k(self):
        assert {"ever-2400", "junior", "new", "normal", "700"} <= MADE["k-*"]


def noted(folder: str, files: str = "*.py") -> dict[str, set[str]]:
    """Codes of faults that the code of a folder notes, with the names of their facts."""
    found: dict[str, set[str]] = {}
    for path in sorted((SOURCE / folder).rglob(files)):
        module = ast.parse(path.read_text("utf-8"))
        for call, code in calls(module, {"fault": 3, "_warn": 1}):
            if isinstance(code, ast.Constant):
                found[code.value] = facts_of(call, caller_of(call, module))
    return found


def codes_of_findings() -> set[str]:
    """Codes of what the checks of the rule books find."""
    modules = [ast.parse(path.read_text("utf-8")) for path in sorted((SOURCE / "rulebooks").rglob("*.py"))]
    return {code.value for module in modules for _, code in calls(module, {"Finding": 1})}


def columns_of_books() -> set[str]:
    """The keys of what the columns are called that books add."""
    added = [book.columns for book in BOOKS.values() if isinstance(book, ChessBook)]
    return {f"column-{each.name}" for columns in added for each in columns.lists} | {
        f"column-{each.name}" for columns in added for table in columns.ledger.values() for each in table
    }


def facts_of(call: ast.Call, function: ast.FunctionDef) -> set[str]:
    """The names of a call's facts; `**facts` is the dict last assigned before it."""
    names = set()
    for keyword in call.keywords:
        if keyword.arg is not None:
            names.add(keyword.arg)
            continue
        dicts = [
            node.value
            for node in nodes_of(function)
            if isinstance(node, ast.Assign)
            and node.lineno < call.lineno
            and ast.unparse(node.targets[0]) == ast.unparse(keyword.value)
        ]
        names |= {key.value for key in max(dicts, key=lambda found: found.lineno).keys}
    return names


class TestFaults:
    def test_what_the_office_refuses_or_warns_of(self):
        table, codes = (
            catalogue("faults/office"),
            {k: v for part in ("engine", "exchange") for k, v in noted(part).items()},
        )
        elsewhere = {*catalogue("faults/ledger"), *catalogue("faults/inbox"), *OF_BOOKS}
        by_books = codes_of_findings() - elsewhere
        codes = {code: facts for code, facts in codes.items() if not code.startswith("standings-")}
        assert set(table) == set(codes) | by_books
        for code, facts in codes.items():
            assert placeholders(table[code]["en"]) == facts, code

    def test_what_standings_are_refused_for(self):
        table, codes = catalogue("faults/standings"), noted("exchange/standings") | noted("cli")
        codes = {code: facts for code, facts in codes.items() if code.startswith("standings-")}
        assert set(table) == set(codes)
        for code, facts in codes.items():
            assert placeholders(table[code]["en"]) == facts, code

    def test_what_settings_are_refused_for(self):
        table, codes = catalogue("faults/settings"), noted("server")
        assert set(table) == set(codes)
        for code, facts in codes.items():
            assert placeholders(table[code]["en"]) == facts, code

    def test_what_the_laboratory_refuses(self):
        office, lab = noted("office", "laboratory.py"), noted("lab")
        table, codes = catalogue("faults/lab"), noted("cli") | office | lab
        codes = {code: facts for code, facts in codes.items() if code in lab or code in table}
        by_other_ways = {"lab-bounds", "lab-value"}  # one of the two, by whether the number has bounds
        assert set(table) == (set(codes) - set(catalogue("faults/ledger"))) | by_other_ways
        codes = {code: facts for code, facts in codes.items() if code in table}
        for code, facts in codes.items():
            assert placeholders(table[code]["en"]) == facts, code

    def test_what_a_live_pool_refuses(self):
        """Beside what a ledger is refused for."""
        table, codes = catalogue("faults/live"), noted("office/live")
        by_reason = {"fault-moves", "reason-result", "reason-moves", "reason-fault"}  # core/go_endings
        assert set(table) == (set(codes) - set(catalogue("faults/ledger"))) | by_reason
        for code in set(table) - by_reason:
            assert placeholders(table[code]["en"]) <= codes[code], code

    def test_what_a_draft_of_a_reform_is_refused_for(self):
        """Beside what a ledger is refused for."""
        table, codes = catalogue("faults/reform"), noted("office/reforms")
        assert set(table) == set(codes) - set(catalogue("faults/ledger"))
        for code in table:
            assert placeholders(table[code]["en"]) == codes[code], code

    def test_what_the_formats_refuse(self):
        """Every code of a format's fault has its sentence, and every sentence a module that says it."""
        table = {
            code: said
            for name in FAULTS_OF
            if name
            not in (
                "backup",
                "book",
                "inbox",
                "lab",
                "ledger",
                "live",
                "office",
                "reform",
                "settings",
                "standings",
            )
            for code, said in catalogue(f"faults/{name}").items()
        }
        words: set[str] = set()
        for path in (SOURCE / "formats").rglob("*.py"):
            tree = ast.parse(path.read_text("utf-8"))
            words |= {node.value for node in nodes_of(tree) if isinstance(node, ast.Constant)}
        assert set(table) - words == set()
        for code, facts in noted("formats").items():
            assert code in table
            assert placeholders(table[code]["en"]) <= facts | {None}, code

    def test_what_a_restore_refuses(self):
        folder = SOURCE / "office" / "administration"
        text = "".join((folder / name).read_text("utf-8") for name in ("backup.py", "backup_restore.py"))
        assert [code for code in catalogue("faults/backup") if f'"{code}"' not in text] == []

    def test_what_a_verification_finds(self):
        said_in = (
            "lists/office_verification.py",
            "live/live_verification.py",
            "record_checks.py",
        )
        paths = [SOURCE / "office" / name for name in said_in]
        paths += sorted((SOURCE / "office" / "transparency").glob("*.py"))
        text = "".join(path.read_text("utf-8") for path in paths)
        assert [code for code in catalogue("faults/book") if f'"{code}"' not in text] == []

    def test_what_the_inbox_says(self):
        """Every code has its sentence with its facts, and every sentence somebody who says it."""
        table = catalogue("faults/inbox")
        texts = [
            path.read_text("utf-8")
            for folder in ("office", "web/inbox", "rulebooks")
            for path in sorted((SOURCE / folder).rglob("*.py"))
        ]
        assert [code for code in table if not any(f'"{code}"' in text for text in texts)] == []
        for code, facts in noted("web/inbox").items():
            assert placeholders(table[code]["en"]) == facts, code

    def test_no_code_stands_in_two_catalogues(self):
        codes = [code for name in FAULTS_OF for code in catalogue(f"faults/{name}")]
        assert len(codes) == len(set(codes))

    def test_a_fault_is_a_line_with_its_address(self):
        whole = fault("a.trf", 0, "", "import-field", option="--speed")
        assert fault_line(whole, "en") == "a.trf: The file does not say it; give it with --speed."
        cell = fault("a.trf", 3, "speed", "import-field", option="--speed")
        assert (
            fault_line(cell, "ja")
            == "a.trf:3: speed: ファイルに書かれていません。--speedで指定してください。"
        )

    @pytest.mark.parametrize("count", [1, 2])
    def test_every_sentence_is_said_with_the_facts_that_faults_have(self, count):
        """They are texts, counts too: a sentence that asks more of them cannot be said."""
        for area in AREAS:
            for code, said in catalogue(area).items() if area.startswith("faults/") else ():
                for lang in LANGUAGES:
                    facts = dict.fromkeys(placeholders(said[lang]), count)
                    assert fault_text(fault("a", 1, "", code, **facts), lang), code

    def test_a_count_is_said_with_its_noun(self):
        one, two = (fault("a", 0, "", "inbox-birth-dates", players=count) for count in (1, 2))
        assert "of 1 member," in fault_text(one, "en")
        assert "of 2 members," in fault_text(two, "en")
        with pytest.raises(ValueError, match="few"):
            fault_text(fault("a", 0, "", "inbox-birth-dates", players="few"), "en")

    def test_an_unknown_code_is_an_error_of_the_program(self):
        with pytest.raises(KeyError):
            fault_line(fault("a", 0, "", "no-such-code"), "en")


class TestLanguage:
    @pytest.mark.parametrize(
        ("wish", "locale", "lang", "found"),
        [
            ("ja", "", "", "ja"),
            ("en", "ja_JP.UTF-8", "ja_JP.UTF-8", "en"),
            ("", "ja_JP.UTF-8", "en_US.UTF-8", "ja"),
            ("", "", "ja_JP.UTF-8", "ja"),
            ("", "C", "ja_JP.UTF-8", "en"),
            ("", "", "C", "en"),
            ("", "", "", "en"),
            ("JA", "", "", "ja"),
            ("fr", "", "", "en"),
        ],
    )
    def test_is_the_readers(self, monkeypatch, wish, locale, lang, found):
        for name, value in {"BANZUKE_LANG": wish, "LC_ALL": locale, "LANG": lang}.items():
            monkeypatch.setenv(name, value)
        assert preferred_language() == found

    def test_facts_with_braces_are_said_as_they_are(self):
        assert say("cli", "calc-number", "en", value="{what}", what="{0}") == "'{what}' is no {0}."

    def test_a_key_that_no_catalogue_has(self):
        with pytest.raises(KeyError):
            say("cli", "no-such-key", "en")


def test_a_fault_that_a_book_found_is_said_in_the_books_own_words(monkeypatch):
    class Words:
        def read_text(self, _encoding):
            return '[sentences.grade]\nen = "No grade {grade}."\nja = "級位{grade}はありません。"\n'

    book = replace(BOOKS["hakodate"], words=Words())
    monkeypatch.setitem(BOOKS._found, "graded", (book, None))
    found = fault("players.csv", 2, "grade", "grade", grade="X")
    assert fault_line(found, "en") == "players.csv:2: grade: No grade X."
    assert fault_line(found, "ja") == "players.csv:2: grade: 級位Xはありません。"
    with pytest.raises(KeyError):
        fault_line(found._replace(code="grades"), "en")
