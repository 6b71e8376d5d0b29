"""The border-zone table of a Go server: a TOML file with a `[[rank]]` for every half rank."""

from typing import Any

from banzuke.core.fault import Fault, fault
from banzuke.core.go_facts import HALF_OF, HALF_RANKS, Zone, rank_name
from banzuke.ledger.pool_files import PoolFiles
from banzuke.ledger.toml_files import is_whole, toml_text

#: What a sentence says of the highest rank's promotion line.
NO_LINE = "-"
KEYS = {"rank", "up", "down", "start"}
TOP = HALF_RANKS - 1


def read_zone(files: PoolFiles, name: str, faults: list[Fault]) -> Zone | None:
    """The table of that file; None with faults."""
    before = len(faults)
    ranks = _ranks(files, name, faults)
    if len(faults) == before:
        _check_lines(name, ranks, faults)
    if len(faults) > before:
        return None
    rows = [ranks[half] for half in range(HALF_RANKS)]
    return Zone(
        tuple(row.get("up") for row in rows),
        tuple(row["down"] for row in rows),
        tuple(row["start"] for row in rows),
        name,
    )


def _ranks(files: PoolFiles, name: str, faults: list[Fault]) -> dict[int, dict[str, int]]:
    """The rows by half rank; faults for rows that are wrong, double or missing."""
    document = files.read_document(name, faults)
    if document is None:
        return {}
    rows = document.get("rank")
    if set(document) - {"rank"} or not isinstance(rows, list):
        faults.append(fault(name, 0, "", "zone-shape"))
        return {}
    ranks: dict[int, dict[str, int]] = {}
    for number, row in enumerate(rows, 1):
        half = _half(name, number, row, faults)
        if half is None:
            continue
        if half in ranks:
            faults.append(fault(name, 0, rank_name(half), "zone-double"))
        ranks[half] = row
    missing = [rank_name(half) for half in range(HALF_RANKS) if half not in ranks]
    if missing:
        faults.append(fault(name, 0, "rank", "zone-missing", ranks=", ".join(missing)))
    return ranks


def _half(name: str, number: int, row: Any, faults: list[Fault]) -> int | None:
    """The half rank of a row; None where its rank is none."""
    rank = row.get("rank") if isinstance(row, dict) else None
    if not isinstance(rank, str) or rank not in HALF_OF:
        faults.append(fault(name, 0, f"rank {number}", "zone-rank", value=toml_text(rank)))
        return None
    numbers = KEYS - {"rank"} - ({"up"} if HALF_OF[rank] == TOP else set())
    if set(row) != numbers | {"rank"} or not all(is_whole(row[key]) for key in numbers):
        faults.append(fault(name, 0, rank, "zone-numbers", needed=", ".join(sorted(numbers))))
    return HALF_OF[rank]


def _check_lines(name: str, ranks: dict[int, dict[str, int]], faults: list[Fault]) -> None:
    """Lines that let every rank stand: down < start < up, and no player both up and down."""
    for half in range(HALF_RANKS):
        row = ranks[half]
        if not row["down"] < row["start"] < row.get("up", row["start"] + 1):
            up = row.get("up", NO_LINE)
            faults.append(
                fault(name, 0, rank_name(half), "zone-start", start=row["start"], down=row["down"], up=up)
            )
        if half < TOP and ranks[half + 1]["down"] >= row["up"]:
            facts = {"up": row["up"], "down": ranks[half + 1]["down"], "next": rank_name(half + 1)}
            faults.append(fault(name, 0, rank_name(half), "zone-flicker", **facts))
