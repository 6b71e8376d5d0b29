"""How a preliminary list became final: what changed in between, revision by revision."""

from django.http import HttpRequest, HttpResponse

from banzuke.database.models import Pool
from banzuke.office.lists.list_index import revisions_of
from banzuke.office.lists.preliminary_lists import FirstAndLast, final_of, was_preliminary
from banzuke.office.lists.revision_changes import changes_of
from banzuke.web.access import public
from banzuke.web.public.caching import conditional
from banzuke.web.shortcuts import found_or_404, pool_page


@public
@conditional
def final_list(request: HttpRequest, pool: Pool, name: str) -> HttpResponse:
    """What changed while a list was preliminary. Raises Http404 for one that is none, or is one still."""
    first = found_or_404(revisions_of(pool, name).first())
    preliminary = found_or_404(was_preliminary(first))
    final = found_or_404(final_of(preliminary))
    revisions = revisions_of(pool, first.name).filter(revision__gt=0, revision__lte=final.last.revision)
    context = {
        "list": first,
        "final": final,
        "until": preliminary.until,
        "between": FirstAndLast(final.list, final.last),
        "revisions": [(one, changes_of(one)) for one in revisions],
    }
    return pool_page(request, "public/final.html", pool, **context)
