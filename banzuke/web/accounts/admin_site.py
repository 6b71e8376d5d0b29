"""Django's own admin for the rare cases: administrators look at tables, and unlock who was locked out."""

from http import HTTPStatus
from typing import Any

from axes.models import AccessAttempt
from django.apps import apps
from django.contrib.admin import AdminSite, ModelAdmin
from django.core.exceptions import PermissionDenied
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import URLPattern
from django.utils.translation import gettext_lazy as _

from banzuke.database.models import Role
from banzuke.office.journal import note
from banzuke.web import access
from banzuke.web.accounts.column_names import column_name
from banzuke.web.accounts.sign_in_delay import SignInDelay
from banzuke.web.accounts.table_names import NAMES

#: Django's pages for adding and taking out, by the ends of their names.
UNUSED = ("_add", "_delete")


class OfficeAdminSite(AdminSite):
    """Open to administrators; they sign in as everywhere."""

    site_header = site_title = "Banzuke"
    site_url = "/office/"
    enable_nav_sidebar = False
    final_catch_all_view = False  # `/office/admin/inbox/` is that of a pool of this name

    def has_permission(self, request: HttpRequest) -> bool:
        """Whether the visitor is an administrator (with a second factor, where that is required)."""
        return access.has_role(request, Role.Kind.ADMINISTRATOR, None) and not access.lacks_factor(request)

    def login(self, request: HttpRequest, extra_context: Any = None) -> HttpResponse:  # noqa: ARG002
        """The office's own way in; who came in by it and is no administrator is refused."""
        if self.has_permission(request):
            return redirect("admin:index")
        if request.user.is_authenticated and not access.lacks_factor(request):
            raise PermissionDenied
        return redirect("desk")

    def password_change(self, request: HttpRequest, extra_context: Any = None) -> Any:
        """Django's page; that a password was changed is in the journal, as by the office's own page."""
        answer = super().password_change(request, extra_context)
        if request.method == "POST" and answer.status_code == HTTPStatus.FOUND:
            note(access.actor(request), "password-changed")
        return answer


class ReadOnlyAdmin(ModelAdmin):  # type: ignore[type-arg]  # Django's takes none at run time
    """Rows to look at; nothing is changed here."""

    show_full_result_count = False

    def get_urls(self) -> list[URLPattern]:
        """No pages for what nobody may do."""
        return [each for each in super().get_urls() if not (each.name or "").endswith(UNUSED)]

    def has_view_permission(self, request: HttpRequest, obj: Any = None) -> bool:  # noqa: ARG002
        """Whoever the site lets in."""
        return self.admin_site.has_permission(request)

    has_module_permission = has_view_permission

    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:  # noqa: ARG002
        """Nobody."""
        return False

    has_change_permission = has_delete_permission = has_add_permission


class Attempts(ReadOnlyAdmin):
    """Failed sign-ins; taking one out unlocks."""

    list_display = ("username", "ip_address", "attempt_time", "failures_since_start")

    has_delete_permission = ReadOnlyAdmin.has_view_permission

    def get_urls(self) -> list[URLPattern]:
        """Taking out too."""
        return super(ReadOnlyAdmin, self).get_urls()

    def delete_model(self, request: HttpRequest, obj: AccessAttempt) -> None:
        """Unlock one."""
        note(access.actor(request), "unlocked", user=obj.username)
        SignInDelay(obj.username or "").forget()
        super().delete_model(request, obj)

    def delete_queryset(self, request: HttpRequest, queryset: QuerySet[AccessAttempt]) -> None:
        """Unlock those that were chosen."""
        for attempt in queryset:
            self.delete_model(request, attempt)


for _model in apps.get_app_config("book").get_models():
    _options = _model._meta  # noqa: SLF001 - Django's own way to a model's names
    _options.verbose_name, _options.verbose_name_plural = NAMES.get(
        _model.__name__, (_options.verbose_name, _options.verbose_name_plural)
    )
    for _field in _options.concrete_fields:
        _field.verbose_name = column_name(_model.__name__, _field.name) or _field.verbose_name
apps.get_app_config("book").verbose_name = _("Ledger and office")
apps.get_app_config("axes").verbose_name = _("Sign-in failures")

site = OfficeAdminSite()
site.register(apps.get_app_config("book").get_models(), ReadOnlyAdmin)
site.register(AccessAttempt, Attempts)
