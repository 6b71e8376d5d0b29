"""No way around: what is closed stays as it is, and what was taken away is missed."""

from __future__ import annotations

import pytest
from django.apps import apps
from django.db import DatabaseError, connection, models, transaction
from office.filled_office import fill

from banzuke.database import guards
from banzuke.database.append_only import CLOSED, closing_statements
from banzuke.office.administration.backup import fields

pytestmark = pytest.mark.django_db


def model_of(table):
    return apps.get_model("book", table)


def keys_of(model):
    """The columns of every key but the number, as the models have them."""
    constraints = [each for each in model._meta.constraints if isinstance(each, models.UniqueConstraint)]
    named = [tuple(model._meta.get_field(name).column for name in each.fields) for each in constraints]
    return {*named, *((field.column,) for field in fields(model) if field.unique and not field.primary_key)}


def run(statement):
    with connection.cursor() as cursor:
        cursor.execute(statement)


def rows_of(model):
    return list(model._base_manager.order_by("pk").values_list())


def attacks(model):
    """Statements by which somebody may try to change the first of two rows."""
    table, columns = model._meta.db_table, [field.column for field in fields(model)]
    quoted = ", ".join(f'"{column}"' for column in columns)
    copy = f"SELECT {quoted} FROM {table} WHERE id = 1"
    others = ", ".join(f'"{column}"' for column in columns[1:])
    last = columns[-1]
    yield f'UPDATE {table} SET "{last}" = "{last}"'
    yield f"DELETE FROM {table}"
    yield f'INSERT INTO {table} ({quoted}) {copy} ON CONFLICT (id) DO UPDATE SET "{last}" = excluded."{last}"'
    if connection.vendor == "postgresql":
        yield f"TRUNCATE {table} CASCADE"
        yield f"WITH gone AS (DELETE FROM {table} RETURNING 1) SELECT * FROM gone"
        yield f"MERGE INTO {table} USING (SELECT 1) AS x ON TRUE WHEN MATCHED THEN DELETE"
        yield f'SET LOCAL session_replication_role = replica; UPDATE {table} SET "{last}" = "{last}"'
        return
    copy = f"{copy} AND TRUE"  # SQLite asks for it before ON CONFLICT
    yield f'INSERT INTO {table} ({quoted}) {copy} ON CONFLICT DO UPDATE SET "{last}" = excluded."{last}"'
    for verb in ("INSERT OR REPLACE", "REPLACE", "INSERT OR IGNORE", "INSERT OR FAIL", "INSERT OR ROLLBACK"):
        yield f"{verb} INTO {table} ({quoted}) {copy}"
    for name in ("rowid", "oid", "_rowid_"):
        yield f"REPLACE INTO {table} ({name}, {others}) SELECT '1', {others} FROM {table} WHERE id = 2"
        yield f"REPLACE INTO {table} ({name}, {others}) SELECT 1.0, {others} FROM {table} WHERE id = 2"
    yield f'UPDATE OR REPLACE {table} SET "{last}" = "{last}"'
    yield f"UPDATE OR IGNORE {table} SET id = 2 WHERE id = 1"
    for key in CLOSED[model._meta.model_name]:  # another number, but the same key
        yield f"REPLACE INTO {table} ({others}) SELECT {others} FROM {table} WHERE id = 1"
        assert set(key) <= set(columns)


def test_no_statement_changes_a_row():
    with transaction.atomic():
        fill()
    connection.check_constraints()  # nothing is pending for which PostgreSQL would refuse as well
    tried = 0
    for table in CLOSED:
        model = model_of(table)
        before = rows_of(model)
        for statement in attacks(model):
            with pytest.raises(DatabaseError, match="append-only"), transaction.atomic():
                run(statement)
            tried += 1
        assert rows_of(model) == before, table
    assert tried >= 7 * len(CLOSED)


def test_the_keys_are_those_of_the_models():
    assert {table: set(keys) for table, keys in CLOSED.items()} == {
        table: keys_of(model_of(table)) for table in CLOSED
    }


def test_new_rows_go_in():
    """With the number that comes next, and with one that is given and free."""
    pool = model_of("pool")
    first = pool.objects.create(slug="one")
    assert pool.objects.create(slug="two").pk == first.pk + 1
    assert pool.objects.create(pk=first.pk + 7, slug="three").pk == first.pk + 7
    with pytest.raises(DatabaseError), transaction.atomic():
        pool.objects.create(slug="one")


class TestGuards:
    """Somebody with all rights can take a trigger away; it is missed until it is there again."""

    def on_game(self):
        return "" if connection.vendor == "sqlite" else " ON book_game"

    def trigger(self):
        return "book_game_no_update" if connection.vendor == "sqlite" else "book_game_stays"

    def test_nothing_is_missing(self):
        assert guards.gaps() == []

    def test_a_trigger_taken_away_is_missed_and_made_again(self):
        run(f"DROP TRIGGER {self.trigger()}{self.on_game()}")
        assert guards.gaps() == [("book_game", self.trigger(), "missing")]
        for statement in closing_statements(connection):
            run(statement)
        assert guards.gaps() == []

    def test_one_that_does_nothing(self):
        run(f"DROP TRIGGER {self.trigger()}{self.on_game()}")
        if connection.vendor == "sqlite":
            run(f"CREATE TRIGGER {self.trigger()} BEFORE UPDATE ON book_game BEGIN SELECT 1; END")
        else:
            run(f"CREATE TRIGGER {self.trigger()} BEFORE DELETE ON book_game EXECUTE FUNCTION book_refuse()")
        assert guards.gaps() == [("book_game", self.trigger(), "changed")]

    def test_one_that_stands_in_the_way(self):
        if connection.vendor == "sqlite":
            run("CREATE TRIGGER quiet BEFORE INSERT ON book_game BEGIN SELECT RAISE(IGNORE); END")
        else:
            run("CREATE RULE quiet AS ON INSERT TO book_game DO INSTEAD NOTHING")
        assert guards.gaps() == [("book_game", "quiet", "foreign")]

    @pytest.mark.skipif("connection.vendor != 'postgresql'", reason="a way of PostgreSQL")
    def test_a_rule_called_as_the_trigger(self):
        run("CREATE RULE book_game_stays AS ON INSERT TO book_game DO INSTEAD NOTHING")
        assert guards.gaps() == [("book_game", "book_game_stays", "foreign")]

    def test_one_of_a_table_that_is_not_closed(self):
        """What happens there by itself, such as a role given when somebody signs in, is not the office's."""
        if connection.vendor == "sqlite":
            name = "quiet"
            run("CREATE TRIGGER quiet AFTER INSERT ON django_session BEGIN SELECT 1; END")
        else:
            name = "book_game_stays"
            run("CREATE RULE book_game_stays AS ON INSERT TO django_session DO ALSO SELECT 1")
            run("CREATE VIEW known AS SELECT 1")
        assert guards.gaps() == [("django_session", name, "foreign")]

    @pytest.mark.skipif("connection.vendor != 'sqlite'", reason="SQLite keeps names as they are typed")
    def test_names_in_capitals(self):
        run("CREATE TRIGGER QUIET BEFORE INSERT ON BOOK_GAME BEGIN SELECT RAISE(IGNORE); END")
        assert guards.gaps() == [("book_game", "quiet", "foreign")]
        run("DROP TRIGGER QUIET")
        run("DROP TRIGGER book_game_no_update")
        run("CREATE TRIGGER Book_Game_No_Update BEFORE UPDATE ON Book_Game BEGIN SELECT 1; END")
        assert guards.gaps() == [("book_game", "book_game_no_update", "changed")]

    @pytest.mark.skipif("connection.vendor != 'sqlite'", reason="a way of SQLite")
    def test_another_table_in_its_place(self):
        run("ALTER TABLE book_game RENAME TO book_other")
        run("CREATE TABLE book_game AS SELECT * FROM book_other")
        assert {(gap.trigger, gap.kind) for gap in guards.gaps()} == {
            ("book_game_no_update", "missing"),
            ("book_game_no_delete", "missing"),
            ("book_game_no_replace", "missing"),
        }

    @pytest.mark.skipif("connection.vendor != 'postgresql'", reason="ways of PostgreSQL")
    @pytest.mark.parametrize(
        "statement",
        [
            "ALTER TABLE book_game DISABLE TRIGGER book_game_stays",
            "ALTER TABLE book_game ENABLE REPLICA TRIGGER book_game_stays",
            "CREATE OR REPLACE FUNCTION book_refuse() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NULL; END'",
        ],
    )
    def test_one_that_is_switched_off(self, statement):
        run(statement)
        assert ("book_game", "book_game_stays", "changed") in guards.gaps()
