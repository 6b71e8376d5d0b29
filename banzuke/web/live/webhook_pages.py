"""Where a Go pool's feed is posted to: webhooks added, their secret shown once, switched on, removed."""

from typing import Any, NamedTuple

from django import forms
from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.utils.translation import gettext_lazy as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST

from banzuke.database.models import Pool, Webhook
from banzuke.office.live import webhooks
from banzuke.office.live.go_rules import is_live
from banzuke.office.live.rated_games import newest_number
from banzuke.office.refusals import NotDoneError
from banzuke.web import access
from banzuke.web.shortcuts import page_language, pool_page

#: What is posted first: what is rated from now on, or the feed from its beginning.
FROM_NOW, FROM_FIRST = "now", "first"


class WebhookForm(forms.Form):
    """A new webhook."""

    address = forms.CharField(
        label=_("Address"),
        max_length=2_000,
        help_text=_("https; http only for a program on the office's own machine."),
        widget=forms.TextInput(attrs={"inputmode": "url", "autocomplete": "off", "spellcheck": "false"}),
    )
    begins = forms.ChoiceField(
        label=_("Begin with"),
        choices=[
            (FROM_NOW, _("what is rated from now on")),
            (FROM_FIRST, _("the first game of the pool")),
        ],
        initial=FROM_NOW,
        widget=forms.RadioSelect,
    )


class WebhookRow(NamedTuple):
    """A webhook, and why the last attempt failed (blank: it did not)."""

    webhook: Webhook
    failure: str


@access.administrator
@never_cache
def show(request: HttpRequest, pool: Pool) -> HttpResponse:
    """The pool's webhooks; a new one, whose secret is shown this once."""
    if not is_live(pool):
        raise Http404
    form, made = WebhookForm(request.POST or None), None
    if request.method == "POST" and form.is_valid():
        made = _add(request, pool, form)
        form = WebhookForm() if made else form
    lang = page_language()
    known = Webhook.objects.filter(pool=pool).order_by("pk")
    context: dict[str, Any] = {
        "form": form,
        "made": made,
        "rows": [WebhookRow(each, webhooks.failure_sentence(each, lang)) for each in known],
        "newest": newest_number(pool),
        "days": webhooks.OFF_AFTER.days,
    }
    return pool_page(request, "live/webhooks.html", pool, **context)


def _add(request: HttpRequest, pool: Pool, form: WebhookForm) -> webhooks.NewWebhook | None:
    values = form.cleaned_data
    after = 0 if values["begins"] == FROM_FIRST else None
    try:
        return webhooks.add_webhook(pool, values["address"], after, access.actor(request))
    except NotDoneError as refusal:
        form.add_error("address", refusal.sentence(page_language()))
        return None


@access.administrator
@require_POST
def switch_on(request: HttpRequest, pool: Pool, number: int) -> HttpResponse:
    """Try again at once, and go on where it ended."""
    webhooks.switch_on(get_object_or_404(Webhook, pk=number, pool=pool), access.actor(request))
    messages.success(request, _("It is tried again now."))
    return redirect("live-webhooks", slug=pool.slug)


@access.administrator
@require_POST
def remove(request: HttpRequest, pool: Pool, number: int) -> HttpResponse:
    """Nothing is posted there any more."""
    webhooks.remove_webhook(get_object_or_404(Webhook, pk=number, pool=pool), access.actor(request))
    messages.success(request, _("The webhook is removed."))
    return redirect("live-webhooks", slug=pool.slug)
