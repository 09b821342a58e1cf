"""Test installers in a minimal system, entered in a way that lets Parley's sandbox work inside.

`base` makes the system once, `room` gives each test a temporary copy of it, and `checks` tests what
an installed program must do there.
"""
