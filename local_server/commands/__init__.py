"""The commands of `parley-server`: for each what its line says, and beside it what it does."""
