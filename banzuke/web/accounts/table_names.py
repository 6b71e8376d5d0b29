"""What the tables of the database are called in Django's admin, one row and several, by their models."""

from typing import Any

from django.utils.translation import pgettext_lazy

NAMES: dict[str, tuple[Any, Any]] = {
    "Pool": (pgettext_lazy("table", "pool"), pgettext_lazy("table", "pools")),
    "HiddenPool": (
        pgettext_lazy("table", "pool being imported"),
        pgettext_lazy("table", "pools being imported"),
    ),
    "Entry": (pgettext_lazy("table", "entry of the ledger"), pgettext_lazy("table", "entries of the ledger")),
    "PoolFile": (
        pgettext_lazy("table", "file of a pool's rules"),
        pgettext_lazy("table", "files of pools' rules"),
    ),
    "Player": (pgettext_lazy("table", "player"), pgettext_lazy("table", "players")),
    "Club": (pgettext_lazy("table", "club"), pgettext_lazy("table", "clubs")),
    "Membership": (pgettext_lazy("table", "membership"), pgettext_lazy("table", "memberships")),
    "Event": (pgettext_lazy("table", "event"), pgettext_lazy("table", "events")),
    "Game": (pgettext_lazy("table", "game"), pgettext_lazy("table", "games")),
    "Bye": (pgettext_lazy("table", "bye"), pgettext_lazy("table", "byes")),
    "Opening": (pgettext_lazy("table", "starting rating"), pgettext_lazy("table", "starting ratings")),
    "Adjustment": (
        pgettext_lazy("table", "adjustment of ratings"),
        pgettext_lazy("table", "adjustments of ratings"),
    ),
    "Strike": (pgettext_lazy("table", "strike"), pgettext_lazy("table", "strikes")),
    "GoPlayer": (pgettext_lazy("table", "player of Go"), pgettext_lazy("table", "players of Go")),
    "GoGame": (pgettext_lazy("table", "game of Go"), pgettext_lazy("table", "games of Go")),
    "Declaration": (pgettext_lazy("table", "declared rank"), pgettext_lazy("table", "declared ranks")),
    "GoOpening": (
        pgettext_lazy("table", "starting rank of Go"),
        pgettext_lazy("table", "starting ranks of Go"),
    ),
    "Contact": (pgettext_lazy("table", "contact of a member"), pgettext_lazy("table", "contacts of members")),
    "Merge": (pgettext_lazy("table", "merge of two members"), pgettext_lazy("table", "merges of members")),
    "Seed": (pgettext_lazy("table", "seed"), pgettext_lazy("table", "seeds")),
    "GoVoid": (pgettext_lazy("table", "annulled game of Go"), pgettext_lazy("table", "annulled games of Go")),
    "GoRobot": (pgettext_lazy("table", "robot of Go"), pgettext_lazy("table", "robots of Go")),
    "LivePool": (
        pgettext_lazy("table", "pool rated game by game"),
        pgettext_lazy("table", "pools rated game by game"),
    ),
    "LiveStanding": (pgettext_lazy("table", "live standing"), pgettext_lazy("table", "live standings")),
    "LiveGame": (pgettext_lazy("table", "game rated live"), pgettext_lazy("table", "games rated live")),
    "NextPool": (
        pgettext_lazy("table", "pool rated by rules to come"),
        pgettext_lazy("table", "pools rated by rules to come"),
    ),
    "NextStanding": (
        pgettext_lazy("table", "standing by rules to come"),
        pgettext_lazy("table", "standings by rules to come"),
    ),
    "NextGame": (
        pgettext_lazy("table", "game rated by rules to come"),
        pgettext_lazy("table", "games rated by rules to come"),
    ),
    "LiveRefusal": (pgettext_lazy("table", "refused sending"), pgettext_lazy("table", "refused sendings")),
    "QueuedGame": (
        pgettext_lazy("table", "game in the queue"),
        pgettext_lazy("table", "games in the queue"),
    ),
    "Webhook": (pgettext_lazy("table", "webhook"), pgettext_lazy("table", "webhooks")),
    "RatingList": (pgettext_lazy("table", "published list"), pgettext_lazy("table", "published lists")),
    "PlannedPublication": (
        pgettext_lazy("table", "planned publication"),
        pgettext_lazy("table", "planned publications"),
    ),
    "Objection": (pgettext_lazy("table", "objection"), pgettext_lazy("table", "objections")),
    "ObjectionMail": (
        pgettext_lazy("table", "mail about an objection"),
        pgettext_lazy("table", "mails about objections"),
    ),
    "ClubQuestion": (
        pgettext_lazy("table", "question to a club"),
        pgettext_lazy("table", "questions to clubs"),
    ),
    "PreliminaryList": (
        pgettext_lazy("table", "preliminary list"),
        pgettext_lazy("table", "preliminary lists"),
    ),
    "FinalList": (
        pgettext_lazy("table", "preliminary list made final"),
        pgettext_lazy("table", "preliminary lists made final"),
    ),
    "ListRow": (pgettext_lazy("table", "row of a list"), pgettext_lazy("table", "rows of lists")),
    "Line": (
        pgettext_lazy("table", "calculation of a game"),
        pgettext_lazy("table", "calculations of games"),
    ),
    "Working": (pgettext_lazy("table", "working of a rating"), pgettext_lazy("table", "workings of ratings")),
    "ListFigures": (pgettext_lazy("table", "figures of a list"), pgettext_lazy("table", "figures of lists")),
    "ListContent": (pgettext_lazy("table", "content of a list"), pgettext_lazy("table", "contents of lists")),
    "ListTree": (pgettext_lazy("table", "tree of a list"), pgettext_lazy("table", "trees of lists")),
    "PlayerSalt": (pgettext_lazy("table", "salt of a player"), pgettext_lazy("table", "salts of players")),
    "TextSalt": (pgettext_lazy("table", "salt of a text"), pgettext_lazy("table", "salts of texts")),
    "LogEntry": (pgettext_lazy("table", "entry of the log"), pgettext_lazy("table", "entries of the log")),
    "LoggedRows": (
        pgettext_lazy("table", "rows bound into the log"),
        pgettext_lazy("table", "rows bound into the log"),
    ),
    "NameWord": (pgettext_lazy("table", "word of a name"), pgettext_lazy("table", "words of names")),
    "NearWord": (
        pgettext_lazy("table", "key of a similar word"),
        pgettext_lazy("table", "keys of similar words"),
    ),
    "EventWord": (
        pgettext_lazy("table", "word of an event's name"),
        pgettext_lazy("table", "words of events' names"),
    ),
    "FoundUpTo": (
        pgettext_lazy("table", "state of the search"),
        pgettext_lazy("table", "states of the search"),
    ),
    "ComingList": (pgettext_lazy("table", "coming list"), pgettext_lazy("table", "coming lists")),
    "ComingRow": (
        pgettext_lazy("table", "row of a coming list"),
        pgettext_lazy("table", "rows of coming lists"),
    ),
    "ComingLine": (
        pgettext_lazy("table", "game in a coming list"),
        pgettext_lazy("table", "games in coming lists"),
    ),
    "WaitingReport": (
        pgettext_lazy("table", "event of a waiting report"),
        pgettext_lazy("table", "events of waiting reports"),
    ),
    "WaitingPlayer": (
        pgettext_lazy("table", "player in a waiting report"),
        pgettext_lazy("table", "players in waiting reports"),
    ),
    "Report": (pgettext_lazy("table", "report"), pgettext_lazy("table", "reports")),
    "ReportFile": (pgettext_lazy("table", "file of a report"), pgettext_lazy("table", "files of reports")),
    "ReportSaid": (
        pgettext_lazy("table", "field entered in a report"),
        pgettext_lazy("table", "fields entered in reports"),
    ),
    "ReportDecision": (
        pgettext_lazy("table", "decision on a report"),
        pgettext_lazy("table", "decisions on reports"),
    ),
    "ReportStep": (pgettext_lazy("table", "step of a report"), pgettext_lazy("table", "steps of reports")),
    "RegisterFile": (pgettext_lazy("table", "file of members"), pgettext_lazy("table", "files of members")),
    "Sanction": (pgettext_lazy("table", "event applied for"), pgettext_lazy("table", "events applied for")),
    "SanctionStep": (
        pgettext_lazy("table", "step of an application"),
        pgettext_lazy("table", "steps of applications"),
    ),
    "Inquiry": (pgettext_lazy("table", "inquiry"), pgettext_lazy("table", "inquiries")),
    "InquiryStep": (
        pgettext_lazy("table", "step of an inquiry"),
        pgettext_lazy("table", "steps of inquiries"),
    ),
    "Reform": (pgettext_lazy("table", "reform"), pgettext_lazy("table", "reforms")),
    "ReformStep": (
        pgettext_lazy("table", "step of a reform"),
        pgettext_lazy("table", "steps of reforms"),
    ),
    "RatingErrors": (
        pgettext_lazy("table", "errors of ratings shown to players"),
        pgettext_lazy("table", "errors of ratings shown to players"),
    ),
    "Invoice": (pgettext_lazy("table", "invoice"), pgettext_lazy("table", "invoices")),
    "Payment": (pgettext_lazy("table", "payment"), pgettext_lazy("table", "payments")),
    "Role": (pgettext_lazy("table", "role"), pgettext_lazy("table", "roles")),
    "ApiKey": (pgettext_lazy("table", "API key"), pgettext_lazy("table", "API keys")),
    "Erasure": (pgettext_lazy("table", "erasure of a person"), pgettext_lazy("table", "erasures of persons")),
    "ErasedRow": (
        pgettext_lazy("table", "erased row of the ledger"),
        pgettext_lazy("table", "erased rows of the ledger"),
    ),
    "ErasedFile": (
        pgettext_lazy("table", "erased file of a report"),
        pgettext_lazy("table", "erased files of reports"),
    ),
    "ErasedEvents": (
        pgettext_lazy("table", "hash of a list's events after an erasure"),
        pgettext_lazy("table", "hashes of lists' events after erasures"),
    ),
    "JournalEntry": (pgettext_lazy("table", "journal entry"), pgettext_lazy("table", "journal entries")),
    "Job": (pgettext_lazy("table", "job"), pgettext_lazy("table", "jobs")),
    "OfficeSettings": (
        pgettext_lazy("table", "settings of the office"),
        pgettext_lazy("table", "settings of the office"),
    ),
}
