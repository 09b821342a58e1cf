"""Hours of use in minutes: does anything grow that should not?"""
