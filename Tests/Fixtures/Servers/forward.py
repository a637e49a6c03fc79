"""An HTTP proxy (RFC 9110 7.6, 9.3.6): forward.py [USER:PASSWORD]

Takes absolute targets and CONNECT. With credentials it wants them (407, basic). Prints `ready PORT`, then a line for each
request: `METHOD TARGET STATUS …`.
"""
import base64
import socket
import sys
import threading
import urllib.parse

import http1

WANTED = "Basic " + base64.b64encode(sys.argv[1].encode()).decode() if len(sys.argv) > 1 else None


def serve(request):
    if WANTED and request.get("proxy-authorization") != WANTED:
        return request.answer(407, b"who are you?\n", Proxy_Authenticate='Basic realm="the gate"')
    if request.method == "CONNECT":
        return tunnel(request)
    target = urllib.parse.urlsplit(request.target)
    try:
        origin = socket.create_connection((target.hostname, target.port or 80))
    except OSError:
        return request.answer(502, b"cannot connect\n")
    path = urllib.parse.urlunsplit(("", "", target.path or "/", target.query, ""))
    lines = [f"{request.method} {path} HTTP/1.1"]
    hop = {"proxy-authorization", "proxy-connection", "connection"}
    lines += [f"{name}: {value}" for name, value in request.fields.items() if name not in hop]
    with origin:
        origin.sendall(("\r\n".join(lines) + "\r\nConnection: close\r\n\r\n").encode("latin-1"))
        for piece in request.body():
            origin.sendall(piece)
        request.status = 200
        while data := origin.recv(1 << 16):
            request.send(data)
    return request.cut()


def tunnel(request):
    host, _, port = request.target.rpartition(":")
    try:
        origin = socket.create_connection((host, int(port)))
    except OSError:
        return request.answer(502, b"cannot connect\n")
    request.head(200, "Connection established")
    http1.say("CONNECT", request.target, "open")

    def back():
        try:
            while data := origin.recv(1 << 16):
                request.send(data)
        except (OSError, http1.Hangup):
            pass
        request.connection.close(False)

    threading.Thread(target=back, daemon=True).start()
    try:
        while True:
            origin.sendall(request.connection.take(1 << 16))
    finally:
        origin.close()


http1.Server(serve).run()
