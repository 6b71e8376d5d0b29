"""The API's first version, and its description (OpenAPI)."""

from typing import Any

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.urls import URLPattern, path, re_path
from django.views.decorators.csrf import csrf_exempt
from ninja import NinjaAPI
from ninja.openapi.schema import OpenAPISchema

from banzuke.api import calculators, lists, players, problem_types, problems, reports, search
from banzuke.api.auth import LIMITS, Key
from banzuke.api.etags import with_etag
from banzuke.api.live import go_queries, go_submissions, webhook_messages

ABOUT = (
    "Ratings of chess and Go pools: published lists, players with the workings of their ratings, events, "
    "calculators; and reports. Reading needs no key; one that is shown must hold. "
    "Failures are problem documents (RFC 9457)."
)
#: What has a pool in its address looks at the scopes of keys.
_OF_POOL = "{pool}"
#: What has a player in its address leads on from one who was put together with another.
_OF_PLAYER = "{player}"
#: Who may read: anybody, or with a key.
_OPTIONAL: list[dict[str, list[str]]] = [{}, {Key.__name__: []}]


class OfficeApi(NinjaAPI):
    """The API with failures in its description."""

    def get_openapi_schema(self, *, path_prefix: str | None = None, path_params: Any = None) -> OpenAPISchema:
        """The description, with how each question may fail."""
        schema = super().get_openapi_schema(path_prefix=path_prefix, path_params=path_params)
        schema["components"]["schemas"]["ProblemDocument"] = problems.SCHEMA
        for address, questions in schema["paths"].items():
            for method, question in questions.items():
                question["responses"] |= _failures(address, method)
                question.setdefault("security", _OPTIONAL)
                for asked in question.get("parameters", ()):
                    asked["schema"] = _without_null(asked["schema"])
        schema["webhooks"] = webhook_messages.DESCRIPTION
        return schema


def _without_null(schema: dict[str, Any]) -> dict[str, Any]:
    """The schema of a parameter, which is left out where there is none: no address can say null."""
    kinds: list[dict[str, Any]] = [each for each in schema.get("anyOf", ()) if each.get("type") != "null"]
    if len(kinds) != 1:
        return schema
    return {name: value for name, value in schema.items() if name != "anyOf"} | kinds[0]


def _failures(address: str, method: str) -> dict[Any, Any]:
    """How a question may fail, and that its answer may be unchanged."""
    left_out = {404} if "{" not in address else set()
    if _OF_PLAYER not in address:
        left_out |= {307}
    if _OF_POOL not in address:
        left_out |= {403}
    document = {"schema": {"$ref": "#/components/schemas/ProblemDocument"}}
    found: dict[Any, Any] = {
        status: {"description": description, "content": {problems.TYPE: document}}
        for status, description in problem_types.answers().items()
        if status not in left_out
    }
    if method == "get":
        found[304] = {"description": "Nothing has changed since the answer whose tag was shown."}
    return found


api = OfficeApi(
    title="Banzuke",
    version="1",
    description=ABOUT,
    docs_url=None,
    throttle=[*LIMITS],
    urls_namespace="api",
)
for router in (
    lists.router,
    players.router,
    search.router,
    lists.events_router,
    reports.router,
    go_queries.router,
    go_submissions.router,
    calculators.router,
):
    api.add_router("", router)
problems.add_problem_handlers(api)


def welcome(request: HttpRequest) -> HttpResponse:
    """Where to begin."""
    here = request.path
    return JsonResponse({"title": api.title, "description": f"{here}openapi.json", "pools": f"{here}pools"})


@csrf_exempt
def nothing_here(request: HttpRequest) -> HttpResponse:
    """The answer for an address that is none."""
    return problems.problem(request, "unknown-address")


def addresses() -> list[URLPattern]:
    """The API's addresses, every answer finished."""
    patterns = [each for each in api.urls[0] if isinstance(each, URLPattern) and each.name != "api-root"]
    for each in patterns:
        each.callback = with_etag(each.callback)
    root = path("", with_etag(welcome), name="api-root")
    return [root, *patterns, re_path("", with_etag(nothing_here))]
