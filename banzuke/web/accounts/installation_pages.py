"""The installation: its settings, and a backup of the whole office, made by the worker and fetched once."""

from django import forms
from django.contrib import messages
from django.http import FileResponse, HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.timezone import localtime
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_POST

from banzuke.database.models import OfficeSettings
from banzuke.office.administration import backup
from banzuke.office.administration.licences import LICENCES
from banzuke.office.administration.office_settings import change_settings, office_settings
from banzuke.office.jobs import job_queue
from banzuke.office.refusals import NoFileError
from banzuke.web import access
from banzuke.web.downloads import ZIP

#: Ten years: further back than any program's memory.
MOST_HOURS = 87_600


class SettingsForm(forms.ModelForm):  # type: ignore[type-arg]  # Django's takes none at run time
    """What an administrator decides for all pools."""

    class Meta:
        """Every setting there is."""

        model = OfficeSettings
        fields = ("second_factor_required", "contact", "address", "licence", "sends_notices", "late_hours")
        labels = {  # noqa: RUF012
            "second_factor_required": _("Officers need a second factor"),
            "contact": _("Where players write to the office"),
            "address": _("The office's address on invoices"),
            "licence": _("Licence of the published data"),
            "sends_notices": _("Send notices by e-mail"),
            "late_hours": _("How late a Go server may send a game, in hours"),
        }
        help_texts = {  # noqa: RUF012
            "second_factor_required": _(
                "Officers, chief officers and administrators must set up a code from an app before "
                "they can continue."
            ),
            "contact": _(
                "An e-mail address, or the address of a page. Everybody can read it, on the pages of players "
                "and events. Blank: none is shown."
            ),
            "licence": _(
                "What others may do with lists and public ledgers. It stands on the page Data, and in the "
                "files that describe a list."
            ),
            "sends_notices": _("Needs a mail server (environment variable EMAIL_HOST)."),
            "late_hours": _(
                "Games, annulments and declared ranks may be up to this many hours older than the pool's "
                "newest game. Older ones are refused (error 409); an officer can still accept such a game "
                "in the inbox. Blank: no limit."
            ),
        }
        widgets = {  # noqa: RUF012
            "address": forms.Textarea({"rows": 4}),
            "licence": forms.Select(
                choices=[("", _("none given")), *((each.spdx, each.name) for each in LICENCES)]
            ),
            "late_hours": forms.NumberInput({"max": MOST_HOURS}),
        }

    def clean_licence(self) -> str:
        """One of those that there are, or none."""
        licence: str = self.cleaned_data["licence"]
        if licence and licence not in {each.spdx for each in LICENCES}:
            raise forms.ValidationError(_("There is no such licence here."))
        return licence

    def clean_late_hours(self) -> int | None:
        """As many hours as there is a use for."""
        hours: int | None = self.cleaned_data["late_hours"]
        if hours is not None and hours > MOST_HOURS:
            text = _("At most %(hours)s hours; leave it blank where any are allowed.")
            raise forms.ValidationError(text % {"hours": MOST_HOURS})
        return hours


@access.administrator
def settings_page(request: HttpRequest) -> HttpResponse:
    """The settings, to read and to change."""
    form = SettingsForm(request.POST or None, instance=office_settings())
    if request.method == "POST" and form.is_valid():
        change_settings(form.save(commit=False), access.actor(request))
        messages.success(request, _("The settings are changed."))
        return redirect("accounts-settings")
    return render(request, "accounts/settings.html", {"form": form})


@access.administrator
def backups(request: HttpRequest) -> HttpResponseBase:
    """Ask for a backup, and fetch it when it is made."""
    actor = access.actor(request)
    if request.method == "POST":
        name = f"banzuke-{localtime():%Y%m%d-%H%M}.zip"
        job = job_queue.start(backup.JOB, None, {"name": name, "next": reverse("accounts-backup")}, actor)
        return redirect("board-job", number=job.pk)
    return render(request, "accounts/backup.html", {"job": backup.waiting_backup(actor)})


@access.administrator
@require_POST
def fetch(request: HttpRequest) -> HttpResponseBase:
    """The backup that waits for whoever asked for it; it is fetched once."""
    try:
        stream, name = backup.fetch_backup(access.actor(request))
    except NoFileError:
        messages.error(
            request, _("The backup is no longer here: each is downloaded once, within a day. Make a new one.")
        )
        return redirect("accounts-backup")
    answer = FileResponse(stream, as_attachment=True, filename=name, content_type=ZIP)
    answer["Cache-Control"] = "no-store"
    return answer
