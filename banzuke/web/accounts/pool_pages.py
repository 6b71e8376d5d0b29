"""Making pools, and the rules by which one is rated."""

from django.contrib import messages
from django.forms import Form
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _

from banzuke.core.fault import RefusedError
from banzuke.database.book_reader import rules_of
from banzuke.database.models import Pool, Role
from banzuke.office.administration import pools
from banzuke.web import access
from banzuke.web.accounts.pool_forms import NewPoolForm, RulesForms
from banzuke.web.page_language import page_language
from banzuke.words import fault_line


@access.administrator
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
        return pools.open_pool(values["slug"], values["name"], form.edition(), access.actor(request))
    except RefusedError as refused:
        _refuse(form, refused)
    except pools.TakenError:
        form.add_error("slug", _("This name is already used."))
    return None


@access.officer
def rules(request: HttpRequest, pool: Pool) -> HttpResponse:
    """The editions in force with their settings; a chief officer changes them."""
    standing = rules_of(pool)
    may = access.has_role(request, Role.Kind.CHIEF, pool)
    forms = RulesForms(request, standing.name, pools.editions(pool))
    if request.method == "POST":
        access.require(request, Role.Kind.CHIEF, pool)
        if forms.is_valid() and _change_rules(request, pool, forms):
            return redirect("accounts-pool-settings", slug=pool.slug)
    page = {"pool": pool, "rules": standing, "forms": forms, "may": may}
    return render(request, "accounts/pool_rules.html", page)


def _change_rules(request: HttpRequest, pool: Pool, forms: RulesForms) -> bool:
    values = forms.about.cleaned_data
    try:
        pools.change_rules(
            pool, values["name"], forms.wanted(), access.actor(request), values["why"], forms.zones()
        )
    except RefusedError as refused:
        _refuse(forms.about, refused)
        return False
    messages.success(request, _("The rules of the pool are changed."))
    return True


def _refuse(form: Form, refused: RefusedError) -> None:
    for fault in refused.faults:
        form.add_error(None, fault_line(fault, page_language()))
