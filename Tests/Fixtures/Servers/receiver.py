#!/usr/bin/env python3
"""Takes POST requests and prints each as one line of JSON, after "ready PORT".

Usage: receiver.py ANSWERS: words separated by commas, one for each request; the last holds for all that follow. A word is a status,
`STATUS/SECONDS` with Retry-After, `hang` (no answer at all), or `drip` (an answer without an end).
"""
import http.server
import json
import sys
import threading
import time

words = sys.argv[1].split(",")
lock = threading.Lock()


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_POST(self):
        body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        with lock:
            word = words.pop(0) if len(words) > 1 else words[0]
            request = {
                "path": self.path,
                "type": self.headers.get("Content-Type"),
                "length": len(body),
                "answer": word,
                "body": json.loads(body) if body else None,
            }
            print(json.dumps(request), flush=True)
        if word == "hang":
            time.sleep(3600)
        if word == "drip":
            self.send_response(200)
            self.send_header("Content-Length", "1000000")
            self.end_headers()
            while True:
                self.wfile.write(b"x")
                time.sleep(0.1)
        status, _, pause = word.partition("/")
        self.send_response(int(status))
        if pause:
            self.send_header("Retry-After", pause)
        if status != "204":
            self.send_header("Content-Length", "2")
        self.end_headers()
        if status != "204":
            self.wfile.write(b"{}")

    def log_message(self, *_):
        pass


class Server(http.server.ThreadingHTTPServer):
    daemon_threads = True


server = Server(("127.0.0.1", 0), Handler)
print("ready", server.server_port, flush=True)
server.serve_forever()
