"""The bundled service as a child process. No Qt; it is started, never imported."""
