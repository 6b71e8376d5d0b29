"""The words of exported files in a language: headings by the keys of their columns, and titles."""

from banzuke.core.facts import SPEEDS
from banzuke.formats.events.event_table import EventTable
from banzuke.formats.lists.rating_list import MEASURES, AnyList, Ranking, measure_key
from banzuke.words import Language, catalogue, day_text, list_title, say


def fixed_wording(lang: Language) -> dict[str, str]:
    """Every heading and word that has no facts in it, by key; those of speeds put together."""
    words: dict[str, str] = {key: values[lang] for key, values in catalogue("export").items()}
    of_speeds = {
        measure_key(speed, measure): f"{words[f'speed-{speed}']} {words[measure]}"
        for speed in SPEEDS
        for measure in MEASURES
    }
    return words | of_speeds | {"lang": lang}


def list_wording(listed: AnyList, lang: Language) -> dict[str, str]:
    """The words of a list: its title, which pool it is of, the book that made it, how many are on it."""
    facts = {"pool": listed.pool, "list": list_title(listed.name, lang)}
    key = "ranking" if isinstance(listed, Ranking) else "list"
    subtitle = say("export", f"subtitle-{key}", lang, list=facts["list"])
    if listed.preliminary_until:
        day = day_text(listed.preliminary_until.isoformat(), lang)
        subtitle = f"{subtitle} · {say('export', 'preliminary', lang, day=day)}"
    return fixed_wording(lang) | {
        "title": say("export", f"title-{key}", lang, **facts).strip(),
        "subtitle": subtitle,
        "book": say("export", "made-by", lang, book=listed.rulebook) if listed.rulebook else "",
        "note": say("export", "count", lang, count=len(listed.players)),
    }


def event_wording(event: EventTable, lang: Language) -> dict[str, str]:
    """The words of a crosstable."""
    words = fixed_wording(lang)
    days = dict.fromkeys(day_text(day.isoformat(), lang) for day in (event.starts, event.ends))
    made_by = say("export", "made-by", lang, book=event.rulebook)
    speed = words[f"speed-{event.speed}"] if event.speed else ""
    of_list = say("export", "of-list", lang, pool=event.pool, list=list_title(event.list, lang))
    facts = (event.place, ("～" if lang == "ja" else "–").join(days), speed, of_list, made_by)
    legend = [
        words["event-legend"],
        words["event-legend-star"],
        *([words["event-legend-bonus"]] if event.has_bonus else []),
    ]
    return words | {"facts": " · ".join(fact for fact in facts if fact), "event-legend": " ".join(legend)}
