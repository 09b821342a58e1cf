"""Tool servers (Model Context Protocol): programs and addresses of others that offer tools."""

import logging

# Messages of a server belong into the server's own log, not into the program's. And during a
# sign-in, the SDK and httpx2, its HTTP client, would log keys.
for _name in ("mcp", "client", "httpx2", "httpcore2"):
    logging.getLogger(_name).setLevel(logging.CRITICAL)
