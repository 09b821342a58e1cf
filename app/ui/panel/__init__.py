"""The panel at the right: skills, tools, and what tools did."""
