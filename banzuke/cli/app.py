"""The command `banzuke`: thin; each command reads, calls the office, prints."""

from __future__ import annotations

import io
import sys

import typer

from banzuke.cli import (
    backups,
    calc,
    demo,
    exports,
    fide,
    forms,
    go_feed,
    go_replay,
    lab,
    name_lookup,
    office_server,
    pool_ledgers,
    published_lists,
    rating,
    register,
    report_imports,
    rules,
)
from banzuke.cli.output import REFUSED, complain, drop_unwritten_output, text

app = typer.Typer(
    name="banzuke",
    help=text("app"),
    epilog=text("app-epilog"),
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)
app.command("demo", help=text("demo"))(demo.demo)
app.command("rate", help=text("rate"), epilog=text("rate-epilog"))(rating.rate)
app.command("check", help=text("check"))(rating.check)
app.command("explain", help=text("explain"), epilog=text("explain-epilog"))(rating.explain)
app.command("rules", help=text("rules"), epilog=text("rules-epilog"))(rules.rules)
app.command("import", help=text("import"), epilog=text("import-epilog"))(report_imports.import_reports)
app.command("export", help=text("export"), epilog=text("export-epilog"))(exports.export)
app.command("form", help=text("form"), epilog=text("form-epilog"))(forms.form)
app.command("who", help=text("who"), epilog=text("who-epilog"))(name_lookup.who)
app.command("register", help=text("register"), epilog=text("register-epilog"))(register.register)
app.command("import-ledger", help=text("import-ledger"))(pool_ledgers.import_ledger)
app.command("export-ledger", help=text("export-ledger"))(pool_ledgers.export_ledger)
app.command("publish", help=text("publish"))(published_lists.publish)
app.command("verify", help=text("verify"), epilog=text("verify-epilog"))(published_lists.verify)
app.command("serve", help=text("serve"), epilog=text("serve-epilog"))(office_server.serve)
app.command("replay", help=text("replay"), epilog=text("replay-epilog"))(go_replay.replay)
app.command("tail", help=text("tail"), epilog=text("tail-epilog"))(go_feed.tail)
app.command("backup", help=text("backup"))(backups.backup)
app.command("restore", help=text("restore"))(backups.restore)
app.add_typer(lab.app, name="lab", help=text("lab"))
app.add_typer(calc.app, name="calc", help=text("calc"))
app.add_typer(fide.app, name="fide", help=text("fide"))


def main() -> None:
    """Run the command line; what the output's encoding cannot hold is written as an escape."""
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="backslashreplace")
    try:
        app()
    except OSError as error:  # help for which there is no room
        drop_unwritten_output()
        complain(text("cannot-write", path="-", reason=error.strerror or error))
        sys.exit(REFUSED)


if __name__ == "__main__":
    main()
