"""HTTP/1.1 at the level of its bytes, so that a server can break every rule of it. Standard library only."""
import socket
import socketserver
import ssl
import sys
import threading
import urllib.parse

_printing = threading.Lock()


def say(*words):
    """One line on standard output, at once: tests wait for it."""
    with _printing:
        print(*words, flush=True)


class Hangup(Exception):
    """The client has gone, or the connection is to be cut."""


class Request:
    """A request whose head has been read; the body is read by whoever wants it."""

    def __init__(self, connection, line, fields):
        self.connection = connection
        self.method, self.target, self.version = line
        self.fields = fields
        parts = urllib.parse.urlsplit(self.target)
        self.path = urllib.parse.unquote(parts.path)
        self.query = dict(urllib.parse.parse_qsl(parts.query, keep_blank_values=True))
        self.remaining = int(self.get("content-length", "0"))
        self.is_body_chunked = "chunked" in self.get("transfer-encoding", "").lower()
        self.expects = self.get("expect", "").lower() == "100-continue"
        self.status = 0

    def get(self, name, default=""):
        return self.fields.get(name.lower(), default)

    def number(self, name, default):
        return int(self.query.get(name, default))

    # Reading

    def body(self, size=1 << 16):
        """Pieces of the body as they come."""
        if self.expects:
            self.expects = False
            self.send(b"HTTP/1.1 100 Continue\r\n\r\n")
        if self.is_body_chunked:
            yield from self._chunks()
            return
        while self.remaining > 0:
            piece = self.connection.take(min(size, self.remaining))
            self.remaining -= len(piece)
            yield piece

    def _chunks(self):
        self.is_body_chunked = False
        while True:
            length = int(self.connection.line().split(b";")[0], 16)
            left = length
            while left > 0:
                piece = self.connection.take(min(1 << 16, left))
                left -= len(piece)
                yield piece
            self.connection.line()
            if length == 0:
                return

    # Answering

    def send(self, data):
        self.connection.send(data)

    def head(self, status, reason="", **fields):
        """Sends a head; names of fields have underscores for hyphens. No length is added."""
        self.status = status
        lines = [f"HTTP/1.1 {status} {reason or 'Because'}"]
        lines += [f"{name.replace('_', '-')}: {value}" for name, value in fields.items() if value is not None]
        self.send(("\r\n".join(lines) + "\r\n\r\n").encode("latin-1"))

    def answer(self, status, body=b"", reason="", **fields):
        """A whole answer that is right. A body of the request that nobody has read closes the connection."""
        if isinstance(body, str):
            body = body.encode()
        unread = self.remaining > 0 or self.is_body_chunked
        if unread:
            fields["Connection"] = "close"
        self.head(status, reason, **{"Content_Length": len(body), **fields})
        if self.method != "HEAD":
            self.send(body)
        if unread:
            self.connection.linger()
            raise Hangup

    def cut(self, abruptly=False):
        """Closes the connection; abruptly: by a reset."""
        self.connection.close(abruptly)
        raise Hangup


class Connection:
    def __init__(self, sock):
        self.sock = sock
        self.buffer = b""

    def take(self, most):
        if not self.buffer:
            self.buffer = self._receive()
        piece, self.buffer = self.buffer[:most], self.buffer[most:]
        return piece

    def line(self):
        while b"\n" not in self.buffer:
            self.buffer += self._receive()
        line, self.buffer = self.buffer.split(b"\n", 1)
        return line.rstrip(b"\r")

    def _receive(self):
        try:
            data = self.sock.recv(1 << 16)
        except OSError as fault:
            raise Hangup from fault
        if not data:
            raise Hangup
        return data

    def send(self, data):
        try:
            self.sock.sendall(data)
        except OSError as fault:
            raise Hangup from fault

    def linger(self):
        """Lets the client read what was answered before the close, which resets while input is unread."""
        try:
            self.sock.shutdown(socket.SHUT_WR)
            self.sock.settimeout(10)
            while self.sock.recv(1 << 16):
                pass
        except OSError:
            pass

    def close(self, abruptly):
        try:
            if abruptly:
                self.sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\x01\0\0\0\0\0\0\0")
            else:
                self.sock.shutdown(socket.SHUT_RDWR)
            self.sock.close()
        except OSError:
            pass

    def request(self):
        line = self.line().decode("latin-1").split(" ")
        fields = {}
        while text := self.line().decode("latin-1"):
            name, _, value = text.partition(":")
            fields[name.strip().lower()] = value.strip()
        return Request(self, line, fields)


class Server(socketserver.ThreadingTCPServer):
    """Calls `serve(request)` for each request. Prints `ready PORT`, then a line for each request when it is over."""

    allow_reuse_address = True
    daemon_threads = True
    request_queue_size = 1024

    def __init__(self, serve, security=None):
        self.serve = serve
        self.security = security
        super().__init__(("127.0.0.1", 0), None)

    def finish_request(self, sock, _):
        sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        try:
            if self.security:
                sock = self.greet(sock)
            connection = Connection(sock)
            while True:
                request = connection.request()
                try:
                    self.serve(request)
                finally:
                    say(self.describe(request))
        except (Hangup, OSError):
            pass

    def greet(self, sock):
        """The greeting of TLS. Who is turned away can read why: a close with input unread resets."""
        guarded = self.security.wrap_socket(sock, server_side=True, do_handshake_on_connect=False)
        try:
            guarded.do_handshake()
            return guarded
        except ssl.SSLError as fault:
            Connection(socket.socket(fileno=guarded.detach())).linger()
            raise Hangup from fault

    @staticmethod
    def describe(request):
        """`METHOD TARGET STATUS` and the fields that tests ask about."""
        words = [request.method, request.target, str(request.status)]
        for name in ("range", "if-range", "authorization", "proxy-authorization", "cookie", "upload-offset"):
            if value := request.get(name):
                words.append(f"{name}={value}")
        return " ".join(words)

    def handle_error(self, request, client_address):
        import traceback

        say("fault", traceback.format_exc().replace("\n", " | "))

    def run(self):
        say("ready", self.server_address[1])
        try:
            self.serve_forever()
        except KeyboardInterrupt:
            sys.exit(0)
