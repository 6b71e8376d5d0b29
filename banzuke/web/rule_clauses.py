"""Where the rule books of a pool speak of something: their clauses, for forms and pages."""

from banzuke import words
from banzuke.core.registry import BOOKS
from banzuke.core.rulebook import ChessBook, GoBook, RuleBook
from banzuke.database.book_reader import rules_of
from banzuke.database.models import Pool
from banzuke.web.shortcuts import page_language


def clauses_on(pool: Pool, concept: str) -> list[tuple[RuleBook, str]]:
    """The clause on a concept (`newcomer`, `seeds`, ...) of each of the pool's books that has one."""
    books = dict.fromkeys(edition.book for edition in rules_of(pool).editions)
    return [
        (book, book.cites[concept])
        for book in books
        if isinstance(book, ChessBook | GoBook) and concept in book.cites
    ]


def inquiry_clause(pool: Pool, book: str = "") -> str:
    """The clause on inquiries, of that book or (blank) of the pool's newest that has one; blank: none."""
    found = clauses_on(pool, "inquiry")
    return next((clause for one, clause in reversed(found) if book in ("", one.name)), "")


def clause_texts(book: str) -> list[tuple[str, str]]:
    """Every clause of a rule book with what it says in plain words; none of one that is not installed."""
    found = BOOKS.get(book)
    lang = page_language()
    texts = words.book_words(found)["clauses"] if found else {}
    return [(number, texts[number][lang]) for number in (found.register if found else ()) if number in texts]


def in_brackets(pool: Pool, concept: str) -> str:
    """The same as the end of a sentence, in brackets; blank where no book has one."""
    found = ", ".join(clause for _, clause in clauses_on(pool, concept))
    return f" ({found})" if found else ""
