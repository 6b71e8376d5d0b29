"""All addresses of an office. A pool's word comes last, so that no pool hides a page of the office."""

from django.urls import include, path

from banzuke.api.v1 import addresses
from banzuke.web import urls

urlpatterns = [
    path("api/v1/", include((addresses(), "api"))),  # first: programs ask more often than people
    path("i18n/", include("django.conf.urls.i18n")),
    path("", include(urls.ACCOUNTS)),  # /accounts/..., /healthz, /office/, /office/users/ ...
    path("office/jobs/", include(urls.JOBS)),
    path("office/<slug:slug>/inbox/", include(urls.INBOX)),
    path("office/<slug:slug>/look-up/", include(urls.LOOK_UPS)),
    path("office/<slug:slug>/club/", include(urls.CLUB)),
    path("office/<slug:slug>/register/", include(urls.REGISTER)),
    path("office/<slug:slug>/fees/", include(urls.FEES)),
    path("office/<slug:slug>/board/", include(urls.BOARD)),
    path("office/<slug:slug>/live/", include(urls.LIVE)),
    path("office/<slug:slug>/lab/", include(urls.LABORATORY)),
    path("office/<slug:slug>/reforms/", include(urls.REFORMS)),
    path("", include(urls.DOCUMENTS)),  # /docs/
    path("", include(urls.LOG)),  # /log/, /<pool>/lists/<list>/content.csv
    path("", include(urls.RANKING)),  # /<pool>/ranking/
    path("", include(urls.REFERENCE)),  # /<pool>/rules/..., /<pool>/calculators/...
    path("", include(urls.PUBLIC)),  # /, /<pool>/, /<pool>/lists/...
]

handler500 = "banzuke.web.error_page.failed"
