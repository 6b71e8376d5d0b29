"""Who may what: those who qualify, seeds of a qualifier, a start list."""

from collections.abc import Collection
from typing import Any

from django import forms
from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_POST

from banzuke.core.fault import RefusedError
from banzuke.core.rulebook import ChessBook
from banzuke.database.book_reader import rules_of
from banzuke.database.models import Pool, RatingList, Seed
from banzuke.office import table_files
from banzuke.office.lists.list_index import current_lists
from banzuke.office.pages.event_lists import note_event_names
from banzuke.office.public_names import by_id_only
from banzuke.office.refusals import UnknownEventError
from banzuke.office.register import members, qualification
from banzuke.office.register.qualification import EntrantChoice, StartListOptions
from banzuke.office.search import look_ups
from banzuke.office.search.found_players import find_players
from banzuke.office.search.search_index import find_unindexed
from banzuke.web import access
from banzuke.web.downloads import TABLES, as_file
from banzuke.web.form_fields import check_written
from banzuke.web.look_ups import LookUpField, give_pool
from banzuke.web.register.event_application_pages import application_named
from banzuke.web.register.member_forms import SPEEDS, text
from banzuke.web.shortcuts import found_or_404, page_language, pool_page
from banzuke.web.templatetags.ratings import list_name
from banzuke.words import catalogue

SEEDS = {
    Seed.Kind.NATIONAL: _("national seed"),
    Seed.Kind.LOCAL: _("national seed of the local places"),
}

#: So many members with names like an unknown entrant's are shown.
NEAR = 3
#: Where a session keeps the federation that was chosen last.
FEDERATION = "federation"


class SeedForm(forms.Form):
    """Somebody seeded past an event that qualifies."""

    event_id = LookUpField(look_ups.LookUpKind.EVENT, label=_("Event"), validators=[check_written])
    player_id = LookUpField(look_ups.LookUpKind.MEMBER, label=_("Member"), validators=[check_written])
    kind = forms.ChoiceField(label=_("Seed"), choices=list(SEEDS.items()))

    def __init__(self, pool: Pool, *args: Any, **words: Any) -> None:
        super().__init__(*args, **words)
        give_pool(self, pool)


def federation_field() -> forms.ChoiceField:
    """A federation by its name."""
    return forms.ChoiceField(label=_("Federation"), choices=_federations)


def _federations() -> list[tuple[str, str]]:
    """The federations of FIDE with their codes, by their names in the page's language."""
    lang = page_language()
    named = sorted((said[lang], code) for code, said in catalogue("federations").items())
    return [("", "–"), *((code, f"{name} ({code})") for name, code in named)]


def _likely_federation(pool: Pool) -> str:
    """The federation whose players the pool's rule book rates; else Japan's for who reads Japanese."""
    book = rules_of(pool).editions[-1].book
    return (isinstance(book, ChessBook) and book.federation) or ("JPN" if page_language() == "ja" else "")


class StartListForm(forms.Form):
    """Entrants, a line each; and what the list is for."""

    entrants = forms.CharField(
        label=_("Entrants"),
        widget=forms.Textarea({"rows": 12}),
        max_length=100_000,
        help_text=_("One id or name per line, in Latin letters or kanji."),
    )
    name = text(_("Name of the event"))
    speed = forms.ChoiceField(label=_("Ratings"), required=False)
    listed = forms.ChoiceField(label=_("From list"), required=False)
    federation = federation_field()

    def __init__(self, pool: Pool, *args: Any, is_officer: bool = True, **words: Any) -> None:
        super().__init__(*args, **words)
        self._pool = pool
        self._is_officer = is_officer
        self.fields["federation"].initial = _likely_federation(pool)
        speeds = rules_of(pool).speeds
        self.fields["speed"].choices = [(speed, SPEEDS[speed]) for speed in speeds]  # type: ignore[attr-defined]
        self._lists = {each.name: each for each in current_lists(pool)}
        note_event_names(self._lists.values())
        named = [(name, list_name(each)) for name, each in self._lists.items()]
        self.fields["listed"].choices = named or [("", "–")]  # type: ignore[attr-defined]

    def chosen(self, meant: Collection[str]) -> EntrantChoice:
        """Whom the lines mean."""
        values = self.cleaned_data
        lines = values["entrants"].splitlines()
        hidden = frozenset[str]() if self._is_officer else by_id_only(self._pool)
        listed = self._lists.get(values["listed"])
        return qualification.choose_entrants(
            self._pool, lines, listed, values["speed"], meant, hidden=hidden, find_near=self._near
        )

    def _near(self, line: str) -> list[str]:
        """The members whose names begin so, or are like a line."""
        found = find_players(self._pool, line, NEAR, find_unindexed(self._pool).players)
        return [one.person.player_id for one in (*found.exact, *found.near)[:NEAR]]

    def wanted(self) -> StartListOptions:
        """What the list is written for."""
        values = self.cleaned_data
        options = StartListOptions(values["name"], values["speed"], values["federation"])
        return options._replace(birth_dates=self._is_officer)


class EventFileForm(forms.Form):
    """An event that is taken out for FIDE."""

    event_id = LookUpField(look_ups.LookUpKind.EVENT, label=_("Event"), validators=[check_written])
    federation = federation_field()

    def __init__(self, pool: Pool, *args: Any, **words: Any) -> None:
        super().__init__(*args, **words)
        give_pool(self, pool)
        self.fields["federation"].initial = _likely_federation(pool)


@access.chess_officer
def qualified(request: HttpRequest, pool: Pool) -> HttpResponse:
    """Those whose rating may be used for qualification."""
    lists = list(current_lists(pool))
    wanted = request.GET.get("list")
    listed = next((each for each in lists if wanted in (None, each.name)), None)
    rows = [] if listed is None else list(qualification.qualified_players(listed))
    kind = request.GET.get("format")
    if kind in TABLES and listed is not None:
        return _table_file(_qualified_table(listed, rows), f"qualified-{listed.name}", kind)
    note_event_names(lists[:12])
    context = {"lists": lists[:12], "listed": listed, "rows": rows, "here": "qualified"}
    return pool_page(request, "register/qualified.html", pool, **context)


def _qualified_table(listed: RatingList, rows: list[Any]) -> table_files.Table:
    headings = (
        gettext("Place"),
        gettext("Id"),
        gettext("Name"),
        gettext("Name in kanji"),
        gettext("Rating"),
        gettext("Games"),
    )
    cells = [(r.place, r.player_id, r.name, r.name_native, r.rating, r.games) for r in rows]
    return table_files.Table(
        gettext("Qualified players, list %(list)s") % {"list": list_name(listed)}, headings, cells
    )


def _table_file(table: table_files.Table, name: str, kind: str) -> HttpResponse:
    return as_file(table_files.write(table, kind), f"{name}.{kind}", TABLES[kind])


@access.chess_officer
def seeds(request: HttpRequest, pool: Pool) -> HttpResponse:
    """The events that qualify, of which seeds were reported; and reporting one."""
    form = SeedForm(pool, request.POST or None)
    if request.method == "POST" and form.is_valid() and _note_seed(request, pool, form):
        messages.success(request, _("The seed was recorded."))
        return redirect("register-seeds-of", slug=pool.slug, event_id=form.cleaned_data["event_id"])
    events = [
        (event_id, qualification.event_name(pool, event_id), qualification.seeds(pool, event_id))
        for event_id in qualification.seeded_events(pool)
    ]
    return pool_page(request, "register/seeds.html", pool, events=events, form=form, here="seeds")


def _note_seed(request: HttpRequest, pool: Pool, form: SeedForm) -> bool:
    values = form.cleaned_data
    kind = Seed.Kind(values["kind"])
    try:
        qualification.note_seed(pool, values["event_id"], values["player_id"], kind, access.actor(request))
    except members.UnknownMemberError:
        form.add_error("player_id", _("Nobody in the register has this id."))
    except UnknownEventError as refused:
        form.add_error("event_id", refused.sentence(page_language()))
    return form.is_valid()


@access.chess_officer
def seeds_of(request: HttpRequest, pool: Pool, event_id: str) -> HttpResponse:
    """Who is seeded past an event."""
    name = found_or_404(qualification.event_name(pool, event_id))
    found, kind = qualification.seeds(pool, event_id), request.GET.get("format")
    rows = [(seed, SEEDS[Seed.Kind(seed.kind)]) for seed in found]
    if kind in TABLES:
        cells = [(seed.player_id, seed.name, seed.name_native, str(values)) for seed, values in rows]
        headings = (gettext("Id"), gettext("Name"), gettext("Name in kanji"), gettext("Seed"))
        title = gettext("Seeds of %(event)s") % {"event": name}
        return _table_file(table_files.Table(title, headings, cells), "seeds", kind)
    form = SeedForm(pool, initial={"event_id": event_id})
    context = {"event_id": event_id, "name": name, "rows": rows, "form": form, "here": "seeds"}
    return pool_page(request, "register/seeds_of.html", pool, **context)


@access.chess_officer
@require_POST
def unseed(request: HttpRequest, pool: Pool, event_id: str) -> HttpResponse:
    """Take a seed back."""
    try:
        qualification.note_seed(
            pool, event_id, request.POST.get("player_id", ""), None, access.actor(request)
        )
    except UnknownEventError:
        raise Http404 from None
    messages.success(request, _("The seed was removed."))
    return redirect("register-seeds-of", slug=pool.slug, event_id=event_id)


@access.reporter
@access.of_chess
def starts(request: HttpRequest, pool: Pool) -> HttpResponse:
    """Choose entrants by ids and names, see them with their ratings, take the list for a pairing program.

    A club gets no birth dates, and members who are shown by id only without their names. The federation that
    was chosen once is proposed the next time.
    """
    event, is_officer = application_named(request, pool), access.clubs_of(request, pool) is None
    initial = {"name": event.name, "speed": event.speed} if event else {}
    if known := request.session.get(FEDERATION):
        initial["federation"] = known
    form = StartListForm(pool, request.POST or None, is_officer=is_officer, initial=initial)
    context: dict[str, Any] = {"form": form, "here": "starts", "is_officer": is_officer}
    if request.method == "POST" and form.is_valid():
        request.session[FEDERATION] = form.cleaned_data["federation"]
        chosen = form.chosen(request.POST.getlist("meant"))
        is_sure, kind = not (chosen.doubtful or chosen.unknown), request.POST.get("format")
        if kind in qualification.START_LISTS and is_sure and chosen.entrants:
            try:
                data = qualification.write_start_list(
                    pool, chosen.entrants, form.wanted(), kind, access.actor(request)
                )
            except RefusedError as refused:
                context["faults"] = refused.faults
            else:
                return as_file(data, qualification.START_LISTS[kind])
        context |= {"form": _form_again(pool, form, chosen), "chosen": chosen, "is_sure": is_sure}
    return pool_page(request, "register/start_list.html", pool, **context)


def _form_again(pool: Pool, form: StartListForm, chosen: qualification.EntrantChoice) -> StartListForm:
    """The form with the ids of those who were found."""
    found = [entrant.row.player_id for entrant in chosen.entrants]
    lines = [*found, *(line for line, _rows in chosen.doubtful), *chosen.unknown]
    return StartListForm(pool, initial=form.cleaned_data | {"entrants": "\n".join(lines)})
