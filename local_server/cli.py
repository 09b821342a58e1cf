"""The command `parley-server`.

Heavy modules are imported by the command that needs them, so that the others answer at once.
"""

import atexit
import gc
import os

import typer

from local_server.commands.agents import agents_app, skills_app
from local_server.commands.keys import keys_app
from local_server.commands.model_files_command import model_files_app
from local_server.commands.options import parley_server
from local_server.commands.projects import projects_app
from local_server.commands.serve import engine, models, serve

app = typer.Typer(
    name="parley-server",
    help="Run and manage Parley’s service.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    # Plain text: with markup, the help of each flag shows the type `<bool>`.
    rich_markup_mode=None,
    add_completion=False,
)
app.callback()(parley_server)
app.command()(serve)
app.add_typer(keys_app, name="keys")
app.add_typer(projects_app, name="projects")
app.command()(models)
app.add_typer(model_files_app, name="model-files")
app.command(hidden=True)(engine)
app.add_typer(agents_app, name="agents")
app.add_typer(skills_app, name="skills")


def main() -> None:
    """Run the command line."""
    # Whatever a command makes holds words or keys.
    os.umask(0o077)
    # Everything imported lives until the end, so the collection at exit would find nothing; without
    # `freeze` it takes a third of the time of a short command.
    atexit.register(gc.freeze)
    app()


if __name__ == "__main__":
    main()
