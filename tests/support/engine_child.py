"""Run llama.cpp's own server, as a program that ends when its stdin closes.

In the same process as a client, it can hang when it is closed. One line of JSON on stdin says what
to run; one line on stdout says where it listens.
"""

import json
import os
import sys

import xllamacpp


def main() -> None:
    """Serve until the end of the input."""
    wanted = json.loads(sys.stdin.readline())
    parameters = xllamacpp.CommonParams()
    parameters.model.path = wanted["model"]
    parameters.hostnames = ["127.0.0.1"]
    parameters.port = wanted["port"]
    parameters.n_parallel = wanted["slots"]
    # It is divided among the slots.
    parameters.n_ctx = wanted["window"] * wanted["slots"]
    parameters.api_keys = [wanted["key"]] if wanted["key"] else []
    parameters.cors_origins = ""
    parameters.cache_ram_mib = 0
    parameters.endpoint_slots = True
    parameters.ui = False
    parameters.cpuparams.n_threads = 1
    parameters.cpuparams_batch.n_threads = 1
    parameters.n_threads_http = 4
    server = xllamacpp.Server(parameters)
    ready = json.dumps({"event": "ready", "address": server.listening_address})
    sys.stdout.write(f"{ready}\n")
    sys.stdout.flush()
    sys.stdin.read()
    # Without clean-up, which could wait for clients.
    os._exit(0)


if __name__ == "__main__":
    main()
