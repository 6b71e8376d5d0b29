"""Addresses: signing in, users and their roles, keys, the journal, settings of the installation."""

from __future__ import annotations

from allauth.account import views as account
from allauth.mfa.base import views as mfa
from allauth.mfa.recovery_codes import views as recovery_codes
from allauth.mfa.totp import views as totp
from django.urls import path

from banzuke.web.accounts import (
    api_key_pages,
    backup_pages,
    desk_page,
    first_officer_page,
    health_check,
    journal_pages,
    pool_pages,
    settings_page,
    user_pages,
)
from banzuke.web.accounts.admin_site import site

#: Of allauth's pages those that an office needs: nobody signs up, and no e-mail is asked for.
signing_in = [
    path("accounts/login/", account.login, name="account_login"),
    path("accounts/logout/", account.logout, name="account_logout"),
    path("accounts/inactive/", account.account_inactive, name="account_inactive"),
    path("accounts/reauthenticate/", account.reauthenticate, name="account_reauthenticate"),
    path("accounts/password/change/", account.password_change, name="account_change_password"),
    path("accounts/2fa/", mfa.index, name="mfa_index"),
    path("accounts/2fa/authenticate/", mfa.authenticate, name="mfa_authenticate"),
    path("accounts/2fa/reauthenticate/", mfa.reauthenticate, name="mfa_reauthenticate"),
    path("accounts/2fa/totp/activate/", totp.activate_totp, name="mfa_activate_totp"),
    path("accounts/2fa/totp/deactivate/", totp.deactivate_totp, name="mfa_deactivate_totp"),
    path("accounts/2fa/recovery-codes/", recovery_codes.view_recovery_codes, name="mfa_view_recovery_codes"),
    path(
        "accounts/2fa/recovery-codes/generate/",
        recovery_codes.generate_recovery_codes,
        name="mfa_generate_recovery_codes",
    ),
    path(
        "accounts/2fa/recovery-codes/download/",
        recovery_codes.download_recovery_codes,
        name="mfa_download_recovery_codes",
    ),
]
urlpatterns = [
    path("healthz", health_check.healthz, name="healthz"),
    *signing_in,
    path("accounts/invitation/<str:who>/<str:token>/", user_pages.invitation, name="accounts-invitation"),
    path("office/", desk_page.desk, name="desk"),
    path("office/first/", first_officer_page.first, name="accounts-first"),
    path("office/new/", pool_pages.new, name="accounts-new-pool"),
    path("office/users/", user_pages.users, name="accounts-users"),
    path("office/users/<int:number>/", user_pages.user, name="accounts-user"),
    path("office/users/<int:number>/invite/", user_pages.invite, name="accounts-invite"),
    path("office/users/<int:number>/close/", user_pages.close, name="accounts-close-user"),
    path("office/users/<int:number>/open/", user_pages.reopen, name="accounts-open-user"),
    path("office/users/<int:number>/second-factor/", user_pages.forget_factor, name="accounts-forget-factor"),
    path("office/roles/<int:number>/take/", user_pages.take_role, name="accounts-take-role"),
    path("office/keys/", api_key_pages.keys, name="accounts-keys"),
    path("office/keys/<int:number>/revoke/", api_key_pages.revoke, name="accounts-revoke-key"),
    path("office/journal/", journal_pages.journal, name="accounts-journal"),
    path("office/journal.csv", journal_pages.as_csv, name="accounts-journal-csv"),
    path("office/backup/", backup_pages.backups, name="accounts-backup"),
    path("office/backup/fetch/", backup_pages.fetch, name="accounts-fetch-backup"),
    path("office/settings/", settings_page.settings_page, name="accounts-settings"),
    path("office/admin/", site.urls),
    path("office/<slug:slug>/settings/", pool_pages.rules, name="accounts-pool-settings"),
]
