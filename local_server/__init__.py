"""The bundled service: it implements the interface specification on its own."""
