"""How fast the service is, beside LiteLLM's proxy and the bare upstream in the same run.

Three processes take part: a fake model server (`upstream`), which answers as fast as it can, what
is measured, and this one, which asks. Where there are two cores, what is measured has one of them
for itself.
"""
