"""What ends a command with a sentence."""


class CommandError(Exception):
    """The command cannot do what it was asked; the message tells the user why."""
