"""The command `banzuke`: its commands by name, each imported when it is called; listing them imports none."""

import io
import sys
from collections import UserDict
from importlib import import_module
from typing import Annotated, Any

import typer
from typer.core import TyperCommand, TyperGroup
from typer.main import get_command

from banzuke.cli.command import REFUSED, failures_in_a_line
from banzuke.cli.output import complain, drop_unwritten_output, text
from banzuke.cli.usage_errors import command_line_language, translated_usage_errors
from banzuke.words import catalogue, preferred_language, say

#: Where a context keeps the language that its command line asks for.
LANG = "banzuke.lang"

#: Each command's module and its function there, or `GROUP`, in the order of the help.
#: Help and epilog stand in the catalogue `cli` under the same words with hyphens.
GROUP = ""
COMMANDS = {
    "demo": "banzuke.cli.demo:demo",
    "new": "banzuke.cli.new_ledger:new",
    "rate": "banzuke.cli.rating:rate",
    "check": "banzuke.cli.rating:check",
    "explain": "banzuke.cli.rating:explain",
    "rules": "banzuke.cli.rules:rules",
    "import": "banzuke.cli.report_imports:import_reports",
    "export": "banzuke.cli.exports:export",
    "standings": "banzuke.cli.standings:show_standings",
    "form": "banzuke.cli.forms:form",
    "who": "banzuke.cli.name_lookup:who",
    "register": "banzuke.cli.register:register",
    "import-ledger": "banzuke.cli.office_data:import_ledger",
    "export-ledger": "banzuke.cli.office_data:export_ledger",
    "publish": "banzuke.cli.published_lists:publish",
    "verify": "banzuke.cli.published_lists:verify",
    "proof": GROUP,
    "proof check": "banzuke.cli.proofs:check_proof",
    "proof since": "banzuke.cli.proofs:since",
    "witness": "banzuke.cli.log_witness:witness",
    "log": GROUP,
    "log compare": "banzuke.cli.office_log:compare",
    "log new-key": "banzuke.cli.office_log:new_key",
    "log restart": "banzuke.cli.office_log:restart",
    "serve": "banzuke.cli.office_server:serve",
    "key": "banzuke.cli.keys:key",
    "consume": "banzuke.cli.consume:consume",
    "webhook": GROUP,
    "webhook add": "banzuke.cli.webhooks:add",
    "webhook list": "banzuke.cli.webhooks:list_all",
    "webhook on": "banzuke.cli.webhooks:switch_on",
    "webhook remove": "banzuke.cli.webhooks:remove",
    "push": "banzuke.cli.report_push:push",
    "replay": "banzuke.cli.office_clients:replay",
    "tail": "banzuke.cli.office_clients:tail",
    "backup": "banzuke.cli.office_data:backup",
    "restore": "banzuke.cli.office_data:restore",
    "erase": "banzuke.cli.erasing:erase",
    "database": GROUP,
    "database prepare": "banzuke.cli.database:prepare",
    "lab": GROUP,
    "lab compare": "banzuke.cli.lab:compare",
    "lab predict": "banzuke.cli.lab:predict",
    "lab fit": "banzuke.cli.lab:fit",
    "lab simulate": "banzuke.cli.lab:simulate",
    "lab anomalies": "banzuke.cli.lab:anomalies",
    "lab account": "banzuke.cli.lab:account",
    "lab soundness": "banzuke.cli.lab:soundness",
    "lab effect": "banzuke.cli.lab_effect:effect",
    "lab numbers": "banzuke.cli.lab:numbers",
    "calc": GROUP,
    "calc change": "banzuke.cli.calc:change",
    "calc first": "banzuke.cli.calc:first",
    "calc performance": "banzuke.cli.calc:performance",
    "calc go": "banzuke.cli.calc:go",
    "fide": GROUP,
    "fide find": "banzuke.cli.fide:find",
    "fide take-over": "banzuke.cli.fide:take_over",
}


class Commands(UserDict[str, Any]):
    """The commands one word further than `within`, each loaded when it is taken out."""

    def __init__(self, within: str) -> None:
        names = [words.removeprefix(within) for words in COMMANDS if words.startswith(within)]
        super().__init__({name: None for name in names if " " not in name})
        self.within = within

    def __getitem__(self, name: str) -> Any:
        """Load the command of that name. Raises KeyError where there is none."""
        if self.data[name] is None:
            self.data[name] = load(self.within + name)
        return self.data[name]


class CommandGroup(TyperGroup):
    """The commands within some words of the command line: `lab `; blank for those of `banzuke` itself."""

    def __init__(self, *, within: str = "", **about: Any) -> None:
        super().__init__(**about)
        self.commands, self.within = Commands(within), within

    def make_context(self, info_name: str | None, args: list[str], parent: Any = None, **extra: Any) -> Any:
        """Read the words of the command line as far as the command."""
        lang = command_line_language(args)
        with translated_usage_errors(lang):
            context = super().make_context(info_name, args, parent, **extra)
        context.meta.setdefault(LANG, lang)
        return context

    def invoke(self, ctx: Any) -> Any:
        """Run the command, once the words that follow it are read."""
        with translated_usage_errors(ctx.meta[LANG]):
            return super().invoke(ctx)

    def list_commands(self, _ctx: Any) -> list[str]:
        """Give the names in the order of the help."""
        return list(self.commands)

    def format_commands(self, ctx: Any, formatter: Any) -> None:
        """List the commands with the first words of their help; none is loaded."""
        abouts = {name: help_of(self.within + name) for name in self.commands}
        heads = [
            TyperCommand(name, **about, short_help=_first_sentence(about["help"]))
            for name, about in abouts.items()
        ]
        TyperGroup(commands=heads).format_commands(ctx, formatter)


def _first_sentence(about: str) -> str | None:
    """The first sentence in Japanese, which has no spaces to cut it at; None: Typer finds where to cut."""
    first, stop, _ = about.partition("。")
    return first + stop if stop else None


def load(words: str) -> Any:
    """Import the command of these words."""
    name = words.rpartition(" ")[2]
    if COMMANDS[words] == GROUP:
        return CommandGroup(
            name=name, within=f"{words} ", no_args_is_help=True, rich_markup_mode=None, **help_of(words)
        )
    module, _, function = COMMANDS[words].partition(":")
    single = typer.Typer(add_completion=False, rich_markup_mode=None)
    with failures_in_a_line():
        imported, about = import_module(module), help_of(words)
        if hasattr(imported, "extend_epilog"):
            about["epilog"] = imported.extend_epilog(about["epilog"])
        single.command(name, **about)(getattr(imported, function))
    return get_command(single)


def help_of(words: str) -> dict[str, Any]:
    """The help of a command and, where the catalogue has one, its epilog, in the reader's language."""
    key, lang = words.replace(" ", "-"), preferred_language()
    epilog = f"{key}-epilog"
    return {
        "help": say("cli", key, lang),
        "epilog": say("cli", epilog, lang) if epilog in catalogue("cli") else None,
    }


def print_version(wanted: bool) -> None:
    """Print the version that is installed, if that is asked for."""
    if wanted:
        from importlib.metadata import version

        typer.echo(f"banzuke {version('banzuke')}")
        raise typer.Exit


VersionOption = Annotated[
    bool, typer.Option("--version", is_eager=True, callback=print_version, help=text("option-version"))
]


def before_commands(version: VersionOption = False) -> None:
    """Do what `banzuke` does before a command: Typer makes a group only of a function."""


app = typer.Typer(
    name="banzuke",
    cls=CommandGroup,
    callback=before_commands,
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    **help_of("app"),
)


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
