"""The commands of `parley-server`: NAME.py has the options, NAME_command.py what it does."""
