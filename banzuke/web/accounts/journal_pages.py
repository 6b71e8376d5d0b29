"""The journal, to read and to take along; it cannot be changed."""

import json
from operator import itemgetter
from typing import Any

from django import forms
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext_lazy as _

from banzuke.database.models import JournalEntry, Pool
from banzuke.office import table_files
from banzuke.office.journal import note
from banzuke.office.table_files import Table
from banzuke.web import access
from banzuke.web.accounts.journal_facts import JournalFacts
from banzuke.web.accounts.undo_links import undo_link
from banzuke.web.downloads import CSV, as_file
from banzuke.web.shortcuts import page_language, page_of
from banzuke.words import act_text

COLUMNS = ("at", "who", "where", "pool", "act", "what")


class JournalFilter(forms.Form):
    """Which acts: of a pool, of a kind, of somebody."""

    pool = forms.ModelChoiceField(
        Pool.objects.order_by("slug"),
        label=_("Pool"),
        required=False,
        to_field_name="slug",
        empty_label=_("all pools"),
    )
    act = forms.ChoiceField(label=_("Action"), required=False)
    who = forms.CharField(label=_("Who"), required=False)

    def __init__(self, *args: Any, **words: Any) -> None:
        super().__init__(*args, **words)
        known = JournalEntry.objects.order_by("act").values_list("act", flat=True).distinct()
        acts = sorted(((act, act_text(act, page_language())) for act in known), key=itemgetter(1))
        self.fields["act"].choices = [("", _("all actions")), *acts]  # type: ignore[attr-defined]

    def found(self) -> QuerySet[JournalEntry]:
        """The acts that fit, the newest first; none if the filter is not understood."""
        if not self.is_valid():
            return JournalEntry.objects.none()
        wanted = {name: value for name, value in self.cleaned_data.items() if value}
        return JournalEntry.objects.filter(**wanted).order_by("-pk")


@access.administrator
def journal(request: HttpRequest) -> HttpResponse:
    """The acts in the office, newest first."""
    wanted = JournalFilter(request.GET)
    page = page_of(request, wanted.found().prefetch_related("pool"))
    facts = JournalFacts(page)
    rows = [(entry, facts.who(entry), facts.of(entry), undo_link(entry)) for entry in page]
    return render(request, "accounts/journal.html", {"form": wanted, "page": page, "rows": rows})


@access.administrator
def as_csv(request: HttpRequest) -> HttpResponse:
    """The same acts as a table for spreadsheets, without formulas."""
    rows = [_cells(entry) for entry in JournalFilter(request.GET).found().select_related("pool").iterator()]
    note(access.actor(request), "journal-exported")
    return as_file(table_files.write(Table("journal", COLUMNS, rows), table_files.CSV), "journal.csv", CSV)


def _cells(entry: JournalEntry) -> list[str]:
    what = json.dumps(entry.what, ensure_ascii=False, sort_keys=True)
    pool = entry.pool.slug if entry.pool else ""
    return [entry.at.isoformat(), entry.who, entry.where, pool, entry.act, what]
