"""Drives the real window from outside, in a folder of its own: does all of it work here?"""
