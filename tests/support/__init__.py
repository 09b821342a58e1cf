"""Honest stand-ins and small tools that tests share."""
