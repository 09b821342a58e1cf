"""Drives the real window from outside, in a folder of its own: does all of it work here?"""

from app.self_test.run import Wishes, run_self_test

__all__ = ["Wishes", "run_self_test"]
