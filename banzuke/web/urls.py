"""The addresses of all pages, area by area."""

from allauth.account import views as account
from allauth.mfa.base import views as mfa
from allauth.mfa.recovery_codes import views as recovery
from allauth.mfa.totp import views as totp
from django.urls import path

import banzuke.web.id_converter  # noqa: F401 - registers <id:...>
from banzuke.web import laboratory_pages, look_ups, reform_effect_page
from banzuke.web.accounts import (
    api_key_pages,
    desk_page,
    health_check,
    installation_pages,
    journal_pages,
    pool_pages,
    sign_in_page,
    user_pages,
)
from banzuke.web.accounts.admin_site import site
from banzuke.web.board import adjustment_pages as board_adjustment_pages
from banzuke.web.board import (
    draft_pages,
    inquiry_pages,
    jobs,
    late_event_pages,
    objection_pages,
    reform_pages,
    rehearsal_pages,
)
from banzuke.web.board import views as board_views
from banzuke.web.club import desk_pages as club_desk_pages
from banzuke.web.club import question_pages
from banzuke.web.demo import pages as demo_pages
from banzuke.web.fees import invoice_pages
from banzuke.web.fees import views as fees_views
from banzuke.web.inbox import decision_page, inbox_page, report_form_pages, upload_pages
from banzuke.web.inbox import views as inbox_views
from banzuke.web.live import account_pages, operator_pages, public_pages, webhook_pages
from banzuke.web.public import (
    adjustment_pages,
    calendar_pages,
    club_standing_pages,
    comparison_pages,
    data_pages,
    event_pages,
    feeds,
    final_pages,
    front_pages,
    list_pages,
    log_pages,
    player_pages,
    record_pages,
    search_pages,
)
from banzuke.web.public import club_pages as public_club_pages
from banzuke.web.public import objection_pages as public_objection_pages
from banzuke.web.public import reform_pages as public_reform_pages
from banzuke.web.reference import calculator_pages, document_pages, rule_book_pages, statistics_pages
from banzuke.web.register import (
    club_pages,
    data_export_pages,
    erasure_pages,
    event_application_pages,
    fide_pages,
    member_pages,
    membership_pages,
    merge_pages,
    qualification_pages,
    register_upload_pages,
    starting_rating_pages,
)

#: Of allauth's pages those that an office needs: nobody signs up, and no e-mail is asked for.
SIGNING_IN = [
    path(f"accounts/{address}/", view, name=name)
    for address, view, name in (
        ("login", sign_in_page.sign_in, "account_login"),
        ("logout", account.logout, "account_logout"),
        ("inactive", account.account_inactive, "account_inactive"),
        ("reauthenticate", account.reauthenticate, "account_reauthenticate"),
        ("password/change", account.password_change, "account_change_password"),
        ("2fa", mfa.index, "mfa_index"),
        ("2fa/authenticate", mfa.authenticate, "mfa_authenticate"),
        ("2fa/reauthenticate", mfa.reauthenticate, "mfa_reauthenticate"),
        ("2fa/totp/activate", totp.activate_totp, "mfa_activate_totp"),
        ("2fa/totp/deactivate", totp.deactivate_totp, "mfa_deactivate_totp"),
        ("2fa/recovery-codes", recovery.view_recovery_codes, "mfa_view_recovery_codes"),
        (
            "2fa/recovery-codes/generate",
            recovery.generate_recovery_codes,
            "mfa_generate_recovery_codes",
        ),
        (
            "2fa/recovery-codes/download",
            recovery.download_recovery_codes,
            "mfa_download_recovery_codes",
        ),
    )
]
#: The guide of a demo; in every other office these are no pages.
DEMO = [
    path("accounts/demo/as/<slug:role>/", demo_pages.sign_in, name="demo-sign-in"),
    path("accounts/demo/report.eml", demo_pages.report, name="demo-report"),
    path("accounts/demo/close/", demo_pages.close, name="demo-close"),
]
#: Signing in, users and their roles, keys, the journal, settings of the installation.
ACCOUNTS = [
    path("healthz", health_check.healthz, name="healthz"),
    *SIGNING_IN,
    *DEMO,
    path("accounts/interrupted/", sign_in_page.interrupted_form, name="accounts-interrupted-form"),
    path("accounts/invitation/<str:who>/<str:token>/", user_pages.invitation, name="accounts-invitation"),
    path("office/", desk_page.desk, name="desk"),
    path("office/first/", user_pages.first, name="accounts-first"),
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
    path("office/backup/", installation_pages.backups, name="accounts-backup"),
    path("office/backup/fetch/", installation_pages.fetch, name="accounts-fetch-backup"),
    path("office/settings/", installation_pages.settings_page, name="accounts-settings"),
    path("office/admin/", site.urls),
    path("office/<slug:slug>/settings/", pool_pages.rules, name="accounts-pool-settings"),
]

#: Long acts.
JOBS = [
    path("<int:number>/", jobs.job, name="board-job"),
    path("<int:number>/again/", jobs.job_again, name="board-job-again"),
]

#: Reports: sending them, looking at them, deciding who is who, accepting them.
INBOX = [
    path("", inbox_page.inbox, name="inbox"),
    path("decide/", inbox_page.bulk, name="inbox-bulk"),
    path("send/", upload_pages.send, name="inbox-send"),
    path("form/", report_form_pages.fill, name="inbox-form"),
    path("form/members/", report_form_pages.members, name="inbox-members"),
    path("report-form.xlsx", upload_pages.blank_form, name="inbox-blank-form"),
    path("<int:number>/", inbox_views.report, name="inbox-report"),
    path("<int:number>/missing/", inbox_page.missing, name="inbox-missing"),
    path("<int:number>/changes/", inbox_views.changes, name="inbox-changes"),
    path("<int:number>/decide/", decision_page.decide, name="inbox-decide"),
    path("<int:number>/add/", upload_pages.add, name="inbox-add"),
    path("<int:number>/take-back/", decision_page.take_back, name="inbox-take-back"),
    path("<int:number>/withdraw/", upload_pages.withdraw, name="inbox-withdraw"),
    path("<int:number>/files/<int:file>/", upload_pages.file, name="inbox-file"),
]

#: What is meant by what stands in a field of a form.
LOOK_UPS = [path("<slug:kind>/", look_ups.options, name="look-up")]

#: What a club's reporter has: the club's events, members and newcomers.
CLUB = [
    path("", club_desk_pages.my_events, name="club"),
    path("members/", club_desk_pages.club_members, name="club-members"),
    path("newcomers/", club_desk_pages.newcomers, name="club-newcomers"),
    path("questions/", question_pages.questions, name="club-questions"),
    path("questions/<int:number>/answer/", question_pages.answer, name="club-answer"),
]

#: Members, clubs, memberships, events applied for, lists of who qualifies.
REGISTER = [
    path("", member_pages.register, name="register"),
    path("newcomers/", member_pages.waiting_newcomers, name="register-newcomers"),
    path("new/", member_pages.new, name="register-new"),
    path("members/<id:player_id>/", member_pages.member, name="register-member"),
    path("members/<id:player_id>/change/", member_pages.change, name="register-change"),
    path("members/<id:player_id>/memberships/", membership_pages.add, name="register-add-membership"),
    path("members/<id:player_id>/merge/", merge_pages.merge, name="register-merge"),
    path("members/<id:player_id>/unmerge/", merge_pages.unmerge, name="register-unmerge"),
    path("members/<id:player_id>/erase/", erasure_pages.erase_member, name="register-erase"),
    path("members/<id:player_id>/held/", data_export_pages.personal_data_file, name="register-held"),
    path("memberships/<int:number>/", membership_pages.correct, name="register-membership"),
    path("memberships/<int:number>/strike/", membership_pages.strike, name="register-strike-membership"),
    path("send/", register_upload_pages.send, name="register-send"),
    path("send/<int:number>/", register_upload_pages.review, name="register-sent"),
    path("send/<int:number>/take/", register_upload_pages.take_over, name="register-take"),
    path("send/<int:number>/put-away/", register_upload_pages.put_away, name="register-put-away"),
    path("openings/", starting_rating_pages.openings, name="register-openings"),
    path("openings/send/", starting_rating_pages.send, name="register-openings-send"),
    path(
        "openings/<int:number>/take-back/",
        starting_rating_pages.take_back,
        name="register-openings-take-back",
    ),
    path("openings/sent/<str:word>/", starting_rating_pages.review, name="register-openings-sent"),
    path("fide/", fide_pages.fide, name="register-fide"),
    path("fide/<str:word>/", fide_pages.preview, name="register-fide-found"),
    path("clubs/", club_pages.clubs, name="register-clubs"),
    path("clubs/<id:club_id>/", club_pages.club, name="register-club"),
    path("clubs/<id:club_id>/<int:number>/", club_pages.correct, name="register-correct-club"),
    path("events/", event_application_pages.events, name="register-events"),
    path("events/new/", event_application_pages.new, name="register-new-event"),
    path("events/<int:number>/", event_application_pages.event, name="register-event"),
    path("events/<int:number>/decide/", event_application_pages.decide, name="register-decide"),
    path("events/<int:number>/cancel/", event_application_pages.cancel, name="register-cancel"),
    path("qualified/", qualification_pages.qualified, name="register-qualified"),
    path("seeds/", qualification_pages.seeds, name="register-seeds"),
    path("seeds/<id:event_id>/", qualification_pages.seeds_of, name="register-seeds-of"),
    path("seeds/<id:event_id>/take-back/", qualification_pages.unseed, name="register-unseed"),
    path("start-list/", qualification_pages.starts, name="register-start-list"),
    path("files/", data_export_pages.files, name="register-files"),
    path("files/ledger/", data_export_pages.ledger, name="register-ledger"),
    path("files/event/", data_export_pages.event, name="register-event-file"),
]

#: What clubs owe, invoices, payments, waivers.
FEES = [
    path("", fees_views.fees, name="fees"),
    path("invoices/", invoice_pages.invoices, name="fees-invoices"),
    path("invoices/<int:number>/", invoice_pages.invoice, name="fees-invoice"),
    path("invoices/<int:number>/invoice.pdf", invoice_pages.paper, name="fees-invoice-pdf"),
    path("invoices/<int:number>/payments/", invoice_pages.pay, name="fees-payment"),
    path("invoices/<int:number>/settlement/", invoice_pages.settle, name="fees-settlement"),
    path("waivers/<id:event_id>/", fees_views.waiver, name="fees-waiver"),
    path("<str:window>/", fees_views.window, name="fees-window"),
    path("<str:window>/invoices/", invoice_pages.make, name="fees-invoice-new"),
]

#: The coming list, rehearsing, publishing, correcting, verifying.
_INQUIRY = "inquiries/<int:number>"

BOARD = [
    path("", board_views.board, name="board"),
    path("rehearsals/<id:name>/", rehearsal_pages.rehearsal, name="board-rehearsal"),
    path("rehearsals/<id:name>/again/", rehearsal_pages.rehearse, name="board-rehearse"),
    path("rehearsals/<id:name>/rows/", rehearsal_pages.rows, name="board-rehearsal-rows"),
    path("rehearsals/<id:name>/rows/<slug:speed>/", rehearsal_pages.rows, name="board-rehearsal-speed"),
    path("rehearsals/<id:name>/list.<slug:kind>", rehearsal_pages.download, name="board-rehearsal-file"),
    path("rehearsals/<id:name>/publish/", rehearsal_pages.publish, name="board-publish"),
    path("planned/<int:number>/cancel/", rehearsal_pages.cancel, name="board-cancel-planned"),
    path("preliminary/<id:name>/final/", rehearsal_pages.make_final, name="board-make-final"),
    path("published/<id:name>/", rehearsal_pages.published, name="board-published"),
    path("events/<id:event_id>/list/", late_event_pages.event_list, name="board-event-list"),
    path("lists/", board_views.lists, name="board-lists"),
    path("lists/<id:name>/<int:revision>/verify/", board_views.verify, name="board-verify"),
    path("lists/<id:name>/<int:revision>/", board_views.verification, name="board-verification"),
    path("revisions/", board_views.revisions, name="board-revisions"),
    path("revisions/publish/", board_views.revise, name="board-revise"),
    path("inquiries/", inquiry_pages.inquiries, name="board-inquiries"),
    path(f"{_INQUIRY}/", inquiry_pages.inquiry, name="board-inquiry"),
    path(f"{_INQUIRY}/preview/", inquiry_pages.preview, name="board-preview"),
    path(f"{_INQUIRY}/preview.csv", inquiry_pages.preview_file, name="board-preview-file"),
    path(f"{_INQUIRY}/confirm-day/", inquiry_pages.confirm_day, name="board-confirm-day"),
    path(f"{_INQUIRY}/dismiss/", inquiry_pages.dismiss, name="board-dismiss"),
    path(f"{_INQUIRY}/uphold/", objection_pages.uphold, name="board-uphold"),
    path(f"{_INQUIRY}/ask-club/", objection_pages.ask_club, name="board-ask-club"),
    path(f"{_INQUIRY}/annulled/", objection_pages.close_annulled, name="board-annulled"),
    path(f"{_INQUIRY}/corrected-by/", objection_pages.close_corrected, name="board-corrected-by"),
    path(f"{_INQUIRY}/carry-out/", inquiry_pages.carry_out, name="board-carry-out"),
    path(f"{_INQUIRY}/find/", draft_pages.search, name="board-find"),
    path(f"{_INQUIRY}/strike/<slug:table>/<int:row>/", draft_pages.strike, name="board-strike"),
    path(f"{_INQUIRY}/change/<slug:table>/<int:row>/", draft_pages.change, name="board-change"),
    path(f"{_INQUIRY}/swap/<int:row>/", draft_pages.swap, name="board-swap"),
    path(f"{_INQUIRY}/add/<slug:table>/", draft_pages.add, name="board-add"),
    path(f"{_INQUIRY}/take-back/", draft_pages.take_back, name="board-take-back"),
]

#: Reforms: drafting, rehearsing, deciding, signing, announcing, withdrawing; adjustments, taken back.
REFORMS = [
    path("", reform_pages.reforms, name="reforms"),
    path("new/", reform_pages.new, name="reform-new"),
    path("<int:number>/", reform_pages.reform, name="reform"),
    path("<int:number>/change/", reform_pages.change, name="reform-change"),
    path("<int:number>/rehearse/", reform_pages.rehearse, name="reform-rehearse"),
    path("<int:number>/list.csv", reform_pages.pairs, name="reform-list"),
    path("<int:number>/decide/", reform_pages.decide, name="reform-decide"),
    path("<int:number>/sign/", reform_pages.sign, name="reform-sign"),
    path("<int:number>/announce/", reform_pages.announce, name="reform-announce"),
    path("<int:number>/in-force/", reform_pages.bring, name="reform-bring"),
    path("<int:number>/withdraw/", reform_pages.withdraw, name="reform-withdraw"),
    path("adjustments/<id:adjustment_id>/", board_adjustment_pages.take_back, name="adjustment-take-back"),
]

#: The page of who runs a go server, and annulling a game.
LIVE = [
    path("", operator_pages.live, name="live"),
    path("annul/", operator_pages.annul, name="live-annul"),
    path("restore/", operator_pages.restore, name="live-restore"),
    path("players/", account_pages.players, name="live-players"),
    path("players/<id:player_id>/", account_pages.player, name="live-player"),
    path("players/<id:player_id>/robot/", account_pages.mark_robot, name="live-robot"),
    path("players/<id:player_id>/erase/", account_pages.erase, name="live-erase"),
    path("webhooks/", webhook_pages.show, name="live-webhooks"),
    path("webhooks/<int:number>/on/", webhook_pages.switch_on, name="live-webhook-on"),
    path("webhooks/<int:number>/remove/", webhook_pages.remove, name="live-webhook-remove"),
]

#: Asking the laboratory, what it found.
LABORATORY = [
    path("", laboratory_pages.lab, name="lab"),
    path("what-would-change/", reform_effect_page.effect, name="lab-effect"),
    path("soundness/show/", laboratory_pages.show_errors_to_players, name="lab-show-errors"),
    path("<slug:question>/", laboratory_pages.report, name="lab-found"),
    path("<slug:question>/report.html", laboratory_pages.report_file, name="lab-report"),
    path("<slug:question>/report.pdf", laboratory_pages.report_paper, name="lab-report-pdf"),
]

#: The ranking of a go server as it stands now.
RANKING = [
    path("<slug:slug>/ranking/", public_pages.ranking, name="live-ranking"),
]

#: The documents of this program.
DOCUMENTS = [
    path("docs/", document_pages.document, name="documents"),
    path("docs/pictures/<str:name>", document_pages.picture, name="document-picture"),
    path("docs/<path:name>/", document_pages.document, name="document"),
]

#: Pages to read and reckon by: rule books, comparisons, calculators, statistics.
REFERENCE = [
    path("<slug:slug>/rules/", rule_book_pages.books, name="reading-rules"),
    path("<slug:slug>/rules/<slug:book>/", rule_book_pages.book, name="reading-book"),
    path("<slug:slug>/rules/<slug:one>/<slug:other>/", rule_book_pages.difference, name="reading-difference"),
    path("<slug:slug>/calculators/", calculator_pages.calculators, name="reading-calculators"),
    path("<slug:slug>/calculators/<slug:kind>/", calculator_pages.calculator, name="reading-calculator"),
    path("<slug:slug>/statistics/", statistics_pages.statistics, name="reading-statistics"),
    path(
        "<slug:slug>/statistics/<slug:speed>/", statistics_pages.statistics, name="reading-statistics-speed"
    ),
]

#: What is published for programs: the office's log, and the files by which anybody checks a list.
_LIST = "<slug:slug>/lists/<id:name>"
LOG = [
    path("data/", data_pages.data, name="data"),
    path("log/", log_pages.log, name="log"),
    path("log/checkpoint", log_pages.checkpoint, name="log-checkpoint"),
    path("log/key", log_pages.keys, name="log-key"),
    path("log/entries", log_pages.entries, name="log-entries"),
    path("log/consistency", log_pages.consistency, name="log-consistency"),
    path(f"{_LIST}/record.json", record_pages.record, name="list-record"),
    path(f"{_LIST}/<slug:speed>/record.json", record_pages.record, name="list-record-speed"),
    path(f"{_LIST}/ledger.zip", record_pages.ledger, name="list-ledger"),
    path(f"{_LIST}/content.csv", record_pages.content, name="list-content"),
    path(f"{_LIST}/people.csv", record_pages.people, name="list-people"),
    path(f"{_LIST}/proofs/<id:player>.tlog-proof", record_pages.proof, name="list-proof"),
]

#: What everybody may read: pools, lists, players with their workings, events.
PUBLIC = [
    path("", front_pages.pools, name="public-pools"),
    path("search/", search_pages.search, name="search"),
    path("objections/<str:token>/", public_objection_pages.objection, name="objection"),
    path("objections/<str:token>/appeal/", public_objection_pages.appeal, name="objection-appeal"),
    path("objections/<str:token>/withdraw/", public_objection_pages.withdraw, name="objection-withdraw"),
    path("<slug:slug>/wrong/", public_objection_pages.wrong, name="public-wrong"),
    path("<slug:slug>/objections/", public_objection_pages.numbers, name="public-objections"),
    path("<slug:slug>/objections.csv", public_objection_pages.numbers_file, name="public-objections-file"),
    path("<slug:slug>/search/", search_pages.pool_search, name="pool-search"),
    path("<slug:slug>/clubs/<id:club_id>/", public_club_pages.club, name="public-club"),
    path("<slug:slug>/", front_pages.pool, name="public-pool"),
    path("<slug:slug>/lists/", list_pages.lists, name="public-lists"),
    path("<slug:slug>/adjustments/", adjustment_pages.adjustments, name="public-adjustments"),
    path("<slug:slug>/reforms/", public_reform_pages.reforms, name="public-reforms"),
    path("<slug:slug>/reforms/<int:number>/", public_reform_pages.reform, name="public-reform"),
    path("<slug:slug>/lists/<id:name>.<ending:kind>", list_pages.list_file, name="public-list-file"),
    path("<slug:slug>/lists/<id:name>/", list_pages.rating_list, name="public-list"),
    path(
        "<slug:slug>/lists/<id:name>/<slug:speed>.<ending:kind>",
        list_pages.list_file,
        name="public-list-speed-file",
    ),
    path("<slug:slug>/lists/<id:name>/compare/", comparison_pages.choose, name="public-compare"),
    path(
        "<slug:slug>/lists/<id:name>/compare/<id:other>.<ending:kind>",
        comparison_pages.comparison_file,
        name="public-comparison-file",
    ),
    path(
        "<slug:slug>/lists/<id:name>/compare/<id:other>/",
        comparison_pages.comparison,
        name="public-comparison",
    ),
    path("<slug:slug>/lists/<id:name>/final/", final_pages.final_list, name="public-final"),
    path("<slug:slug>/lists/<id:name>/clubs/", club_standing_pages.clubs, name="public-clubs"),
    path("<slug:slug>/lists/<id:name>/<slug:speed>/", list_pages.rating_list, name="public-list-speed"),
    path(
        "<slug:slug>/lists/<id:name>/<slug:speed>/clubs/",
        club_standing_pages.clubs,
        name="public-clubs-speed",
    ),
    path("<slug:slug>/players/<id:player>.atom", feeds.player_feed, name="public-player-feed"),
    path("<slug:slug>/lists.atom", feeds.lists_feed, name="public-lists-feed"),
    path("<slug:slug>/calendar.atom", feeds.calendar_feed, name="public-calendar-feed"),
    path("<slug:slug>/players/<id:player>/", player_pages.player, name="public-player"),
    path("<slug:slug>/players/<id:player>/<id:name>/", player_pages.working, name="public-working"),
    path(
        "<slug:slug>/players/<id:player>/<id:name>/<slug:speed>/",
        player_pages.working,
        name="public-working-speed",
    ),
    path("<slug:slug>/calendar/", calendar_pages.calendar, name="public-calendar"),
    path("<slug:slug>/calendar.ics", calendar_pages.calendar_file, name="public-calendar-file"),
    path("<slug:slug>/events/", event_pages.events, name="public-events"),
    path("<slug:slug>/events/<id:event>.html", event_pages.crosstable_page, name="public-event-page"),
    path("<slug:slug>/events/<id:event>.xlsx", event_pages.crosstable_workbook, name="public-event-workbook"),
    path("<slug:slug>/events/<id:event>.pdf", event_pages.crosstable_pdf, name="public-event-pdf"),
    path("<slug:slug>/events/<id:event>.txt", event_pages.us_crosstable_text, name="public-event-text"),
    path("<slug:slug>/events/<id:event>/", event_pages.event, name="public-event"),
]
