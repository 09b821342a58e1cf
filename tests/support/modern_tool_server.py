"""A tool server of the SDK's own that speaks as servers do since 2026, and grows by a tool."""

from mcp.server.mcpserver import Context, MCPServer

server = MCPServer("modern")


@server.tool()
async def grow(context: Context) -> str:
    """Offer one tool more."""

    def more(number: int) -> int:
        """Give it back."""
        return number

    server.add_tool(more)
    await context.notify_tools_changed()
    return "grown"


if __name__ == "__main__":
    server.run("stdio")
