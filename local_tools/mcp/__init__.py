"""Tool servers (Model Context Protocol): programs and addresses of others that offer tools."""

import logging

# What a server says belongs into its own log, not into the program's; and of a sign-in, what the
# SDK and its way of asking (httpx2) would note has keys in it.
for _name in ("mcp", "client", "httpx2", "httpcore2"):
    logging.getLogger(_name).setLevel(logging.CRITICAL)
