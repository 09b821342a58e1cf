"""The test of an installer: a small system made for it, entered so that the sandbox works inside.

`base` makes the system once, `room` gives each test a copy of it that goes away, `checks` says what
an installed program must do there.
"""
