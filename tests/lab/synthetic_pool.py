"""A pool made so that the truth is known: players of constant strength, results drawn from the table."""

from __future__ import annotations

import csv
from datetime import date, timedelta

import numpy as np

from banzuke.rulebooks.fide.tables import expected, limited

START = date(2024, 10, 21)
#: Constants of jcf-2024 by which nobody's rating ever changes.
STANDING_STILL = ("k_normal=0", "k_new=0", "k_junior=0", "k_reached=0")


def write_table(path, rows):
    with path.open("w", encoding="utf-8", newline="") as stream:
        writer = csv.DictWriter(stream, list(rows[0]), lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)


def made_pool(folder, *, players=60, events=80, rounds=9, seed=1, opening=lambda strength: strength):
    """A jcf-2024 ledger of members who all opened with `opening(strength)`; the strengths and no draws."""
    random = np.random.default_rng(seed)
    strengths = random.integers(1100, 2100, players).tolist()
    ids = [f"M{number:03}" for number in range(players)]
    rows, told = [], []
    for event in range(events):
        day = START + timedelta(days=7 * event)
        told.append(
            {"event_id": f"E{event:03}", "name": f"Event {event}", "base_minutes": 90,
             "starts": day, "ends": day, "reported": day}
        )  # fmt: skip
        for number in range(1, rounds + 1):
            order = random.permutation(players)
            for one, other in zip(order[0::2].tolist(), order[1::2].tolist(), strict=True):
                chance = expected(limited(strengths[one] - strengths[other], 400)) / 100
                result = "1-0" if random.random() < chance else "0-1"
                rows.append(
                    {"event_id": f"E{event:03}", "round": number, "white": ids[one], "black": ids[other],
                     "result": result}
                )  # fmt: skip
    folder.mkdir()
    (folder / "pool.toml").write_text(
        'name = "Made"\n[[edition]]\nrulebook = "jcf-2024"\nfrom = 2024-10-01\n', "utf-8"
    )
    write_table(folder / "players.csv", [{"player_id": player, "name": f"{player} Made"} for player in ids])
    write_table(
        folder / "memberships.csv",
        [
            {"player_id": p, "kind": "annual", "valid_from": "2024-01-01", "valid_to": "2034-01-01"}
            for p in ids
        ],
    )
    write_table(folder / "events.csv", told)
    write_table(folder / "games.csv", rows)
    openings = [
        {"player_id": player, "speed": "standard", "rating": opening(strength), "games": 100}
        for player, strength in zip(ids, strengths, strict=True)
    ]
    write_table(folder / "standings.csv", openings)
    return folder
