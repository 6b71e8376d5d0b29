"""The office's database: the append-only book of each pool, what was made from it, and who works in it."""

from banzuke.database.models.administration import (
    ApiKey,
    Job,
    JournalEntry,
    OfficeSettings,
    PlannedPublication,
    Role,
)
from banzuke.database.models.coming import ComingLine, ComingList, ComingRow, WaitingPlayer, WaitingReport
from banzuke.database.models.erasures import ErasedEvents, ErasedFile, ErasedRow, Erasure
from banzuke.database.models.facts import (
    Adjustment,
    Bye,
    Club,
    Contact,
    Correctable,
    Declaration,
    Entry,
    Event,
    Fact,
    Game,
    GoGame,
    GoOpening,
    GoPlayer,
    HiddenPool,
    Membership,
    Merge,
    Opening,
    Player,
    Pool,
    PoolFile,
    Seed,
    Strike,
)
from banzuke.database.models.fees import Invoice, Payment
from banzuke.database.models.inquiries import ClubQuestion, Inquiry, InquiryStep, Objection, ObjectionMail
from banzuke.database.models.lists import (
    FinalList,
    Line,
    ListFigures,
    ListRow,
    NameWord,
    PreliminaryList,
    RatingList,
    Working,
)
from banzuke.database.models.live import (
    VOIDS,
    GoRobot,
    GoVoid,
    LiveGame,
    LivePool,
    LiveRefusal,
    LiveStanding,
    NextGame,
    NextPool,
    NextStanding,
    QueuedGame,
    Webhook,
)
from banzuke.database.models.rating_errors import RatingErrors
from banzuke.database.models.reforms import Reform, ReformStep
from banzuke.database.models.reports import (
    RegisterFile,
    Report,
    ReportDecision,
    ReportFile,
    ReportSaid,
    ReportStep,
    Sanction,
    SanctionStep,
)
from banzuke.database.models.search import EventWord, FoundUpTo, NearWord
from banzuke.database.models.transparency import (
    ListContent,
    ListTree,
    LogEntry,
    LoggedRows,
    PlayerSalt,
    TextSalt,
)
