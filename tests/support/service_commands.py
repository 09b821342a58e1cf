"""The command line of the bundled service without a process of its own for each command."""

from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor

from typer.testing import CliRunner

from local_server.cli import app


def run_here(*arguments: str, env: Mapping[str, str] | None = None) -> tuple[int, str, str]:
    """Run a command that comes to its end: its exit code, output and error output.

    What a command imports is loaded once for all; it has a thread, and so a loop, of its own.
    """

    def run() -> tuple[int, str, str]:
        done = CliRunner().invoke(app, arguments, env=env, catch_exceptions=False)
        return done.exit_code, done.stdout, done.stderr

    with ThreadPoolExecutor(1) as thread:
        return thread.submit(run).result()
