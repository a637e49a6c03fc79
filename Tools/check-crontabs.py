#!/usr/bin/env python3
"""Lines of real crontabs, each run as cron does and after `taskhost import crontab`: Tools/check-crontabs.py BINARIES [--quick]
The same with the package's services, of the machine and of a user, which it restarts: Tools/check-crontabs.py --service

With the permissions that `taskhost learn` finds for each: Tools/check-crontabs.py BINARIES --learn [--quick] [LINE…]

Exit status, output, files, their modes and owners are compared, for root's crontab, for an ordinary user's with a host of his own, and
for his lines in a crontab with a column of users under root's host. Run as root. --quick takes the lines that need no package, --service those whose programs the machine has.
--learn imports, has each line learned, proved and written, and then compares as ever; what cannot be confined has to be named by learn.
"""
import hashlib
import json
import os
import pwd
import resource
import shutil
import stat
import subprocess
import sys
import tempfile
import time

# name, line; Q: part of the quick set, V: its output differs from run to run, D: leaves a daemon behind, which taskhost ends; R: for root;
# M: hands mail to the mailer.
JOBS = r"""
find-delete Q	find $HOME/job/tmp -name '*.log' -mtime +7 -delete
pipes Q	cat $HOME/job/data/* | sort | uniq -c | sort -rn | head -3
and-or Q	cd $HOME/job && test -f data/a.txt && echo here || echo gone
date-percent Q	date -r $HOME/job/data/a.txt +\%Y-\%m-\%d > $HOME/job/out/date.txt
input-percent Q	cat > $HOME/job/out/input.txt%first line%second \% line
env Q	echo "$HOME $LOGNAME $USER $(id -un) $(id -Gn) $(pwd) $SHELL $PATH"
limits Q	ulimit -n; ulimit -Hn >/dev/null; ulimit -f; ulimit -c; umask
status Q	echo to the error output >&2; exit 7
signal Q	kill -TERM $$
background-wait Q	for i in 1 2 3; do (sleep 0.1; echo $i >> $HOME/job/out/bg-$i.txt) & done; wait
nested-shell Q	sh -c 'umask 077; echo secret > $HOME/job/out/secret; mkdir -p $HOME/job/out/a/b'
readable-by-others Q	echo '<p>ok</p>' > $HOME/job/out/index.html
dev-shm Q	echo x > /dev/shm/proof-$LOGNAME && rm /dev/shm/proof-$LOGNAME
many-files Q	n=0; for i in $(seq 3 9); do eval "exec $i</dev/null"; n=$((n+1)); done; echo $n
temporary Q	T=$(mktemp) && head -c 3M /dev/zero > $T && wc -c < $T && rm $T
large-file	T=$(mktemp) && head -c 1200M /dev/zero > $T && wc -c < $T && rm $T
substitution Q	echo "$(ls $HOME/job/data | wc -l) files"; echo `expr 2 + 3`
quotes Q	echo "it's" 'a "quoted" text' back\\slash
own-script Q	$HOME/job/bin/task.sh >> $HOME/job/out/task.log 2>&1
timeout Q	timeout 5m $HOME/job/bin/task.sh && timeout 0.2 sleep 5; echo $?
dev-streams Q	echo out > /dev/stdout; echo err > /dev/stderr; echo fd > /proc/self/fd/1
flock Q	flock -n $HOME/job/out/lock sh -c 'echo locked'
flock-busy Q	exec 9>$HOME/job/out/l2; flock 9; flock -n $HOME/job/out/l2 true || echo busy
nice Q	nice -n 10 sh -c nice
chrt	chrt -b 0 true && chrt -i 0 true && echo scheduled
ionice	ionice -c3 tar cf $HOME/job/out/nice.tar --mtime=@0 -C $HOME/job data
tar	tar czf - -C $HOME/job data 2>/dev/null | gzip -d | tar tf - | sort
gzip	gzip -nk9 $HOME/job/data/a.txt -c > $HOME/job/out/a.gz
touch-times Q	cp -p $HOME/job/data/a.txt $HOME/job/out/ && touch -d '2001-02-03' $HOME/job/out/a.txt && stat -c \%Y $HOME/job/out/a.txt
chmod Q	install -m 0640 $HOME/job/data/a.txt $HOME/job/out/i && chmod -R g+w $HOME/job/out && ln -s i $HOME/job/out/l
run-parts Q	cd / && run-parts --report $HOME/job/cron.daily
awk-sed Q	awk '{print $1}' $HOME/job/data/a.txt | sed 's/a/b/' > $HOME/job/out/awk.txt
xargs Q	find $HOME/job/data -type f -print0 | sort -z | xargs -0 -n1 -P4 wc -c | sort
nohup-daemon D	nohup $HOME/job/bin/daemon.sh >/dev/null 2>&1 &
setsid-daemon D	setsid sleep 300 >/dev/null 2>&1 &
var-log	echo line >> /var/log/proof-$LOGNAME.log || echo refused
ps V	ps aux > $HOME/job/out/ps.txt; test -s $HOME/job/out/ps.txt && rm $HOME/job/out/ps.txt
trap Q	trap 'echo bye' EXIT; echo hello
subshell-cd Q	(cd /usr && pwd); pwd
rsync	rsync -a --delete $HOME/job/data/ $HOME/job/out/mirror/
logrotate	logrotate -s $HOME/job/out/lr.state $HOME/job/logrotate.conf; rm -f $HOME/job/out/lr.state
git	cd $HOME/job/out && git init -q r && cd r && git -c user.name=a -c user.email=b commit -q --allow-empty -m x && git log --format=\%s && cd .. && rm -rf r
curl	curl -fsS file://$HOME/job/data/a.txt -o $HOME/job/out/curl.txt
curl-unix	curl -fsS --unix-socket $HOME/job/web.sock http://x/a.txt
pg_dump	pg_dump -h /var/run/postgresql -U $LOGNAME proofdb 2>&1 | grep -c 'CREATE TABLE' 
venv	cd $HOME/job/app && . venv/bin/activate && python app.py > $HOME/job/out/report.txt
python-pool	python3 -c "from multiprocessing import Pool; print(sum(Pool(2).map(abs, range(-9, 0))))"
updatedb	updatedb -l 0 -o $HOME/job/out/p.db -U $HOME/job/data; locate -d $HOME/job/out/p.db a.txt; rm -f $HOME/job/out/p.db
top	top -b -n1 | head -3 | wc -l; ps aux --sort=-\%cpu | head -5 | wc -l
su-postgres R	su postgres -c "psql -At -d proofdb -c 'select 1'"; runuser -u postgres -- id -un
chown R	chown -R www-data:www-data $HOME/job/data && stat -c \%U $HOME/job/data/a.txt
tar-etc R	tar cf - /etc 2>/dev/null | tar tf - | grep -c 'etc/shadow$'
kill-other R	sleep 200 & su nobody -s /bin/sh -c 'exec sleep 201' & sleep 0.2; pkill -f 'sleep 201'; kill $!; kill \%1; echo done
ping	ping -c1 -W2 127.0.0.1 >/dev/null && echo up
mail M	echo done | mail -s nightly $LOGNAME; printf 'To: \%s\n\nhello\n' $LOGNAME | /usr/sbin/sendmail -t
logger	logger -s -t proof nightly done 2>&1 | sed 's/^<[0-9]*>.* proof/proof/'
"""
PACKAGES = ["rsync", "logrotate", "git", "curl", "postgresql", "python3-venv", "iputils-ping", "bsdutils", "plocate",
            "procps", "exim4-daemon-light", "bsd-mailx"]
# What these lines call and not every machine has.
NEEDS = {"rsync": "rsync", "logrotate": "logrotate", "git": "git", "pg_dump": "pg_dump", "su-postgres": "psql", "curl": "curl",
         "curl-unix": "curl", "updatedb": "updatedb", "mail": "mail", "ping": "ping", "top": "top", "ps": "ps", "logger": "logger"}
USER = "taskhost-proof"


def jobs(quick, mode, installed):
    for line in JOBS.strip().split("\n"):
        head, command = line.split("\t")
        name, *flags = head.split()
        flags = "".join(flags)
        if installed and NEEDS.get(name) and not shutil.which(NEEDS[name]) or name == "venv" and installed:
            print(f"{mode:6}  {name:20}        not tried: the machine lacks what it calls")
        elif (not quick or "Q" in flags) and (mode == "root" or "R" not in flags):
            yield name, flags, command.rstrip()


def prepare(home, uid, gid):
    """The folder that the lines are about, the same each time."""
    job = home + "/job"
    shutil.rmtree(job, ignore_errors=True)
    for folder in ("data", "tmp", "out", "bin", "cron.daily", "app"):
        os.makedirs(f"{job}/{folder}")
    texts = {
        "data/a.txt": "alpha 1\nbeta 2\nalpha 1\n", "data/b.txt": "beta 2\n", "tmp/old.log": "x", "tmp/new.log": "y",
        "bin/task.sh": "#!/bin/sh\necho did it\n", "bin/daemon.sh": "#!/bin/sh\nexec sleep 300\n",
        "cron.daily/one": "#!/bin/sh\necho one\n", "cron.daily/two": "#!/bin/sh\nexit 3\n",
        "app/app.py": "import sys\nprint(sys.prefix != sys.base_prefix)\n",
        "logrotate.conf": f"{job}/out/x.log {{\n  size 1\n  rotate 2\n  nodateext\n}}\n", "out/x.log": "long enough\n",
    }
    for name, text in texts.items():
        with open(f"{job}/{name}", "w") as file:
            file.write(text)
        os.chmod(f"{job}/{name}", 0o755 if "bin/" in name or "cron.daily" in name else 0o644)
        os.utime(f"{job}/{name}", (1_000_000_000, 1_000_000_000))
    os.utime(f"{job}/tmp/new.log")
    for folder, folders, files in os.walk(job):
        for name in [folder] + [f"{folder}/{one}" for one in folders + files]:
            os.lchown(name, uid, gid)


def seen(home):
    """Files below the folder with type, mode, owner and what they contain."""
    found = {}
    for folder, folders, files in os.walk(home + "/job"):
        if "/venv" in folder:
            continue
        for name in folders + files:
            path = f"{folder}/{name}"
            facts = os.lstat(path)
            content = ""
            if stat.S_ISREG(facts.st_mode):
                with open(path, "rb") as file:
                    content = hashlib.sha256(file.read()).hexdigest()
            elif stat.S_ISLNK(facts.st_mode):
                content = os.readlink(path)
            found[path] = (oct(facts.st_mode), facts.st_uid, facts.st_gid, content)
    return found


def as_user(account):
    if account.pw_uid == 0 or os.geteuid() != 0:
        return []
    return ["setpriv", "--reuid", str(account.pw_uid), "--regid", str(account.pw_gid), "--init-groups"]


def limit():
    """The soft limit of open files that cron has of the machine: this script may have another."""
    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(1024, hard), hard))


def cron(account, command):
    """As do_command() of cron: the text up to the first %, the rest as input, in the home, with this environment alone."""
    parts, text, escaped = [], "", False
    for letter in command:
        if letter == "%" and not escaped:
            parts.append(text)
            text = ""
        elif letter == "%":
            text = text[:-1] + "%"
        else:
            text += letter
        escaped = letter == "\\"
    parts.append(text)
    variables = {"HOME": account.pw_dir, "LOGNAME": account.pw_name, "USER": account.pw_name, "SHELL": "/bin/sh",
                 "PATH": "/usr/bin:/bin"}
    reading, writing = os.pipe()
    # Cron's own pipe is root's, so that a user's command cannot open /dev/stdout by its name; ours can.
    os.fchown(writing, account.pw_uid, account.pw_gid)
    run = subprocess.Popen(
        as_user(account) + ["/bin/sh", "-c", parts[0]], env=variables, cwd=account.pw_dir, preexec_fn=limit,
        stdin=subprocess.PIPE, stdout=writing, stderr=writing, umask=0o022, start_new_session=True)
    os.close(writing)
    run.stdin.write("".join(part + "\n" for part in parts[1:]).encode())
    run.stdin.close()
    with open(reading, "rb") as output:
        text = output.read().decode(errors="replace")
    return run.wait(), text


class Taskhost:
    """A host in the foreground for each run, with folders of its own."""

    def __init__(self, program, mode, account, lines):
        self.program, self.account = program, account
        self.starter = as_user(account) if mode == "user" else []
        self.begin()
        column = f"{account.pw_name} " if mode == "column" else ""
        text = "".join(f"# {name}\n0 3 * * * {column}{command}\n" for name, _, command in lines)
        self.told = self.call("import", "crontab", "-", "--json", *self.options(), *(["--user-column"] if column else []),
                              text=text)
        answer = json.loads(self.told.stdout)
        self.manifests = answer["manifests"]
        self.tasks = {task["line"]: task["identifier"] for task in answer["tasks"]}
        self.refused = {one["line"]: one["reason"] for one in answer["refused"]}
        self.places = self.serve()

    def begin(self):
        self.folder = tempfile.mkdtemp(prefix="crontabs-", dir="/var/tmp")
        os.chmod(self.folder, 0o755)
        if self.starter:
            os.chown(self.folder, self.account.pw_uid, self.account.pw_gid)

    def options(self):
        return ["--directory", self.folder + "/manifests"]

    def serve(self):
        return ["--state", self.folder + "/state"]

    def end(self):
        shutil.rmtree(self.folder)

    def variables(self):
        home, name = (self.account.pw_dir, self.account.pw_name) if self.starter else ("/root", "root")
        return {"PATH": "/usr/bin:/bin", "HOME": home, "LOGNAME": name, "TZ": "UTC"}

    def call(self, *words, text=""):
        """Runs taskhost as the account whose host it is."""
        return subprocess.run(self.starter + [self.program, *words], input=text, capture_output=True, text=True,
                              env=self.variables(), cwd=self.folder)

    def run(self, identifier, leaves):
        manifests = ["--manifests", self.folder + "/manifests"] if self.places else []
        report = json.loads(self.call("run", identifier, "--json", *manifests, *self.places).stdout)
        if "runs" not in report:
            return None, "", report.get("detail", ""), ""
        run = report["runs"][0]
        if leaves:
            # It is named when it had its moment to end by itself.
            until = time.monotonic() + 60
            while "left running" not in " ".join(run["diagnostics"]) and time.monotonic() < until:
                time.sleep(0.2)
                run = json.loads(self.call("show", run["run"], "--json", *self.places).stdout)
        log = json.loads(self.call("logs", run["run"], "--json", *self.places).stdout)["output"]
        status = -run["signal"] if run["signal"] else run["exitStatus"]
        return status, log, " ".join(run["diagnostics"]), run["outcome"]


class Learned(Taskhost):
    """The same with what `taskhost learn` finds."""

    def options(self):
        # Tasks of root's own may be confined as root.
        os.makedirs(self.variables()["XDG_CONFIG_HOME"] + "/taskhost", exist_ok=True)
        with open(self.variables()["XDG_CONFIG_HOME"] + "/taskhost/config.json", "w") as file:
            names = [f"local.crontab.{name}" for name, *_ in jobs(False, "root", False)]
            json.dump({"rootApplications": names}, file)
        return super().options()

    def learn(self, identifier, name):
        again = f"python3 {os.path.abspath(__file__)} --prepare {self.account.pw_name} {name}"
        done = self.call("learn", identifier, "--prove", "--write", "--yes", "--json", "--before", again, "--manifests",
                         self.folder + "/manifests", *self.places)
        return json.loads(done.stdout) if done.stdout.startswith("{") else {"detail": done.stderr}

    def variables(self):
        return super().variables() | {"XDG_CONFIG_HOME": self.folder + "/config"}


def learned(program, mode, account, quick, wanted):
    """How many lines differ when they run with what was learned, of how many, and how many can be confined."""
    lines = [line for line in jobs(quick, mode, installed=False) if not wanted or line[0] in wanted]
    host = Learned(program, mode, account, lines)
    faults, confined = 0, 0
    try:
        for index, (name, flags, command) in enumerate(lines):
            again(account, name)
            status, output = cron(account, command)
            files = seen(account.pw_dir)
            subprocess.run(["pkill", "-f", "sleep 300"], check=False)
            identifier = host.tasks.get(2 * index + 2)
            told = host.learn(identifier, name) if identifier else {"detail": "not imported"}
            again(account, name)
            grants = "; ".join(f"{line['permission']} {line['place'].replace(account.pw_dir, '~')}".strip() +
                               ("" if line.get("needed") else " (idle)") for line in told.get("lines", []))
            if told.get("proved"):
                confined += 1
                fault = difference(flags.replace("D", ""), (status, output, files), (*host.run(identifier, False), seen(account.pw_dir)))
                faults += bool(fault)
                text = "DIFFERS: " + fault if fault else "as under cron with " + (grants or "nothing")
            else:
                named = [one["what"] for one in told.get("obstacles", [])]
                named += [f"{one['permission']} {one['place']} apart" for one in told.get("apart", [])]
                text = f"stays unconfined: {', '.join(named) or told.get('detail', '')} ({told.get('difference', '')})"
            print(f"{mode:6}  {name:20}  {status:4}  {text}", flush=True)
    finally:
        host.end()
        shutil.rmtree(account.pw_dir + "/job", ignore_errors=True)
    return faults, len(lines), confined


def again(account, name):
    prepare(account.pw_dir, account.pw_uid, account.pw_gid)
    if name == "venv":
        beside(name, account)


class Service(Taskhost):
    """The package's service, of the machine or of the user."""

    def begin(self):
        self.folder = "/"
        self.manager = ["systemctl"]
        if self.starter:
            runtime = f"/run/user/{self.account.pw_uid}"
            subprocess.run(["loginctl", "enable-linger", self.account.pw_name], check=True)
            subprocess.run(["systemctl", "start", f"user@{self.account.pw_uid}"], check=True)
            self.manager = self.starter + ["env", f"XDG_RUNTIME_DIR={runtime}", "systemctl", "--user"]
        # The import asks the host that serves where it looks.
        subprocess.run(self.manager + ["restart", "taskhost"], check=True)

    def options(self):
        return [] if self.starter else ["--unit"]

    def serve(self):
        """The one further command that the import prints, for root."""
        subprocess.run(self.manager + ["daemon-reload"], check=True)
        subprocess.run(self.manager + ["restart", "taskhost"], check=True)
        return []

    def end(self):
        for manifest in self.manifests:
            os.remove(manifest)


def difference(flags, before, after):
    (status, output, files), (own, log, notes, outcome, present) = before, after
    parts = []
    if status != own:
        parts.append(f"status {own} for {status}")
    if "V" not in flags and sorted(output.splitlines()) != sorted(log.splitlines()):
        parts.append(f"output {log!r} for {output!r}")
    if files != present:
        parts.append("files " + ", ".join(sorted(
            path.split("/job/")[-1] for path in set(files) | set(present) if files.get(path) != present.get(path))))
    if "D" in flags and "left running" not in notes:
        parts.append("what it left behind is not named")
    return f"{outcome}: " + "; ".join(parts) + f" {notes}" if parts else ""


def compare(program, mode, account, quick):
    lines = list(jobs(quick, mode, installed=not program))
    host = (Taskhost if program else Service)(program or "taskhost", mode, account, lines)
    faults = 0
    try:
        for index, (name, flags, command) in enumerate(lines):
            prepare(account.pw_dir, account.pw_uid, account.pw_gid)
            helpers = beside(name, account)
            mails = delivered() if "M" in flags else 0
            status, output = cron(account, command)
            sent = delivered() - mails if "M" in flags else 0
            files = seen(account.pw_dir)
            if "D" in flags:
                subprocess.run(["pkill", "-f", "sleep 300"], check=False)
            stop(helpers)
            prepare(account.pw_dir, account.pw_uid, account.pw_gid)
            helpers = beside(name, account)
            line = 2 * index + 2
            if line in host.refused:
                fault = f"refused: {host.refused[line]}"
            else:
                fault = difference(flags, (status, output, files), (*host.run(host.tasks[line], "D" in flags), seen(account.pw_dir)))
            stop(helpers)
            if "M" in flags and (not sent or delivered() - mails != 2 * sent):
                fault += f" {delivered() - mails - sent} messages for {sent}"
            if "D" in flags and f"line {line}" not in host.told.stdout + host.told.stderr and "left" not in host.told.stderr:
                fault += " the import does not name it"
            faults += bool(fault)
            print(f"{mode:6}  {name:20}  {status:4}  {'as under cron' if not fault else 'DIFFERS: ' + fault}"
                  + (" (ended with its run, as the import says)" if "D" in flags and not fault else ""), flush=True)
    finally:
        host.end()
        shutil.rmtree(account.pw_dir + "/job", ignore_errors=True)
    return faults, len(lines)


def beside(name, account):
    """What a line needs to be there: a server on a socket, a virtual environment."""
    job = account.pw_dir + "/job"
    if name == "venv":
        subprocess.run(as_user(account) + ["/usr/bin/python3", "-m", "venv", "--without-pip", job + "/app/venv"], check=True)
    if name != "curl-unix":
        return []
    code = ("import http.server, socketserver, os, sys\n"
            "os.chdir(sys.argv[1] + '/data')\n"
            "class Server(socketserver.UnixStreamServer):\n"
            "    def get_request(self): return super().get_request()[0], ('local', 0)\n"
            "Handler = http.server.SimpleHTTPRequestHandler\n"
            "Handler.log_message = lambda *words: None\n"
            "server = Server(sys.argv[1] + '/web.sock', Handler)\n"
            "print('ready', flush=True)\nserver.serve_forever()\n")
    server = subprocess.Popen(as_user(account) + ["python3", "-c", code, job], stdout=subprocess.PIPE)
    server.stdout.readline()
    return [server]


def delivered():
    """Messages that the mailer has delivered, once it does nothing more."""
    while subprocess.run(["pgrep", "-x", "exim4"], stdout=subprocess.DEVNULL, check=False).returncode == 0:
        time.sleep(0.1)
    with open("/var/log/exim4/mainlog") as log:
        return log.read().count("Completed")


def stop(helpers):
    for helper in helpers:
        helper.kill()
        helper.wait()


def database(names):
    """A database that both users may read, by the server's own socket."""
    subprocess.run(["pg_ctlcluster", "--skip-systemctl-redirect", version(), "main", "start"], check=False)
    def sql(text, base="postgres"):
        subprocess.run(["runuser", "-u", "postgres", "--", "psql", "-q", "-d", base, "-c", text], check=False,
                       stderr=subprocess.DEVNULL)
    sql("CREATE DATABASE proofdb")
    sql("CREATE TABLE t (i int)", "proofdb")
    for name in names:
        sql(f'CREATE ROLE "{name}" SUPERUSER LOGIN')


def version():
    return sorted(os.listdir("/etc/postgresql"))[-1]


def copied(binaries):
    """The programs where every user reaches them."""
    place = tempfile.mkdtemp(prefix="crontabs-programs-", dir="/var/tmp")
    os.chmod(place, 0o755)
    for name in ("taskhost", "taskhost-worker", "taskhost-transfer"):
        shutil.copy(f"{binaries}/{name}", place)
    return place


def main():
    if sys.argv[1:2] == ["--prepare"]:
        return again(pwd.getpwnam(sys.argv[2]), sys.argv[3])
    quick = "--quick" in sys.argv
    binaries = sys.argv[1] if len(sys.argv) > 1 and sys.argv[1] != "--service" else None
    if (binaries or "").startswith("-") or len(sys.argv) < 2 or os.geteuid() != 0:
        raise SystemExit(__doc__)
    # A machine under test may have no network.
    if binaries and not quick:
        subprocess.run([os.path.dirname(__file__) + "/require.sh", *PACKAGES], check=True)
    place = binaries and copied(binaries)
    subprocess.run(["useradd", "-m", "-s", "/bin/sh", USER], check=True)
    try:
        if binaries and not quick:
            database(["root", USER])
        account, root = pwd.getpwnam(USER), pwd.getpwnam("root")
        modes = (("root", root), ("user", account), ("column", account))
        if "--learn" in sys.argv:
            wanted = [word for word in sys.argv[2:] if not word.startswith("-")]
            faults, count, confined = map(sum, zip(*(
                learned(place + "/taskhost", mode, who, quick, wanted) for mode, who in modes)))
            print(f"{confined} of {count} lines confined by what was learned; {faults} of them differ")
            return 1 if faults else 0
        faults, count = map(sum, zip(*(compare(place and place + "/taskhost", mode, who, quick) for mode, who in modes)))
    finally:
        if not place:
            subprocess.run(["systemctl", "stop", f"user@{pwd.getpwnam(USER).pw_uid}"], check=False)
        subprocess.run(["userdel", "-rf", USER], check=False, stderr=subprocess.DEVNULL)
        if place:
            shutil.rmtree(place)
    print(f"{count - faults} of {count} as under cron")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
