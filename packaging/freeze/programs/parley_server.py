"""The bundled service, as an executable."""

from local_server.cli import main

main()
