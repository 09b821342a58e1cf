"""How fast the window is, beside the least that could be shown, in the same run.

Every part is measured in a child process of its own, offscreen and painted by the processor. Times
are processor time of the window's thread where only its own work counts: another program on the
machine then changes little. Only what a person waits for from outside is taken from the clock.
"""
