"""A PostgreSQL server of one's own in a temporary folder, on a socket only, as an ordinary user."""
import glob
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time


def programs():
    """The folder of the newest server's programs. Without one the program ends with 69."""
    found = sorted(glob.glob("/usr/lib/postgresql/*/bin/postgres"), key=lambda path: int(re.search(r"/(\d+)/", path)[1]))
    if not found:
        print("no PostgreSQL server; /usr/lib/postgresql; install it with 'apt install postgresql'", file=sys.stderr)
        sys.exit(69)
    return os.path.dirname(found[-1])


class PrivatePostgres:
    """Started when it is made; `close` ends it and removes its folder. Its superuser is `taskhost`."""

    def __init__(self, prefix, settings=None, base=None):
        """settings: server variables. base: where its folder lies (the disk that is measured); None: of temporary files."""
        self.programs = programs()
        self.folder = tempfile.mkdtemp(prefix=prefix, dir=base)
        os.chmod(self.folder, 0o755)
        self.place = os.path.join(self.folder, "database")
        os.mkdir(self.place)
        os.chmod(self.place, 0o777)
        self.data = os.path.join(self.place, "data")
        self.settings = {"listen_addresses": "", **(settings or {})}
        self.process = None
        try:
            made = subprocess.run(
                self._command("initdb", "-D", self.data, "-U", "taskhost", "-A", "trust", "-E", "UTF8", "--no-locale"),
                stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
            if made.returncode:
                raise RuntimeError(f"initdb failed; {self.data}; {made.stderr.strip()}")
            self.start()
        except BaseException:
            self.close()
            raise

    def _command(self, program, *arguments):
        # PostgreSQL refuses to be run by root.
        who = ["setpriv", "--reuid=nobody", "--regid=nogroup", "--clear-groups"] if os.getuid() == 0 else []
        return [*who, os.path.join(self.programs, program), *arguments]

    def start(self):
        options = [word for name, value in self.settings.items() for word in ("-c", f"{name}={value}")]
        self.log = os.path.join(self.folder, "server.log")
        with open(self.log, "ab") as log:
            self.process = subprocess.Popen(
                self._command("postgres", "-D", self.data, "-k", self.place, *options), stdout=log, stderr=log)
        while subprocess.run(
                ["psql", "-X", "-q", "-d", self.database("postgres"), "-c", "SELECT 1"], stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL).returncode:
            if self.process.poll() is not None:
                with open(self.log, errors="replace") as log:
                    raise RuntimeError(f"PostgreSQL has ended; {self.data}; {log.read()[-2000:]}")
            time.sleep(0.05)

    def kill(self):
        """As a crash: no checkpoint, and every session is gone."""
        # The children of a killed postmaster end by themselves when they see it.
        self.process.kill()
        self.process.wait()

    def stop(self, fast=True):
        self.process.send_signal(2 if fast else 15)
        self.process.wait()

    def close(self):
        if self.process is not None and self.process.poll() is None:
            self.process.send_signal(3)
            self.process.wait()
        shutil.rmtree(self.folder, ignore_errors=True)

    def database(self, name="jobs", user="taskhost"):
        """As libpq is told."""
        return f"host={self.place} dbname={name} user={user}"

    def query(self, sql, name="jobs", user="taskhost", check=True, variables=()):
        """The rows as psql writes them without alignment, NULL as an empty text; `check`: an error ends it.

        sql: a script of any number of statements, for psql. Returns (text, text of errors)."""
        command = ["psql", "-X", "-q", "-A", "-t", "-v", "ON_ERROR_STOP=" + ("1" if check else "0"),
                   "-v", "VERBOSITY=verbose", "-d", self.database(name, user)]
        for variable, value in variables:
            command += ["-v", f"{variable}={value}"]
        done = subprocess.run(command, input=sql, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        if check and done.returncode:
            raise RuntimeError(f"psql failed; {sql.strip()[:200]}; {done.stderr.strip()}")
        return done.stdout.strip(), done.stderr.strip()
