"""The self-test: drives the real window, in a data folder of its own, to see if all works here."""
