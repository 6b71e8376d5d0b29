"""Making pools, and the rules by which one is rated: the forms, and their pages."""

from collections.abc import Sequence
from dataclasses import fields
from typing import Any

from django import forms
from django.contrib import messages
from django.forms import Form
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from banzuke.core.fault import RefusedError
from banzuke.core.registry import BOOKS
from banzuke.core.rulebook import GoBook, RuleBook
from banzuke.database.book_reader import rules_of
from banzuke.database.models import Pool, Role
from banzuke.explanations import rule_pages
from banzuke.ledger.pool_rules import FILE
from banzuke.ledger.pool_rules import Pool as Rules
from banzuke.office.administration import pools
from banzuke.office.administration.pools import Edition, TakenError, check_free
from banzuke.office.jobs.pool_size import is_small
from banzuke.office.refusals import NotDoneError, RulesChangedError, refuse_outdated
from banzuke.web import access
from banzuke.web.board import jobs
from banzuke.web.form_fields import day_field, native_name
from banzuke.web.shortcuts import page_language, pool_page
from banzuke.words import Language, fault_line

#: A border-zone table has so many bytes at most: it is read where pages are served, the worst in 0.2 s.
MOST_ZONE = 20_000
#: What a form sends for a setting that holds.
ON = "on"
#: A zipped ledger has so many MiB at most.
MOST_LEDGER_MIB = 100


def books(series: str | None = None) -> list[tuple[str, str]]:
    """The rule books to choose from: those of a series (None: all)."""
    lang = page_language()
    return [
        (name, f"{name}: {rule_pages.title(book, lang)}")
        for name, book in BOOKS.items()
        if series in (None, book.series)
    ]


def _small_enough(given: Any) -> None:
    """A border-zone table is a small file; raises ValidationError for a larger one."""
    if (given.size or 0) > MOST_ZONE:
        raise forms.ValidationError(_("This file is too large for a border-zone table."))


class NewPoolForm(forms.Form):
    """A new pool's word, and either its name and first edition or a zipped ledger."""

    slug = forms.SlugField(
        label=_("Name in web addresses"),
        help_text=_("Latin letters, digits and hyphens, such as “japan”. It is part of every address."),
    )
    name = forms.CharField(label=_("Name of the pool"), required=False, max_length=200)
    name_native = native_name()
    rulebook = forms.ChoiceField(label=_("Rule book"), required=False)
    start = day_field(
        _("In force from"), required=False, help_text=_("A day before the first event to be rated.")
    )
    ledger = forms.FileField(label=_("Ledger folder as a zip file"), required=False)

    def __init__(self, *args: Any, **words: Any) -> None:
        super().__init__(*args, **words)
        self.fields["rulebook"].choices = books()  # type: ignore[attr-defined]

    def clean_slug(self) -> str:
        """A word that is free."""
        slug: str = self.cleaned_data["slug"]
        try:
            check_free(slug)
        except TakenError:
            raise forms.ValidationError(_("This name is already used.")) from None
        return slug

    def clean(self) -> None:
        """Without a ledger, the rest is needed."""
        values = self.cleaned_data
        for name in ("name", "rulebook", "start"):
            if not values.get("ledger") and not values.get(name) and name not in self.errors:
                self.add_error(name, self.fields[name].error_messages["required"])

    def edition(self) -> Edition:
        """The first edition."""
        return Edition(self.cleaned_data["rulebook"], self.cleaned_data["start"], {})


class RulesForm(forms.Form):
    """The pool's name, and the reason for the change."""

    name = forms.CharField(label=_("Name of the pool"), max_length=200)
    name_native = native_name()
    why = forms.CharField(
        label=_("Reason for the change"), help_text=_("It is recorded in the ledger and the journal.")
    )


class NewEditionForm(forms.Form):
    """One more edition, or none; books of one series may follow one another."""

    rulebook = forms.ChoiceField(label=_("Rule book"), required=False)
    start = day_field(_("In force from"), required=False)

    def __init__(self, *args: Any, series: str, **words: Any) -> None:
        super().__init__(*args, **words)
        self.fields["rulebook"].choices = [("", "—"), *books(series)]  # type: ignore[attr-defined]

    def clean(self) -> None:
        """Book and day come together."""
        values = self.cleaned_data
        if bool(values.get("rulebook")) != bool(values.get("start")) and not self.errors:
            self.add_error("start", _("An edition needs its rule book and its first day."))


def _initial(value: bool | int | str) -> int | str:
    return (ON if value else "") if isinstance(value, bool) else value


class EditionForm(forms.Form):
    """An edition that stands: its first day, its settings, or taking it out."""

    start = day_field(_("In force from"))
    stands_in = forms.CharField(
        label=_("In place of"), required=False, help_text=_("An edition whose text is not available.")
    )
    border_zone = forms.FileField(
        label=_("Border-zone table (TOML)"), required=False, validators=[_small_enough]
    )
    remove = forms.BooleanField(label=_("Remove this edition"), required=False)

    def __init__(self, *args: Any, edition: Edition, **words: Any) -> None:
        settings = {key: _initial(value) for key, value in edition.settings.items()}
        words["initial"] = edition._asdict() | settings
        super().__init__(*args, **words)
        self.edition, self.book, lang = edition, BOOKS[edition.rulebook], page_language()
        self.title = rule_pages.title(self.book, lang)
        if not isinstance(self.book, GoBook):
            del self.fields["border_zone"]
        choices = {each.name: each.metadata.get("choices", ()) for each in fields(self.book.settings)}
        for key, value in edition.settings.items():
            self.fields[key] = _setting(self.book, key, value, choices.get(key, ()), lang)

    @property
    def zone_name(self) -> str:
        """The file's name of a new border-zone table."""
        return f"border-zone-{self.cleaned_data['start']}.toml"

    @property
    def statements(self) -> list[tuple[str, str]]:
        """What the edition's settings are about, and what they do."""
        lang = page_language()
        return [
            (
                rule_pages.setting_subject(self.book, key, lang),
                rule_pages.setting_statement(self.book, key, value, lang),
            )
            for key, value in self.edition.settings.items()
        ]

    def wanted(self) -> Edition:
        """The edition as it is to be."""
        values = self.cleaned_data
        zone = self.zone_name if values.get("border_zone") else self.edition.border_zone
        settings = {key: values[key] for key in self.edition.settings}
        return self.edition._replace(
            start=values["start"], settings=settings, stands_in=values["stands_in"], border_zone=zone
        )


def _setting(
    book: RuleBook, key: str, value: bool | int | str, choices: Sequence[int | str], lang: Language
) -> forms.Field:
    """The statements to choose from; a number is entered under what the one in force does."""
    label = rule_pages.setting_subject(book, key, lang)
    if isinstance(value, bool):
        said = [(word, rule_pages.setting_statement(book, key, word == ON, lang)) for word in (ON, "")]
        return forms.TypedChoiceField(
            label=label,
            choices=said,
            coerce=lambda word: word == ON,
            empty_value=False,  # type: ignore[arg-type]  # what is not chosen is False, not a text
            required=False,
            widget=forms.RadioSelect,
        )
    if choices:
        said = [(str(each), rule_pages.setting_statement(book, key, each, lang)) for each in choices]
        return forms.TypedChoiceField(label=label, choices=said, coerce=type(value), widget=forms.RadioSelect)
    return forms.IntegerField(label=label, help_text=rule_pages.setting_statement(book, key, value, lang))


class RulesForms:
    """The whole page of a pool's rules: about the pool, each edition, and one more."""

    def __init__(self, request: HttpRequest, rules: Rules, standing: Sequence[Edition]) -> None:
        data, files = request.POST or None, request.FILES or None
        self.about = RulesForm(data, initial={"name": rules.name, "name_native": rules.name_native})
        self.editions = [
            EditionForm(data, files, edition=edition, prefix=f"edition-{number}")
            for number, edition in enumerate(standing, 1)
        ]
        series = BOOKS[standing[0].rulebook].series
        self.added = NewEditionForm(data, prefix="added", series=series)

    def is_valid(self) -> bool:
        """Whether every part is."""
        parts = (self.about, *self.editions, self.added)
        return len([form for form in parts if form.is_valid()]) == len(parts)

    def wanted(self) -> list[Edition]:
        """The editions as they are to be."""
        kept = [form.wanted() for form in self.editions if not form.cleaned_data["remove"]]
        more = self.added.cleaned_data
        return kept + ([Edition(more["rulebook"], more["start"], {})] if more["rulebook"] else [])

    def zones(self) -> dict[str, str]:
        """New border-zone tables by file name."""
        given = [form for form in self.editions if form.cleaned_data.get("border_zone")]
        return {
            form.zone_name: form.cleaned_data["border_zone"].read().decode("utf-8", "replace")
            for form in given
        }


@access.administrator
@access.takes_files(MOST_LEDGER_MIB)
def new(request: HttpRequest) -> HttpResponse:
    """A new pool: empty with a rule book, or from a ledger's files."""
    form = NewPoolForm(request.POST or None, request.FILES or None)
    if request.method == "POST" and form.is_valid():
        pool = _make_pool(request, form)
        if pool is not None:
            messages.success(request, _("The pool “%(pool)s” is open.") % {"pool": pool.name})
            return redirect("desk")
    return render(request, "accounts/new_pool.html", {"form": form})


def _make_pool(request: HttpRequest, form: NewPoolForm) -> Pool | None:
    """The pool of the form; None, with the reasons on the form, if it cannot be made."""
    values = form.cleaned_data
    try:
        if values["ledger"]:
            return pools.open_from_zip(values["slug"], values["ledger"].read(), access.actor(request))
        names = values["name"], form.edition(), access.actor(request), values["name_native"]
        return pools.open_pool(values["slug"], *names)
    except RefusedError as refused:
        _refuse(form, refused)
    except pools.TakenError:
        form.add_error("slug", _("This name is already used."))
    return None


@access.officer
def rules(request: HttpRequest, pool: Pool) -> HttpResponse:
    """The editions in force with their settings; a chief officer changes them."""
    seen, standing = pools.last_file(pool), rules_of(pool)
    may = access.has_role(request, Role.Kind.CHIEF, pool)
    forms = RulesForms(request, standing, pools.editions(pool))
    if request.method == "POST":
        access.require(request, Role.Kind.CHIEF, pool)
        try:
            refuse_outdated(request.POST.get("seen", ""), str(seen), RulesChangedError)
        except RulesChangedError as refusal:  # the forms of other editions do not fit these
            messages.error(request, refusal.sentence(page_language()))
            return redirect("accounts-pool-settings", slug=pool.slug)
        answer = _change_rules(request, pool, forms, seen) if forms.is_valid() else None
        if answer is not None:
            return answer
    context = {"rules": standing, "forms": forms, "may": may, "has_reforms": not standing.is_go, "seen": seen}
    return pool_page(request, "accounts/pool_rules.html", pool, **context)


def _change_rules(request: HttpRequest, pool: Pool, forms: RulesForms, seen: int) -> HttpResponse | None:
    """What follows on the change; None, with the reasons on the form, if it cannot be made."""
    values = forms.about.cleaned_data
    texts = {FILE: pools.toml_of(values["name"], forms.wanted(), values["name_native"]), **forms.zones()}
    page = reverse("accounts-pool-settings", args=[pool.slug])
    try:
        if pools.is_rated_anew(pool, texts) and not is_small(pool):
            wanted = {"files": texts, "why": values["why"], "seen": seen}
            return jobs.work(request, pool, "rules", wanted, page, page)
        pools.enter_rules(pool, texts, access.actor(request), values["why"], seen)
    except RefusedError as refused:
        _refuse(forms.about, refused)
        return None
    except NotDoneError as refusal:
        forms.about.add_error(None, refusal.sentence(page_language()))
        return None
    messages.success(request, _("The rules of the pool are changed."))
    return redirect(page)


def _refuse(form: Form, refused: RefusedError) -> None:
    for fault in refused.faults:
        form.add_error(None, fault_line(fault, page_language()))
