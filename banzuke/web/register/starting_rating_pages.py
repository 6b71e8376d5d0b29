"""Starting ratings: those that stand, entered one by one or as a table whose changes are shown first."""

from collections.abc import Iterable
from typing import Any

from django import forms
from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_POST

from banzuke.core.fault import Fault, RefusedError
from banzuke.core.rulebook import RuleBook
from banzuke.database.book_reader import last_entry, rules_of
from banzuke.database.models import Pool
from banzuke.explanations.explanation import SentenceWriter
from banzuke.formats.files.text import whole_number
from banzuke.ledger.csv_table import read_rows
from banzuke.ledger.records import Rows
from banzuke.ledger.schema import Table
from banzuke.office.administration import uploads
from banzuke.office.page_words import page_text
from banzuke.office.public_names import names_in_register
from banzuke.office.refusals import NoFileError, NotDoneError, OutdatedError
from banzuke.office.register import member_import, starting_ratings
from banzuke.office.search.look_ups import LookUpKind
from banzuke.web import access
from banzuke.web.form_fields import check_written
from banzuke.web.look_ups import LookUpField, give_pool
from banzuke.web.register.member_forms import SPEEDS, SendForm, text
from banzuke.web.register.register_upload_pages import MOST_SHOWN
from banzuke.web.shortcuts import page_language, page_of, pool_page, show_refusal

LABELS = {
    "player_id": _("Player's id"),
    "speed": _("Kind of rating"),
    "rating": _("Rating"),
    "games": _("Number of games"),
    "peak": _("Peak"),
    "earned": _("First rating earned by games"),
    "rank": _("Rank"),
    "points": _("Points towards the next rank"),
    "rated_games": _("Rated games"),
    "wins_in_bc": _("Wins in the beginners' class"),
}


def columns_asked(pool: Pool) -> list[tuple[str, Any, str]]:
    """The columns of a table of starting ratings: heading, label, and what it decides by the rule book."""
    book, table = rules_of(pool).editions[0].book, starting_ratings.table_of(pool)
    return [
        (name, LABELS[name], _what_it_decides(book, name)) for name in table.columns if _is_asked(book, name)
    ]


def _is_asked(book: RuleBook, column: str) -> bool:
    if column == "speed":
        return book.speeds != ("",)
    return column == "player_id" or book.opening_fields is None or column in book.opening_fields


def _what_it_decides(book: RuleBook, column: str) -> str:
    if column == "speed":
        return ", ".join(book.speeds)
    found = (book.opening_fields or {}).get(column)
    if found is None:
        return ""
    sentence = SentenceWriter(book, page_language()).sentence(found)
    return f"{sentence.text} [{sentence.clause}]" if sentence.clause else sentence.text


def _field(book: RuleBook, table: Table, name: str, label: Any, help_text: str) -> forms.Field:
    if name == "speed":
        return forms.ChoiceField(label=label, choices=[(one, SPEEDS[one]) for one in book.speeds])
    if name == "earned":
        return forms.BooleanField(label=label, required=False, help_text=help_text)
    if name == "player_id":
        return LookUpField(
            LookUpKind.MEMBER, label=_("Player"), validators=[check_written], help_text=help_text
        )
    field = text(label, required=name in table.required, help_text=help_text)
    field.widget = forms.NumberInput() if table.columns[name].is_whole else forms.TextInput()
    return field


class OpeningForm(forms.Form):
    """One starting rating."""

    def __init__(self, pool: Pool, *args: Any, **words: Any) -> None:
        super().__init__(*args, **words)
        self._table, book = starting_ratings.table_of(pool), rules_of(pool).editions[0].book
        for name, label, help_text in columns_asked(pool):
            self.fields[name] = _field(book, self._table, name, label, help_text)
        give_pool(self, pool)

    def rows(self) -> Rows:
        """The rating as the ledger has it. Raises RefusedError."""
        values = {name: str(int(v)) if isinstance(v, bool) else v for name, v in self.cleaned_data.items()}
        rows, faults = Rows(""), list[Fault]()
        read_rows(rows, list(values), [(1, list(values.values()))], self._table, faults)
        if faults:
            raise RefusedError(faults)
        return rows

    def refuse(self, refused: RefusedError) -> None:
        """Say what is wrong beside the fields."""
        for found in refused.faults:
            known = found.column if found.column in self.fields else None
            self.add_error(known, page_text(found, page_language()))


class OpeningTableForm(SendForm):
    """Starting ratings as a table."""

    def __init__(self, *args: Any, **words: Any) -> None:
        super().__init__(*args, **words)
        self.fields["file"].label = _("Table of starting ratings")
        self.fields["file"].help_text = _("CSV or XLSX, a row a player and kind of rating, with headings.")


@access.officer
def openings(request: HttpRequest, pool: Pool) -> HttpResponse:
    """The starting ratings that stand; entering one."""
    form = OpeningForm(pool, request.POST or None)
    if request.method == "POST" and form.is_valid() and _enter(request, pool, form):
        return redirect("register-openings", slug=pool.slug)
    found = page_of(request, starting_ratings.openings(pool))
    columns = [name for name in starting_ratings.table_of(pool).columns if name in form.fields]
    context = {
        "form": form,
        "table_form": OpeningTableForm(),
        "page": found,
        "published": starting_ratings.first_published(pool),
        "columns_asked": columns_asked(pool),
        "columns": [LABELS[name] for name in columns[1:]],
        "is_go": starting_ratings.is_go(pool),
        "rows": _with_names(pool, [(row, _cells(row, columns[1:])) for row in found.object_list]),
    }
    return pool_page(request, "register/openings.html", pool, **context, here="openings")


def _enter(request: HttpRequest, pool: Pool, form: OpeningForm) -> bool:
    try:
        done = starting_ratings.enter(pool, form.rows(), access.actor(request))
    except RefusedError as refused:
        form.refuse(refused)
    except NotDoneError as refused:
        form.add_error(None, refused.sentence(page_language()))
    else:
        message = _("Nothing was different, so nothing was saved.")
        messages.success(request, message if done.is_empty else _("The starting rating was saved."))
    return form.is_valid()


def _cells(row: Any, columns: Iterable[str]) -> list[Any]:
    return [_cell_text(name, getattr(row, name)) for name in columns]


def _cell_text(column: str, value: Any) -> Any:
    """A cell in words, where it is no number."""
    if column == "speed":
        return SPEEDS[value]
    if isinstance(value, bool):
        return _("yes") if value else _("no")
    return value


def _with_names(pool: Pool, rows: list[tuple[Any, Any]]) -> list[tuple[Any, str, Any]]:
    """Rows with their players' names."""
    known = names_in_register(pool, {row.player_id for row, _ in rows})
    return [(row, known[row.player_id].called(page_language()), rest) for row, rest in rows]


@access.officer
@require_POST
def take_back(request: HttpRequest, pool: Pool, number: int) -> HttpResponse:
    """Take a starting rating back."""
    with show_refusal(request):
        starting_ratings.take_back(pool, number, access.actor(request))
        messages.success(request, _("The starting rating was removed."))
    return redirect("register-openings", slug=pool.slug)


@access.officer
@require_POST
@access.takes_files(member_import.MOST_BYTES >> 20)
def send(request: HttpRequest, pool: Pool) -> HttpResponse:
    """Keep a table until it was looked at; nothing is written yet."""
    form = OpeningTableForm(request.POST, request.FILES)
    if not form.is_valid():
        for message in form.errors.get("file", []):
            messages.error(request, str(message))
        return redirect("register-openings", slug=pool.slug)
    given = form.cleaned_data["file"]
    word = uploads.keep(given.name, given.chunks())
    return redirect("register-openings-sent", slug=pool.slug, word=word)


@access.officer
def review(request: HttpRequest, pool: Pool, word: str) -> HttpResponse:
    """What a table would change; taking it over."""
    context: dict[str, Any] = {"here": "openings", "is_go": starting_ratings.is_go(pool)}
    try:
        path = uploads.find(word)
        rows = starting_ratings.read_table(pool, path.read_bytes(), path.name)
        if request.method == "POST":
            return _take_over(request, pool, word, rows)
        context |= _preview(pool, starting_ratings.plan(pool, rows))
    except NoFileError:
        raise Http404 from None
    except RefusedError as refused:
        context |= {"faults": refused.faults}
    return pool_page(request, "register/openings_sent.html", pool, **context)


def _preview(pool: Pool, plan: starting_ratings.Plan) -> dict[str, Any]:
    table = starting_ratings.table_of(pool)
    columns = [name for name in table.columns if name != "player_id"]
    changed = [(new, (_cells(row, columns), _cells(new, columns))) for row, new in plan.changed[:MOST_SHOWN]]
    return {
        "plan": plan,
        "position": last_entry(pool),
        "columns": [LABELS[name] for name in columns],
        "added": _with_names(pool, [(new, _cells(new, columns)) for new in plan.added[:MOST_SHOWN]]),
        "changed": _with_names(pool, changed),
    }


def _take_over(request: HttpRequest, pool: Pool, word: str, rows: Rows) -> HttpResponse:
    position = whole_number(request.POST.get("position", "")) or 0
    try:
        done = starting_ratings.enter(pool, rows, access.actor(request), position)
    except OutdatedError as refused:
        messages.error(request, refused.sentence(page_language()))
        return redirect("register-openings-sent", slug=pool.slug, word=word)
    except NotDoneError as refused:
        messages.error(request, refused.sentence(page_language()))
    else:
        uploads.drop(word)
        message = {"new": len(done.added), "changed": len(done.changed)}
        messages.success(request, _("Imported: %(new)s new starting ratings, %(changed)s changed.") % message)
    return redirect("register-openings", slug=pool.slug)
