"""A small tool server of the official SDK: run with `python -I FILE`."""

from mcp.server.mcpserver import MCPServer

server = MCPServer("words")


@server.tool()
def count_words(text: str) -> str:
    """Count the words of a text."""
    return f"{len(text.split())} words"


if __name__ == "__main__":
    server.run("stdio")
