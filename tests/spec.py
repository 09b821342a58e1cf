"""Every row of the interface specification, by id.

A test that pins a row carries `@pytest.mark.spec("id")`. `tests/test_spec.py` demands both
directions: every id is pinned by a test, and every mark names an id that exists.
"""

from typing import Final

ROWS: Final[dict[str, str]] = {
    # 1 What the service does
    "1-project-key": "A project is identified by its API key",
    "1-sse-reply": "A user message is answered by a Server-Sent Events stream",
    "1-history": "Conversations and messages are listed, read and permanently deleted",
    "1-routing": "A message goes to the named agent, else to the default agent or a supervisor",
    "1-skills-metadata": "Only the metadata of enabled skills is listed",
    "1-client-tool-round": "tool_use is run by the client, and its outcome continues the stream",
    "1-wire": "JSON bodies with Content-Type application/json; SSE for streamed responses",
    # 2 Resources
    "2.1-summary": "Conversation summary: id, created_at, updated_at, message_count",
    "2.2-detail": "Conversation detail: id, created_at, updated_at, messages in order",
    "2.3-message": "Message: id, role user or assistant, content, created_at",
    "2.4-meta": "Pagination meta: total, limit, offset",
    "2.5-agent": "Agent: name, display_name, description, is_default, is_enabled",
    "2.6-skill": "Skill: name, display_name, description, version, author or null",
    "2.7-tool-definition": "Client tool definition: name, description, input_schema",
    "2.8-tool-call": "Tool call: id, name of a declared client tool, input",
    # 3 States and transitions
    "3-delete-is-final": "A delete removes the conversation and its messages for ever",
    # 4 Endpoints
    "4-key-everywhere": "Every request carries X-API-Key",
    "4.1-list": "GET /v1/conversations answers {data, meta}",
    "4.1-limit": "limit: integer, default 20, 1 to 100",
    "4.1-offset": "offset: integer, default 0",
    "4.1-order": "order: asc or desc, default desc",
    "4.1-paging": "Pages follow by offset += limit; meta.total counts all",
    "4.2-get": "GET /v1/conversations/{id} answers {data: detail}",
    "4.2-404": "Unknown id on get: 404 conversation_not_found",
    "4.2-401": "Bad key on get: 401 invalid_api_key",
    "4.3-delete": "DELETE /v1/conversations/{id} answers 204 without content",
    "4.3-404": "Unknown id on delete: 404 conversation_not_found",
    "4.3-401": "Bad key on delete: 401 invalid_api_key",
    "4.4-chat": "POST /v1/chat/stream takes conversation_id and message, both required",
    "4.4-client-tools": "client_tools is optional and declares what the assistant may request",
    "4.4-agent-name": "agent_name routes to that agent and bypasses the supervisor",
    "4.4-routing": "Without agent_name the default agent or the supervisor answers",
    "4.5-tool-result": "POST /v1/tool-result requires conversation_id, tool_call_id and result",
    "4.5-new-stream": "The tool result is answered by a new stream that continues",
    "4.5-failed-run": "A failed run is a result text that describes the failure; the reply goes on",
    "4.6-agents": "GET /v1/agents answers a bare array of enabled agents",
    "4.7-skills": "GET /v1/skills answers a bare array of enabled skills of the project",
    # 5 Authentication
    "5-header": "The key travels in X-API-Key",
    "5-live-and-test": "Live and test variants of keys exist",
    "5-invalid": "An invalid key yields 401 invalid_api_key",
    # 6 Events
    "6-framing": "event: and data: lines, a blank line, JSON type equal to the event name",
    "6-message-start": "message_start: message_id, conversation_id, the agent fields with an agent",
    "6-delta": "content_block_delta: delta {type: text_delta, text}",
    "6-tool-use": "tool_use: id, name, input",
    "6-agent-start": "agent_start: agent_name, agent_display_name",
    "6-agent-end": "agent_end: agent_name",
    "6-message-stop": "message_stop ends the reply",
    "6-error": "error: message",
    "6-emitters": "Chat stream and tool result both emit the streamed events",
    # 7 Errors
    "7.1-200": "200 is success",
    "7.1-201": "201 is created",
    "7.1-400": "400 is a bad request",
    "7.1-401": "401 is unauthorized",
    "7.1-404": "404 is not found",
    "7.1-429": "429 is rate limited",
    "7.1-500": "500 is a server error",
    "7.2-body": "Errors are {error: {code, message}}",
    "7.2-conversation-not-found": "404 carries conversation_not_found",
    "7.2-invalid-api-key": "401 carries invalid_api_key",
    "7.3-stream-error": "A failure in a stream is an error event with a message",
    # 8 Limits
    "8-free": "Free plan: 60 requests a minute per key",
    "8-pro": "Pro plan: 300 requests a minute per key",
    "8-enterprise": "Enterprise plan: a custom number of requests a minute",
    "8-page": "limit of list conversations: 1 to 100, default 20",
    "8-skill-description": "A skill's description is about 100 tokens",
    "8-exceeded": "Past the limit: 429, or an error event in a stream",
    # 9 Versioning
    "9-path": "All operations live under /v1",
    "9-skill-version": "A skill's version is its own",
}
