"""An event's crosstable as one HTML page: for screens of any width, light or dark, and for paper.

Nothing is fetched and nothing runs (the page forbids it to itself); every text is escaped. A change shows its
sign, an arrow and a colour.
"""

from collections.abc import Iterable, Mapping
from html import escape
from importlib.resources import files
from string import Template

from banzuke.core.decimals import half_sign
from banzuke.formats.events.event_table import EventRow, EventTable, RoundCell
from banzuke.formats.events.standings_table import StandingsRow, StandingsTable

_CLASSES = {"1": "win", "½": "draw", "0": "loss"}
_NUMBERS = ("points", "scored", "expected", "change", "bonus", "after")


def write(event: EventTable, wording: Mapping[str, str], standings: StandingsTable | None = None) -> bytes:
    """The page, UTF-8; `wording` has the headings (`event-name` ...), `lang`, `facts` and `event-legend`.

    With standings it has their words too (`standings-title` ...).
    """
    template = Template(files(__package__).joinpath("event_html.html").read_text("utf-8"))
    names = {row.number: _name(row, wording["lang"]) for row in event.rows}
    texts = {key: escape(wording[key]) for key in ("lang", "facts")}
    page = template.substitute(
        texts,
        name=escape(event.name),
        ids="fide" if event.has_fide_ids else "pool",
        legend=escape(wording["event-legend"]),
        head="".join(_head(event, wording)),
        rows="\n".join(_row(row, names, has_bonus=event.has_bonus) for row in event.rows),
        standings="" if standings is None else "\n".join(_standings(standings, wording)),
    )
    return page.encode()


def _head(event: EventTable, wording: Mapping[str, str]) -> Iterable[str]:
    yield f'<th scope="col" class="n">{escape(wording["event-number"])}</th>'
    yield f'<th scope="col" class="name">{escape(wording["event-name"])}</th>'
    yield f'<th scope="col" class="n">{escape(wording["event-before"])}</th>'
    for number in event.rounds:
        yield f'<th scope="col">{escape(wording["event-round"].format(round=number))}</th>'
    for key in _NUMBERS:
        if key != "bonus" or event.has_bonus:
            yield f'<th scope="col" class="n">{escape(wording[f"event-{key}"])}</th>'


def _standings(table: StandingsTable, wording: Mapping[str, str]) -> Iterable[str]:
    words = {key.removeprefix("standings-"): escape(word) for key, word in wording.items()}
    heads = (("rank", "n"), ("name", "name"), ("points", "n"))
    yield f"<h2>{words['title']}</h2>"
    yield '<div class="scroll" tabindex="0"><table><thead><tr>'
    yield "".join(f'<th scope="col" class="{kind}">{words[key]}</th>' for key, kind in heads)
    yield "".join(f'<th scope="col" class="n">{escape(code)}</th>' for code in table.codes)
    yield "</tr></thead><tbody>"
    yield from (_standings_row(row, wording["lang"]) for row in table.rows)
    yield f'</tbody></table></div><p class="legend">{words["legend"]}<br>{words["note"]}</p>'


def _standings_row(row: StandingsRow, lang: str) -> str:
    values = "".join(f'<td class="n">{text}</td>' for text in row.texts)
    name = f'<th scope="row" class="name"><bdi>{escape(_name(row, lang))}</bdi></th>'
    points = f'<td class="n strong">{half_sign(row.points)}</td>'
    return f'<tr><td class="n">{row.rank}</td>{name}{points}{values}</tr>'


def _row(row: EventRow, names: Mapping[int, str], *, has_bonus: bool) -> str:
    scored = f"{half_sign(row.scored)} / {row.rated}" if row.rated else ""
    expected = "" if row.expected is None else f"{row.expected / 100:.2f}"
    cells = [
        f'<td class="n">{row.number}</td>',
        f'<th scope="row" class="name"><bdi>{escape(names[row.number])}</bdi></th>',
        f'<td class="n">{_number(row.before)}</td>',
        *(cell(each, names) for each in row.cells),
        f'<td class="n strong">{half_sign(row.points)}</td>',
        f'<td class="n">{scored}</td>',
        f'<td class="n">{expected}</td>',
        _change(row.change),
        *([_change(row.bonus)] if has_bonus else []),
        f'<td class="n strong">{_number(row.after)}</td>',
    ]
    return f'<tr id="p{row.number}" data-id="{escape(row.player_id)}">{"".join(cells)}</tr>'


def _name(row: EventRow | StandingsRow, lang: str) -> str:
    native = row.name_native if lang == "ja" else ""
    return native or row.name or row.player_id


def _number(value: int | None) -> str:
    return "–" if value is None else str(value)


def cell(found: RoundCell | None, names: Mapping[int, str], mark: str = "") -> str:
    """A round's cell, linked to the opponent's row; `names` are by the rows' numbers.

    A `mark` takes the place of the star: the word under which a page says why the game does not count.
    """
    if found is None:
        return "<td></td>"
    if found.is_bye:
        return f'<td class="forfeit">{found.text}</td>'
    kind = _CLASSES.get(found.result, "forfeit") if found.is_rated else "forfeit"
    opponent = escape(names[found.opponent])
    text = f"{found.text.removesuffix('*')}<sup>{escape(mark)}</sup>" if mark else found.text
    return f'<td class="{kind}"><a href="#p{found.opponent}" title="{opponent}">{text}</a></td>'


def _change(hundredths: int | None) -> str:
    """A change in hundredths of a point: `↑ +12.4`."""
    if hundredths is None:
        return '<td class="n"></td>'
    size = f"{abs(hundredths) / 100:.2f}".rstrip("0").rstrip(".")
    if not hundredths:
        return '<td class="n">±0</td>'
    kind, sign = ("up", "↑ +") if hundredths > 0 else ("down", "↓ −")
    return f'<td class="n {kind}">{sign}{size}</td>'
