"""Runs llama.cpp's server by the options of its own program, which no registry has as a file."""

import argparse
import os
import signal
from pathlib import Path

import xllamacpp


def main() -> None:
    """Serve until a signal comes."""
    options = argparse.ArgumentParser()
    for name in ("--model", "--mmproj", "--host", "--api-key-file"):
        options.add_argument(name)
    for name in ("--port", "--ctx-size", "--parallel", "--threads"):
        options.add_argument(name, type=int)
    options.add_argument("--jinja", action="store_true")
    given = options.parse_args()
    parameters = xllamacpp.CommonParams()
    parameters.model.path = given.model
    parameters.hostnames = [given.host]
    parameters.port = given.port
    parameters.n_ctx = given.ctx_size
    parameters.n_parallel = given.parallel
    parameters.api_keys = [Path(given.api_key_file).read_text(encoding="utf-8")]
    parameters.cpuparams.n_threads = given.threads
    signal.signal(signal.SIGTERM, lambda *_: os._exit(0))
    serving = xllamacpp.Server(parameters)
    assert serving.listening_address
    signal.pause()


if __name__ == "__main__":
    main()
