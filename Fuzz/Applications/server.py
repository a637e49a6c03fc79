"""A web server whose answers are right, late, cut or wrong, as the URL says: /file/SIZE/SEED/MANNER."""
import hashlib
import http.server
import socketserver
import threading
import time

MANNERS = ["whole", "slow", "cut", "flap", "busy", "missing", "moved", "wild", "long", "short", "part", "weak", "chunked"]


def content(size, seed):
    """The bytes of a file: a digest, again and again."""
    block = hashlib.sha512(str(seed).encode()).digest() * 64
    return (block * (size // len(block) + 1))[:size]


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    turns = {}
    guard = threading.Lock()

    def log_message(self, *_):
        pass

    def turn(self):
        """How often this path has been asked for before."""
        with self.guard:
            count = self.turns.get(self.path, 0)
            self.turns[self.path] = count + 1
            return count

    def begin(self, status, length, **fields):
        self.send_response(status)
        if length is not None:
            self.send_header("Content-Length", str(length))
        for name, value in fields.items():
            self.send_header(name.replace("_", "-"), value)
        self.end_headers()

    def send(self, data, pause=0.0):
        for at in range(0, len(data), 16384):
            self.wfile.write(data[at:at + 16384])
            if pause:
                time.sleep(pause)

    def do_PUT(self):
        self.do_POST()

    def do_POST(self):
        left = int(self.headers.get("Content-Length", 0))
        while left > 0:
            piece = self.rfile.read(min(left, 65536))
            if not piece:
                return
            left -= len(piece)
        self.begin(201, 0)

    def do_GET(self):
        _, _, size, seed, manner = self.path.split("/")
        data, tag = content(int(size), seed), f'"{seed}"'
        start = 0
        asked = self.headers.get("Range", "")
        if asked.startswith("bytes=") and asked.endswith("-") and self.headers.get("If-Range", tag) == tag:
            start = min(int(asked[6:-1]), max(0, len(data) - 1))
        rest = data[start:]
        fields = {"ETag": tag}
        if asked and start:
            fields["Content_Range"] = f"bytes {start}-{len(data) - 1}/{len(data)}"
        status = 206 if start else 200
        try:
            getattr(self, manner)(status, rest, fields, data)
        except (BrokenPipeError, ConnectionResetError):
            pass

    def whole(self, status, rest, fields, _):
        self.begin(status, len(rest), **fields)
        self.send(rest)

    def slow(self, status, rest, fields, _):
        self.begin(status, len(rest), **fields)
        self.send(rest, 0.05)

    def cut(self, status, rest, fields, _):
        self.begin(status, len(rest), **fields)
        self.send(rest[:len(rest) // 2 + 1])
        self.close_connection = True
        self.connection.shutdown(2)

    def flap(self, status, rest, fields, data):
        (self.cut if self.turn() % 3 else self.slow)(status, rest, fields, data)

    def busy(self, status, rest, fields, data):
        if self.turn() % 2:
            return self.whole(status, rest, fields, data)
        self.begin(503, 0, Retry_After="1")
        return None

    def missing(self, *_):
        self.begin(404, 7)
        self.send(b"nothing")

    def moved(self, *_):
        self.begin(302, 0, Location=self.path.replace("moved", "whole"))

    def wild(self, *_):
        self.begin(302, 3, Location="file:///etc/passwd")
        self.send(b"abc")

    def long(self, status, rest, fields, _):
        self.begin(status, 10 ** 23, **fields)
        self.send(rest)
        self.close_connection = True

    def short(self, _status, _rest, _fields, data):
        self.begin(200, len(data) + 1000)
        self.send(data)
        self.close_connection = True

    def part(self, _status, _rest, _fields, data):
        half = len(data) // 2
        self.begin(206, half, Content_Range=f"bytes 0-{half - 1}/{len(data)}")
        self.send(data[:half])

    def weak(self, status, rest, fields, _):
        """Of another version each time, whatever is asked for."""
        turn = self.turn()
        self.begin(status, len(rest), **dict(fields, ETag=f'"{turn}"'))
        self.send(rest if turn % 2 else rest[:len(rest) // 2])
        self.close_connection = True

    def chunked(self, _status, _rest, _fields, data):
        self.begin(200, None, Transfer_Encoding="chunked")
        for at in range(0, len(data), 30000):
            piece = data[at:at + 30000]
            self.wfile.write(b"%x\r\n%s\r\n" % (len(piece), piece))
        self.wfile.write(b"0\r\n\r\n")


class Server(socketserver.ThreadingMixIn, http.server.HTTPServer):
    daemon_threads = True
    request_queue_size = 256

    def handle_error(self, *_):
        pass


def start():
    """Returns the port."""
    server = Server(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return server.server_address[1]
