"""HTTP over a daemon's socket, for scripts."""
import http.client
import socket


class Connection(http.client.HTTPConnection):
    """To the socket at `path`. `timeout`: seconds that it waits for a connection or a byte."""

    def __init__(self, path, timeout=60):
        super().__init__("localhost", timeout=timeout)
        self.path = str(path)

    def connect(self):
        self.sock = socket.socket(socket.AF_UNIX)
        self.sock.settimeout(self.timeout)
        self.sock.connect(self.path)
