"""A daemon of a test's own, and `taskhost ui` in front of it."""

import json
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "Tools"))
from daemon_http import Connection  # noqa: E402

BIN = pathlib.Path(os.environ.get("BIN", ".build/release")).resolve()


def until(what, condition, seconds=10.0, every=0.01):
    """Waits until the condition holds, and returns its value."""
    end = time.monotonic() + seconds
    while True:
        value = condition()
        if value:
            return value
        if time.monotonic() > end:
            raise AssertionError(f"{what}: not within {seconds} s")
        time.sleep(every)


class Host:
    """`taskhost serve` with a state folder and manifests of its own, and any number of `taskhost ui`."""

    def __init__(self, write, applications, configuration=None, arguments=(), state=None):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="taskhost-page-", dir=os.environ.get("PAGE_TESTS", "/var/tmp")))
        self.folder.chmod(0o755)
        self.state = state or self.folder / "state"
        self.manifests = write(self.folder, applications)
        self.arguments = list(arguments)
        if configuration is not None:
            path = self.folder / "config.json"
            path.write_text(json.dumps(configuration))
            self.arguments += ["--config", str(path)]
        self.daemon = None
        self.pages = []
        self.serve()

    @property
    def socket(self):
        return self.state / "control.sock"

    def serve(self):
        self.log = open(self.folder / "daemon.log", "ab")
        self.daemon = subprocess.Popen(
            [BIN / "taskhost", "serve", "--manifests", self.manifests, "--state", self.state, *self.arguments],
            stdout=self.log, stderr=self.log, stdin=subprocess.DEVNULL, start_new_session=True)
        until("the daemon answers", lambda: self.answers(), 30)

    def answers(self):
        if self.daemon.poll() is not None:
            raise AssertionError("the daemon ended: " + (self.folder / "daemon.log").read_text()[-2000:])
        try:
            return self.get("/v1/host")
        except OSError:
            return None

    def request(self, method, path, body=None):
        connection = Connection(self.socket)
        try:
            headers = {"Content-Type": "application/json"} if body is not None else {}
            connection.request(method, path, None if body is None else json.dumps(body), headers)
            answer = connection.getresponse()
            text = answer.read()
            if answer.status >= 400:
                raise AssertionError(f"{method} {path}: {answer.status} {text.decode()}")
            return json.loads(text) if "json" in (answer.getheader("Content-Type") or "") else text.decode()
        finally:
            connection.close()

    def get(self, path):
        return self.request("GET", path)

    def post(self, path, body=None):
        return self.request("POST", path, body)

    def run(self, *identifiers):
        """Starts runs; their ids."""
        return [one["run"] for one in self.post("/v1/runs", {"identifiers": list(identifiers)})["runs"]]

    def ended(self, run, seconds=60):
        return until(f"{run} ends", lambda: (lambda one: one if one["outcome"] else None)(self.get("/v1/runs/" + run)), seconds)

    def command(self, *arguments):
        """A verb of the command line, as JSON."""
        done = subprocess.run(
            [BIN / "taskhost", *arguments, "--state", self.state, "--json"], capture_output=True, text=True, timeout=120)
        assert done.returncode == 0, f"{arguments}: {done.returncode} {done.stderr}"
        return json.loads(done.stdout)

    def kill(self):
        self.daemon.kill()
        self.daemon.wait()

    def close_daemon(self):
        self.daemon.send_signal(signal.SIGTERM)
        try:
            self.daemon.wait(20)
        except subprocess.TimeoutExpired:
            self.kill()

    def page(self, *arguments, user=None, program=BIN / "taskhost"):
        page = Page(self, arguments, user, program)
        self.pages.append(page)
        return page

    def close(self):
        for page in self.pages:
            page.close()
        if self.daemon.poll() is None:
            self.close_daemon()
        self.log.close()
        shutil.rmtree(self.folder, ignore_errors=True)


class Page:
    """`taskhost ui`: the link that it printed, and its origin."""

    def __init__(self, host, arguments, user, program):
        command = os.environ.get("PAGE_UI", f"{program} ui").split()
        self.process = subprocess.Popen(
            [*command, "--state", str(host.state), "--no-open", *arguments], stdout=subprocess.PIPE,
            stderr=open(host.folder / "ui.log", "ab"), stdin=subprocess.DEVNULL, text=True, user=user,
            start_new_session=True)
        self.link = None
        for line in self.process.stdout:
            words = [word for word in line.split() if "#token=" in word]
            if words:
                self.link = words[0]
                break
        assert self.link, "taskhost ui printed no link: " + (host.folder / "ui.log").read_text()[-2000:]
        self.origin = self.link.split("/#")[0]
        self.port = int(self.origin.rsplit(":", 1)[1])

    def close(self):
        if self.process.poll() is None:
            self.process.terminate()
            try:
                self.process.wait(10)
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait()
        self.process.stdout.close()
