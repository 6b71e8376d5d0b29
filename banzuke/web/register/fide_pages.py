"""Pages of FIDE ratings: a FIDE list is sent, who would get which rating is looked at, and taken over."""

from typing import Any

from django import forms
from django.contrib import messages
from django.core.exceptions import ValidationError
from django.core.validators import FileExtensionValidator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.timezone import localdate
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from banzuke.core import facts
from banzuke.core.rulebook import ChessBook
from banzuke.database.book_reader import rules_of
from banzuke.database.models import Job, Pool
from banzuke.office.administration import uploads
from banzuke.office.jobs import job_queue
from banzuke.office.register import member_import
from banzuke.web import access
from banzuke.web.board.jobs import last_done, run_now
from banzuke.web.register.member_forms import SPEEDS
from banzuke.web.register.member_pages import say_lists_may_change
from banzuke.web.register.register_upload_pages import MOST_SHOWN
from banzuke.web.shortcuts import found_or_404, pool_page

#: A list with all players is 170 MB as text, 500 MB as XML; zipped, a tenth of that.
MOST_BYTES = 700 * 1024 * 1024
#: Up to here a list is read within the request: in a second; a zipped one is a tenth of what is read.
AT_ONCE, AT_ONCE_ZIPPED = 5 * 1024 * 1024, 512 * 1024


class FideListForm(forms.Form):
    """A FIDE list, and of which speed it is where it is of one that its name does not say."""

    file = forms.FileField(
        label=gettext_lazy("FIDE rating list"),
        help_text=gettext_lazy("TXT or XML as FIDE publishes it, zipped or not."),
        validators=[FileExtensionValidator(["txt", "xml", "zip"])],
    )
    speed = forms.ChoiceField(
        label=gettext_lazy("Kind of rating"),
        required=False,
        choices=[
            ("", gettext_lazy("as the list itself says")),
            *((speed, SPEEDS[speed]) for speed in facts.SPEEDS),
        ],
        help_text=gettext_lazy("Needed only for a list of one kind whose file was renamed."),
    )

    def clean_file(self) -> Any:
        """A file of a list's size."""
        given = self.cleaned_data["file"]
        if given.size > MOST_BYTES:
            raise ValidationError(_("This file is larger than any FIDE list; the most is 700 MB."))
        return given


@access.chess_officer
@access.takes_files(MOST_BYTES >> 20)
def fide(request: HttpRequest, pool: Pool) -> HttpResponse:
    """Send a list; nothing is written yet."""
    form = FideListForm(request.POST or None, request.FILES or None)
    if request.method == "POST" and form.is_valid():
        return _read(request, pool, form)
    books = [edition.book for edition in rules_of(pool).editions]
    uses = any(isinstance(book, ChessBook) and book.starts_from_fide for book in books)
    return pool_page(request, "register/fide.html", pool, form=form, uses=uses, here="fide")


def _read(request: HttpRequest, pool: Pool, form: FideListForm) -> HttpResponse:
    given = form.cleaned_data["file"]
    word = uploads.keep(given.name, given.chunks())
    onward = reverse("register-fide-found", kwargs={"slug": pool.slug, "word": word})
    is_small = given.size <= (AT_ONCE_ZIPPED if given.name.lower().endswith(".zip") else AT_ONCE)
    wanted = {"file": word, "speed": form.cleaned_data["speed"], "in_request": is_small, "next": onward}
    job = job_queue.start("fide", pool, wanted, access.actor(request))
    if not is_small:
        return redirect("board-job", number=job.pk)
    return run_now(request, job, onward, reverse("register-fide", kwargs={"slug": pool.slug}))


@access.chess_officer
def preview(request: HttpRequest, pool: Pool, word: str) -> HttpResponse:
    """Who would get which ratings; taking them over, with those of the doubtful whom the officer names."""
    job = found_or_404(last_done(pool, "fide", file=word))
    if request.method == "POST":
        return _take_over(request, pool, job)
    result = job.result or {}
    context = {name: result.get(name, [])[:MOST_SHOWN] for name in ("taken", "doubtful", "titled")}
    return pool_page(request, "register/fide_found.html", pool, result=result, here="fide", **context)


def _take_over(request: HttpRequest, pool: Pool, job: Job) -> HttpResponse:
    result, also = job.result or {}, set(request.POST.getlist("also"))
    ticked = [each for each in result["doubtful"] if str(each["row"]) in also]
    wanted = result["taken"] + result.get("titled", []) + ticked
    done = member_import.take_over_fide_ratings(pool, wanted, access.actor(request), localdate())
    if done.taken:
        messages.success(request, _("%(count)s members got their FIDE ratings.") % {"count": done.taken})
        say_lists_may_change(request, pool)
    if done.titled:
        messages.success(request, _("%(count)s members got their FIDE titles.") % {"count": done.titled})
    if done.changed_since:
        message = _("%(count)s members were changed since the list was read and stay as they are.")
        messages.warning(request, message % {"count": done.changed_since})
    return redirect("register", slug=pool.slug)
