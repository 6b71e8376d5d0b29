"""Faults of pool.toml that its text alone does not show, and those of the border-zone table."""

from __future__ import annotations

import pytest
from broken_ledgers import change, refused, rewrite

from banzuke.core.go_facts import HALF_RANKS, rank_name
from banzuke.ledger import toml_files
from banzuke.ledger.folder import read_ledger
from banzuke.rulebooks.pandanet.ranks import default_zone

SHAPE = (
    "lines.toml: This is not a border-zone table; "
    "give each half rank a [[rank]] with rank, up, down and start, and nothing besides."
)


class TestPoolToml:
    def test_pool_toml_nested_too_deep(self, ledger_folder):
        folder = ledger_folder("hakodate")
        rewrite(folder, "pool.toml", f"name = {'[' * 5000}")
        (line,) = refused(folder)
        assert line.startswith("pool.toml: This is not TOML that can be read (")

    @pytest.mark.parametrize(
        ("text", "said"),
        [
            ("".join(f"[a{n}]\n" for n in range(400_000)), "The file has more than 100000 bytes"),
            ("[[edition]]\n" * 1001, "More than 1000 lines begin with ["),
            ("\t [a]\r\n" * 1001, "More than 1000 lines begin with ["),
        ],
    )
    def test_a_file_too_large_to_be_read(self, ledger_folder, monkeypatch, text, said):
        folder = ledger_folder("hakodate")
        rewrite(folder, "pool.toml", text)
        monkeypatch.setattr(toml_files, "tomllib", None)
        (line,) = refused(folder)
        assert line.startswith(f"pool.toml: {said}, so ")

    @pytest.mark.parametrize("value", ["9" * 5000, f"0x{'F' * 9999}", "[[1]]", "{a.b.c = 1}"])
    def test_values_that_nothing_in_pool_toml_holds(self, ledger_folder, value):
        folder = ledger_folder("hakodate")
        change(folder, "pool.toml", '"hakodate"', value)
        (line,) = refused(folder)
        assert line.startswith("pool.toml:")


def lines_toml(**changed):
    """The default border zone as a file; `changed` gives a rank's whole [[rank]] anew, or None for none."""
    zone, ranks = default_zone(), []
    for half in range(HALF_RANKS):
        up = "" if zone.up[half] is None else f"up = {zone.up[half]}\n"
        own = f'rank = "{rank_name(half)}"\n{up}down = {zone.down[half]}\nstart = {zone.start[half]}\n'
        text = changed.get(rank_name(half), own)
        ranks += [] if text is None else [f"[[rank]]\n{text}"]
    return "".join(ranks)


class TestBorderZone:
    """lines.toml, named by the pool.toml of a Go server."""

    NUMBERS = "each a whole number of at most nine digits"

    @pytest.fixture
    def folder(self, ledger_folder):
        folder = ledger_folder("go")
        change(folder, "pool.toml", "2025-01-01", '2025-01-01\nborder_zone = "lines.toml"')
        return folder

    def test_good(self, folder):
        rewrite(folder, "lines.toml", "\ufeff" + lines_toml())
        (edition,) = read_ledger(folder).pool.editions
        assert edition.zone == default_zone()._replace(source="lines.toml")

    @pytest.mark.parametrize(
        ("text", "line"),
        [
            pytest.param("rank = 1", SHAPE, id="not a table of ranks"),
            pytest.param("", SHAPE, id="empty"),
            pytest.param(f'name = "x"\n{lines_toml()}', SHAPE, id="something besides"),
            pytest.param(
                lines_toml(**{"17k": None, "9d+": None}),
                "lines.toml: rank: Some ranks have no [[rank]]; add one for each of: 17k, 9d+.",
                id="ranks missing",
            ),
            pytest.param(
                lines_toml() + '[[rank]]\nrank = "1d"\nup = 3\ndown = 1\nstart = 2\n',
                "lines.toml: 1d: This rank has a [[rank]] already; keep one of the two.",
                id="rank twice",
            ),
            pytest.param(
                lines_toml() + '[[rank]]\nrank = "10d"\n',
                "lines.toml: rank 53: '10d' is not a rank; write one of 17k, 17k+, 16k ... 9d, 9d+ in quotes.",
                id="no rank",
            ),
            pytest.param(
                lines_toml() + '[[rank]]\nrank = ["1d"]\n',
                "lines.toml: rank 53: '[...]' is not a rank; write one of 17k, 17k+, 16k ... 9d, 9d+ in quotes.",
                id="a list for a rank",
            ),
            pytest.param(
                lines_toml(**{"1d": 'rank = "1d"\nup = 7200\ndown = 6600.5\nstart = 7000\n'}),
                f"lines.toml: 1d: Besides its rank this [[rank]] must have just these, {NUMBERS}: down, start, up.",
                id="half a point",
            ),
            pytest.param(
                lines_toml(**{"1d": f'rank = "1d"\nup = 7200\ndown = 6600\nstart = 0x{"F" * 9999}\n'}),
                f"lines.toml: 1d: Besides its rank this [[rank]] must have just these, {NUMBERS}: down, start, up.",
                id="too many digits",
            ),
            pytest.param(
                lines_toml(**{"9d+": 'rank = "9d+"\nup = 30000\ndown = 20200\nstart = 20600\n'}),
                f"lines.toml: 9d+: Besides its rank this [[rank]] must have just these, {NUMBERS}: down, start.",
                id="the highest rank going up",
            ),
            pytest.param(
                lines_toml(**{"1d": 'rank = "1d"\nup = 14000\ndown = 13400\nstart = 14000\n'}),
                "lines.toml: 1d: The points on certification, start = 14000, do not lie between down = 13400 and up = 14000; "
                "put them above the one and below the other.",
                id="start at the line",
            ),
            pytest.param(
                lines_toml(**{"9d+": 'rank = "9d+"\ndown = 20200\nstart = 20200\n'}),
                "lines.toml: 9d+: The points on certification, start = 20200, do not lie between down = 20200 and up = -; "
                "put them above the one and below the other.",
                id="start of the highest rank",
            ),
            pytest.param(
                lines_toml(**{"1d+": 'rank = "1d+"\nup = 14400\ndown = 14000\nstart = 14200\n'}),
                "lines.toml: 1d: Who goes up at 14000 would fall back at once, for 1d+ goes down at 14000; "
                "let down of 1d+ be less than 14000.",
                id="up and down at once",
            ),
        ],
    )
    def test_wrong(self, folder, text, line):
        rewrite(folder, "lines.toml", text)
        assert refused(folder) == [line]

    def test_not_toml(self, folder):
        rewrite(folder, "lines.toml", "[[rank]")
        (line,) = refused(folder)
        assert line.startswith("lines.toml:1: This is not TOML that can be read (")

    def test_a_folder(self, folder):
        (folder / "lines.toml").mkdir()
        (line,) = refused(folder)
        assert line.startswith("lines.toml: The file cannot be opened (")
