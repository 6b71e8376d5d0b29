"""The documents of this program as pages of the office: the files that the site is made of."""

import posixpath
import unicodedata
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from django.http import FileResponse, Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import render
from django.urls import reverse
from django.utils.safestring import SafeString
from markdown_it import MarkdownIt
from markdown_it.renderer import RendererHTML
from markdown_it.token import Token

from banzuke.office.administration.office_settings import office_settings

#: Where the documents are: in the package as it is installed, or in the project beside it.
_PACKAGE = Path(__file__).resolve().parents[2]
FOLDER = next((path for path in (_PACKAGE / "docs", _PACKAGE.parent / "docs") if path.is_dir()), None)
PICTURES = {".png": "image/png", ".svg": "image/svg+xml"}
FIRST = "index"
#: The document below which stands whom to ask at this office.
PRIVACY = "privacy"
#: A document begins with its heading: so many tokens.
_HEADING = 3
#: A list of documents in a page of contents, as the site's maker writes it.
CONTENTS, HIDDEN = "{toctree}", ":hidden:"


class Document(NamedTuple):
    """A document: its title, the text below it as HTML, and the language it is in."""

    title: str
    text: SafeString
    lang: str


def document(request: HttpRequest, name: str = FIRST) -> HttpResponse:
    """A document; on Japanese pages the contents are those of the Japanese documents."""
    if name == FIRST and getattr(request, "LANGUAGE_CODE", "en") == "ja" and _path("ja/index") is not None:
        name = "ja/index"
    is_first = name.rpartition("/")[2] == FIRST
    context = {"document": read(name), "is_first": is_first, "other": None if is_first else _other(name)}
    if name.rpartition("/")[2] == PRIVACY:
        context["contact"] = office_settings().contact
    return render(request, "documents/document.html", context)


def _other(name: str) -> tuple[str, str, str] | None:
    """The same document in the other language, if there is one: its language, address and title."""
    lang, other = ("en", name.removeprefix("ja/")) if name.startswith("ja/") else ("ja", f"ja/{name}")
    return (lang, _address(other), title_of(other)) if _path(other) else None


def picture(_: HttpRequest, name: str) -> HttpResponseBase:
    """A picture of a document."""
    path = _files().get(name)
    if path is None or path.suffix not in PICTURES:
        raise Http404
    return FileResponse(path.open("rb"), content_type=PICTURES[path.suffix])


@cache
def read(name: str) -> Document:
    """The document of that name. Raises Http404 where there is none."""
    path = _path(name)
    if path is None:
        raise Http404
    parser = _parser()
    environment = {"name": name}
    tokens = list(_with_addresses(parser.parse(path.read_text("utf-8"), environment)[_HEADING:], name))
    text = parser.renderer.render(tokens, parser.options, environment)
    return Document(title_of(name), SafeString(text), "ja" if name.startswith("ja/") else "en")


@cache
def title_of(name: str) -> str:
    """A document's first heading."""
    path = _path(name)
    first = "" if path is None else next(iter(path.read_text("utf-8").splitlines()), "")
    return first.removeprefix("# ").strip() or name


@cache
def _files() -> dict[str, Path]:
    """The documents (`ledger.md`, `ja/faq.md`) and pictures, by their names within the folder."""
    found = () if FOLDER is None else FOLDER.rglob("*.*")
    return {path.relative_to(str(FOLDER)).as_posix(): path for path in found}


def has_document(name: str) -> bool:
    """Whether there is a document of that name."""
    return _path(name) is not None


def _path(name: str) -> Path | None:
    return _files().get(f"{name}.md")


def anchor(heading: str) -> str:
    """What a heading is called in an address: `Behind a proxy with TLS` as `behind-a-proxy-with-tls`."""
    words = unicodedata.normalize("NFC", heading).lower().replace(" ", "-")
    return "".join(sign for sign in words if sign.isalnum() or sign in "-_")


def _parser() -> MarkdownIt:
    """CommonMark with tables; HTML in a document is shown as text."""
    parser = MarkdownIt("commonmark", {"html": False}).enable("table")
    parser.add_render_rule("fence", _fence)
    parser.add_render_rule("table_open", lambda *_: '<div class="scroll" tabindex="0"><table class="sheet">')
    parser.add_render_rule("table_close", lambda *_: "</table></div>")
    return parser


def _fence(
    renderer: RendererHTML, tokens: Sequence[Token], place: int, options: Any, environment: Any
) -> str:
    """A block of code; a list of documents becomes links, one for the site alone nothing."""
    block = tokens[place]
    if block.info.strip() != CONTENTS:
        return RendererHTML.fence(renderer, tokens, place, options, environment)
    if HIDDEN in block.content:
        return ""
    lines = [line for line in block.content.splitlines() if line and line[0] != ":"]
    names = [_resolved(line, environment["name"]) for line in lines]
    links = (f'<li><a href="{_address(name)}">{title_of(name)}</a></li>' for name in names if _path(name))
    return f"<ul>{''.join(links)}</ul>"


def _with_addresses(tokens: Sequence[Token], name: str) -> Iterator[Token]:
    """The tokens with the addresses that documents and pictures have here, and with names of headings."""
    for place, token in enumerate(tokens):
        if token.type == "heading_open":
            token.attrSet("id", anchor("".join(part.content for part in tokens[place + 1].children or ())))
        if token.children:
            token.children = list(_inline(token.children, name))
        yield token


def _inline(parts: Sequence[Token], name: str) -> Iterator[Token]:
    """The parts of a sentence; a link to a file of the project that is no document is its words alone."""
    is_linked = True
    for part in parts:
        if part.type == "link_open":
            address = _link(str(part.attrGet("href") or ""), name)
            is_linked = bool(address)
            part.attrSet("href", address)
        elif part.type == "image":
            picture_name = str(part.attrGet("src")).rpartition("/")[2]
            part.attrSet("src", reverse("document-picture", args=[picture_name]))
        if is_linked or part.type not in ("link_open", "link_close"):
            yield part


def _link(href: str, name: str) -> str:
    """Another document's address here; anything else as it stands; blank for a file that is no document."""
    target, _, heading = href.partition("#")
    if "://" in href or not target:
        return href
    found = _resolved(target.removesuffix(".md"), name)
    if _path(found) is None:
        return ""
    return _address(found) + (f"#{heading}" if heading else "")


def _resolved(target: str, name: str) -> str:
    """A document's name from what stands in the document `name`."""
    return posixpath.normpath(posixpath.join(posixpath.dirname(name), target))


def _address(name: str) -> str:
    return reverse("documents") if name == FIRST else reverse("document", args=[name])
