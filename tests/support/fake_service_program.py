"""A program that takes the bundled service's place as a child, well-behaved or not.

Run as a script with the way it behaves and the inherited descriptor:

    good        answers the proof and every request
    impostor    answers the proof with nonsense
    crash       ends at once, saying why and naming the secrets it was given
    mute        never says that it is ready
    junk        says something else
    flood       says more than anybody wants to read
    stubborn    is good, but does not end when its input ends
    fleeting    says that it is ready, and ends
"""

import hashlib
import hmac
import json
import os
import socket
import sys
import threading
from typing import TextIO
from urllib.parse import parse_qs, urlsplit


def main(way: str, fd: int) -> None:
    told = json.loads(sys.stdin.buffer.readline())
    say(sys.stderr, "stand-in begins")
    if way == "crash":
        say(sys.stderr, f"cannot go on with {told['launch_key']}")
        say(sys.stderr, f"nor with {told['proof_secret']}")
        sys.exit(3)
    if way == "mute":
        sys.stdin.buffer.read()
        return
    if way == "junk":
        say(sys.stdout, "hello")
        sys.stdin.buffer.read()
        return
    if way == "flood":
        while True:
            sys.stdout.write("x" * 65536)
    say(sys.stdout, json.dumps({"event": "ready"}))
    if way == "fleeting":
        return
    threading.Thread(target=wait_for_parent, args=(way,), daemon=True).start()
    serve(way, socket.socket(fileno=fd), told)


def say(stream: TextIO, line: str) -> None:
    stream.write(f"{line}\n")
    stream.flush()


def wait_for_parent(way: str) -> None:
    while os.read(0, 4096):
        pass
    if way != "stubborn":
        os._exit(0)


def serve(way: str, listener: socket.socket, told: dict[str, str]) -> None:
    while True:
        connection, _ = listener.accept()
        with connection:
            head = b""
            while b"\r\n\r\n" not in head:
                head += connection.recv(4096)
            target = urlsplit(head.split(b" ")[1].decode())
            body = answer(way, target.path, parse_qs(target.query), told)
            connection.sendall(
                b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nConnection: close\r\n"
                b"Content-Length: %d\r\n\r\n%s" % (len(body), body)
            )


def answer(way: str, path: str, query: dict[str, list[str]], told: dict[str, str]) -> bytes:
    if path != "/proof":
        return b"[]"
    secret = "wrong" if way == "impostor" else told["proof_secret"]
    proof = hmac.new(secret.encode(), query["nonce"][0].encode(), hashlib.sha256).hexdigest()
    return json.dumps({"proof": proof}).encode()


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]))
