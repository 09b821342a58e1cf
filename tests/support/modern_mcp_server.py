"""A tool server of the SDK's own that speaks as servers do since 2026, and grows by a tool."""

from mcp.server.mcpserver import Context, MCPServer
from pydantic import BaseModel

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


class Password(BaseModel):
    password: str


@server.tool()
async def ask(context: Context) -> str:
    """Ask the person for something secret."""
    answer = await context.elicit("Your password?", Password)
    return repr(answer)


if __name__ == "__main__":
    server.run("stdio")
