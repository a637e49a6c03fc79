"""Starts a program as systemd does: with a listening socket, a notification socket and a watchdog.

usage: supervise.py FOLDER PROGRAM ARGUMENT...   Prints what it is told, what the API says, and how the program ended.
"""
import os
import signal
import socket
import subprocess
import sys

folder, command = sys.argv[1], sys.argv[2:]
notifications = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
notifications.bind(folder + "/notify")
listener = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
listener.bind(folder + "/api")
listener.listen(8)
# Asked before the program is there: the socket waits for it.
client = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
client.connect(folder + "/api")
client.sendall(b"GET /v1/host HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")

child = os.fork()
if child == 0:
    os.dup2(listener.fileno(), 3)
    os.set_inheritable(3, True)
    own = str(os.getpid())
    environment = dict(
        os.environ, LISTEN_PID=own, LISTEN_FDS="1", LISTEN_FDNAMES="api", NOTIFY_SOCKET=folder + "/notify",
        WATCHDOG_USEC="200000", WATCHDOG_PID=own)
    os.execve(command[0], command, environment)

notifications.settimeout(60)
seen = set()


def wait_for(word, count=1):
    while count > 0:
        text = notifications.recv(4096).decode()
        first = text.split("\n")[0]
        if first not in seen:
            seen.add(first)
            print(text.replace("\n", " "), flush=True)
        count -= 1 if word in text else 0


wait_for("READY=1")
wait_for("WATCHDOG=1", 3)
state = command[command.index("--state") + 1]
asked = subprocess.run([command[0], "pending", "--json", "--state", state], capture_output=True, text=True)
print("asked", asked.returncode, (asked.stdout + asked.stderr).strip(), flush=True)
client.settimeout(60)
print(client.recv(64).split(b"\r\n")[0].decode(), flush=True)
os.kill(child, signal.SIGTERM)
wait_for("STOPPING=1")
_, status = os.waitpid(child, 0)
print("ended", os.waitstatus_to_exitcode(status), "socket stays", os.path.exists(folder + "/api"), flush=True)
print("link stays", os.path.lexists(state + "/control.sock"), flush=True)
