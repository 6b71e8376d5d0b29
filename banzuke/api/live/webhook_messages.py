"""What is posted to webhooks: the body of a message, and how the API's description tells of it."""

import json
from collections.abc import Sequence
from typing import Any

from banzuke.api.live import go_schemas
from banzuke.api.live.feed_events import change_json
from banzuke.office.live.rated_games import FeedEntry

#: What the messages are called.
KIND = "pool.changes"


def body_of(pool: str, changes: Sequence[FeedEntry]) -> bytes:
    """Changes (one at least) of the pool of that word.

    The same changes make the same body, unless a game was annulled or struck, or a player erased meanwhile.
    """
    last = changes[-1]
    head = {"type": KIND, "timestamp": last.ended.isoformat(), "data": {"pool": pool}}
    opened = json.dumps(head, separators=(",", ":"))[:-2].encode()
    return b'%b,"changes":[%b],"next":%d}}' % (opened, b",".join(map(change_json, changes)), last.number)


def _header(name: str, description: str) -> dict[str, Any]:
    schema = {"type": "string", "description": description}
    return {"in": "header", "name": name, "required": True, "schema": schema, "description": description}


_MESSAGE = {
    "type": "object",
    "properties": {
        "type": {"const": KIND, "description": "What the message is"},
        "timestamp": {"type": "string", "format": "date-time", "description": "When its last game ended"},
        "data": {
            "type": "object",
            "description": "The changes",
            "properties": {
                "pool": {"type": "string", "description": "The pool's word in addresses"},
                "changes": {
                    "type": "array",
                    "items": {"$ref": f"#/components/schemas/{go_schemas.ChangedGame.__name__}"},
                    "description": "Changes in the order of their numbers, as `changes` has them",
                },
                "next": {"type": "integer", "description": "The number of the last of them"},
            },
            "required": ["pool", "changes", "next"],
        },
    },
    "required": ["type", "timestamp", "data"],
}
#: The messages as OpenAPI tells of them.
DESCRIPTION = {
    KIND: {
        "post": {
            "summary": "What was rated, posted to a webhook of the pool",
            "description": "Signed as Standard Webhooks are; sent again until the answer is 2xx.",
            "parameters": [
                _header("webhook-id", "The message's id, the same each time it is sent"),
                _header("webhook-timestamp", "When it is sent, in seconds since 1970"),
                _header(
                    "webhook-signature", "`v1,` and the HMAC-SHA256 of id, timestamp and body, in base64"
                ),
            ],
            "requestBody": {"required": True, "content": {"application/json": {"schema": _MESSAGE}}},
            "responses": {
                "2XX": {"description": "Taken: the next message may come."},
                "410": {"description": "No message is wanted any more."},
                "default": {"description": "Not taken: the same message comes again."},
            },
        }
    }
}
