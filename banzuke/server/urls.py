"""All addresses of an office. A pool's word comes last, so that no pool hides a page of the office."""

from __future__ import annotations

from django.urls import include, path

import banzuke.web.id_converter  # noqa: F401 - ids in addresses, the API's too
from banzuke.api.v1 import addresses

urlpatterns = [
    path("api/v1/", include((addresses(), "api"))),  # first: programs ask more often than people
    path("i18n/", include("django.conf.urls.i18n")),
    path("", include("banzuke.web.accounts.urls")),  # /accounts/..., /healthz, /office/, /office/users/ ...
    path("office/jobs/", include("banzuke.web.board.job_urls")),
    path("office/<slug:slug>/inbox/", include("banzuke.web.inbox.urls")),
    path("office/<slug:slug>/register/", include("banzuke.web.register.urls")),
    path("office/<slug:slug>/fees/", include("banzuke.web.fees.urls")),
    path("office/<slug:slug>/board/", include("banzuke.web.board.urls")),
    path("office/<slug:slug>/live/", include("banzuke.web.live.operator_urls")),
    path("office/<slug:slug>/lab/", include("banzuke.web.lab.urls")),
    path("", include("banzuke.web.live.urls")),  # /<pool>/ranking/
    path("", include("banzuke.web.reference.urls")),  # /<pool>/rules/..., /<pool>/calculators/...
    path("", include("banzuke.web.public.urls")),  # /, /<pool>/, /<pool>/lists/...
]

handler500 = "banzuke.web.error_page.failed"
