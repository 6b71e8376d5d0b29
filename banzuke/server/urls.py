"""All addresses of an office. A pool's word comes last, so that no pool hides a page of the office."""

from __future__ import annotations

from django.urls import include, path

urlpatterns = [
    path("i18n/", include("django.conf.urls.i18n")),
    path("", include("banzuke.web.accounts.urls")),  # /accounts/..., /healthz, /office/, /office/users/ ...
    path("office/<slug:slug>/inbox/", include("banzuke.web.inbox.urls")),
    path("office/<slug:slug>/register/", include("banzuke.web.register.urls")),
    path("office/<slug:slug>/fees/", include("banzuke.web.fees.urls")),
    path("office/<slug:slug>/board/", include("banzuke.web.board.urls")),
    path("", include("banzuke.web.reading.urls")),  # /<pool>/rules/..., /<pool>/calculators/...
    path("", include("banzuke.web.public.urls")),  # /, /<pool>/, /<pool>/lists/...
]
