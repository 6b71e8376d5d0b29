"""Where the rule books of a pool speak of something: their clauses, for forms and pages."""

from banzuke.core.rulebook import ChessBook, GoBook, RuleBook
from banzuke.database.book_reader import rules_of
from banzuke.database.models import Pool


def clauses_on(pool: Pool, concept: str) -> list[tuple[RuleBook, str]]:
    """The clause on a concept (`newcomer`, `seeds`, ...) of each of the pool's books that has one."""
    books = dict.fromkeys(edition.book for edition in rules_of(pool).editions)
    return [
        (book, book.cites[concept])
        for book in books
        if isinstance(book, ChessBook | GoBook) and concept in book.cites
    ]


def in_brackets(pool: Pool, concept: str) -> str:
    """The same as the end of a sentence, in brackets; blank where no book has one."""
    found = ", ".join(clause for _, clause in clauses_on(pool, concept))
    return f" ({found})" if found else ""
