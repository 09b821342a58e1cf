"""Tool servers (Model Context Protocol): programs and addresses of others that offer tools."""
