"""HTTP over a daemon's socket, for scripts."""
import http.client
import json
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


class Client:
    """Asks for documents, over one connection."""

    def __init__(self, path, timeout=120):
        self.connection = Connection(path, timeout)

    def ask(self, method, path, body=None):
        """The status, and the document. `body`: a document."""
        headers = {"Content-Type": "application/json"} if body is not None else {}
        self.connection.request(method, path, None if body is None else json.dumps(body), headers)
        reply = self.connection.getresponse()
        return reply.status, json.loads(reply.read())
