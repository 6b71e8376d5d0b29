"""The feed as server-sent events: what a stream is asked for, and each change as the event that it sends."""

from collections.abc import Iterator
from typing import NamedTuple

from django.http import StreamingHttpResponse

from banzuke.api.live.go_serializers import as_json, change_of
from banzuke.database.models import Pool
from banzuke.office.live.rated_games import FeedEntry, changes_after

TYPE = "text/event-stream"
#: How many changes are read at once.
PAGE = 200
#: The first line: milliseconds after which a browser whose stream ended asks again.
FIRST = b"retry: 2000\n\n"


class FeedRequest(NamedTuple):
    """What a stream sends: a pool's changes after a number, of one player (blank: of all).

    `who` asks: the first part of a key or, `has_key` false, an address of the network.
    """

    pool: Pool
    after: int
    player: str
    who: str
    has_key: bool


class FeedEvent(NamedTuple):
    """A change: its number, the ids of both players, and the event's bytes."""

    number: int
    players: tuple[str, str]
    data: bytes


def events_after(pool: Pool, after: int, player: str = "") -> list[FeedEvent]:
    """The next changes after that number, `PAGE` of them at most. Raises NotLiveError."""
    return [_event(each) for each in changes_after(pool, after, PAGE, player)]


def change_json(change: FeedEntry) -> bytes:
    """A change as `changes` has it."""
    return as_json(change_of(change))


def _event(change: FeedEntry) -> FeedEvent:
    data = b"id: %d\ndata: %b\n\n" % (change.number, change_json(change))
    return FeedEvent(change.number, (change.black.player, change.white.player), data)


class FeedResponse(StreamingHttpResponse):
    """A stream of the feed. The gate takes `feed` from it, and keeps it open in the event loop.

    Any other server would need a thread for each stream. It sends what there is, and the client asks again.
    """

    def __init__(self, feed: FeedRequest) -> None:
        super().__init__(_what_there_is(feed), content_type=TYPE)
        self.feed = feed
        self["X-Accel-Buffering"] = "no"  # nginx would wait until it has a block


def _what_there_is(feed: FeedRequest) -> Iterator[bytes]:
    yield FIRST
    after = feed.after
    while events := events_after(feed.pool, after, feed.player):
        yield b"".join(each.data for each in events)
        after = events[-1].number
