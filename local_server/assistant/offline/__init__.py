"""The built-in assistant, which answers by rules."""

from local_server.assistant.offline.assistant import OfflineAssistant as OfflineAssistant
