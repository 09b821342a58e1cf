"""The built-in assistant: a demo by fixed rules, without a language model."""

from local_server.assistant.demo.assistant import DemoAssistant as DemoAssistant
