#!/usr/bin/env python3
"""The packages in a machine of their own, beside a real systemd: two commands lead to a scheduled example that ran, with its line
in the journal and its metric; what manifests may grant works under the unit; a host of a user; an upgrade; a purge.

    TASKHOST_MACHINES=DIR Tools/machine-packages.py PACKAGES NEWER

DIR has vm.py, which makes virtual machines; PACKAGES and NEWER are folders that Tools/deb.sh made, of two versions. Minutes.
"""
import glob
import json
import os
import shutil
import subprocess
import sys
import tempfile

NAMES = ("taskhost", "taskhost-examples")
HERE = os.path.dirname(os.path.abspath(__file__))
EXAMPLE = "org.taskhost.examples.crc32"
SOCKET = "/var/lib/taskhost/control.sock"
COPY = {
    "identifier": "org.example.copy",
    "tasks": {
        "org.example.copy.home": {
            "kind": "processing",
            "handler": {"command": ["/bin/cp", "/home/ann/letter", "/srv/copies/letter"]},
            "requires": {"idle": False},
        }
    },
    "user": "ann",
    "permissions": {"read": ["/home/ann"], "write": ["/srv/copies"]},
}


class Failed(Exception):
    pass


def expect(truth, words):
    print(("  " if truth else "  NO: ") + words, flush=True)
    if not truth:
        raise Failed(words)


class Machine:
    def __init__(self, vm):
        self.vm = vm

    def sh(self, command, user=None, timeout=300):
        answer = self.vm.ask(command, user, timeout)
        if answer["rc"]:
            raise Failed(f"{command}: status {answer['rc']}: {answer['out'][-3000:]}")
        return answer["out"].strip()

    def metric(self, name, *labels):
        """The value of the sample that has all the labels."""
        for line in self.sh(f"curl -sSf --unix-socket {SOCKET} http://localhost/metrics").splitlines():
            if line.startswith(name + "{") and all(label in line for label in labels):
                return float(line.rsplit(" ", 1)[1])
        return None


def start(machine):
    """Two commands, and a scheduled example has run."""
    machine.sh("mount -t 9p -o trans=virtio,msize=262144,ro share /lab")
    # The laboratory has a unit of its own by this name.
    machine.sh("rm -f /etc/systemd/system/taskhost.service; systemctl daemon-reload")
    machine.sh("DEBIAN_FRONTEND=noninteractive apt-get install -y /lab/packages/*.deb")
    machine.sh("systemctl start taskhost")
    # Five minutes go by: it is due.
    machine.sh("date -s '+6 minutes'")
    field = f"TASKHOST_TASK={EXAMPLE}"
    line = machine.sh(f"timeout 280 journalctl -f -n all -o cat {field} | grep -m 1 succeeded", timeout=300)
    expect(True, "the journal: " + line)
    expect(machine.metric("taskhost_runs_total", f'task="{EXAMPLE}"', 'outcome="succeeded"') == 1, "the metric is 1")
    run = json.loads(machine.sh(f"taskhost history {EXAMPLE} --json"))["runs"][0]
    expect(run["outcome"] == "succeeded" and run["origin"] == "schedule", f"the record: {run['outcome']}, by its {run['origin']}")
    rating = machine.sh("systemd-analyze security taskhost | tail -n 1")
    expect(float(rating.split(":")[1].split()[0]) <= 4.0, rating)


def grants(machine):
    """What a manifest may grant is not cut by the unit."""
    machine.sh("echo dear >/home/ann/letter; chown ann: /home/ann/letter; install -d -o ann -g ann /srv/copies")
    machine.vm.put("/etc/taskhost/manifests/org.example.copy.json", json.dumps(COPY))
    machine.sh("systemctl reload taskhost")
    machine.sh("taskhost run org.example.copy.home --quiet")
    copy = machine.sh("stat -c %U /srv/copies/letter; cat /srv/copies/letter")
    expect(copy == "ann\ndear", "a program of ann read /home and wrote /srv")


def user(machine):
    """A host of one user."""
    environment = "export XDG_RUNTIME_DIR=/run/user/$(id -u);"
    machine.sh(environment + "systemctl --user start taskhost", "ann")
    machine.sh("taskhost run org.taskhost.examples.crc32 --payload-text 123456789 --quiet", "ann")
    machine.sh(environment + "systemctl --user stop taskhost", "ann")
    expect(True, "a host of ann ran an example")


def crontabs(machine):
    """Lines of crontabs under the package's own services, after the import and the one command that it prints."""
    machine.vm.put_file(f"{HERE}/check-crontabs.py", "/opt/check-crontabs.py")
    answer = machine.vm.ask("python3 /opt/check-crontabs.py --service", timeout=1800)
    print(answer["out"].rstrip())
    expect(answer["rc"] == 0, "what works under cron works under the service")


def upgrade(machine):
    before = machine.sh("systemctl show -p MainPID --value taskhost")
    machine.sh("DEBIAN_FRONTEND=noninteractive apt-get install -y /lab/newer/*.deb")
    after = machine.sh("systemctl is-active --quiet taskhost && systemctl show -p MainPID --value taskhost")
    expect(before != after and int(after) > 0, "an upgrade restarts the host")
    kept = json.loads(machine.sh(f"taskhost history {EXAMPLE} --json"))["runs"]
    expect(kept[-1]["outcome"] == "succeeded", "and its record is kept")


def purge(machine):
    machine.sh("DEBIAN_FRONTEND=noninteractive apt-get purge -y 'taskhost*'")
    left = machine.sh(
        "find / -xdev \\( -path /proc -o -path /sys -o -path /root -o -path /home -o -path /etc/taskhost -o -path /var/lib/dpkg "
        "-o -path /var/log -o -path /var/cache -o -path /lab \\) -prune -o -name '*taskhost*' -print | grep -v taskhost-cut || true"
    )
    expect(not left, "a purge leaves nothing" + (": " + left if left else ""))


def main():
    packages, newer = (os.path.abspath(word) for word in sys.argv[1:3])
    machines = os.environ.get("TASKHOST_MACHINES") or sys.exit("machine-packages.py: set TASKHOST_MACHINES to the folder of vm.py")
    sys.path.insert(0, machines)
    import vm

    subprocess.run([sys.executable, machines + "/vm.py", "build", "--kernels", "stable"], check=True)
    with tempfile.TemporaryDirectory() as share:
        for folder, name in ((packages, "packages"), (newer, "newer")):
            os.mkdir(f"{share}/{name}")
            for package in NAMES:
                shutil.copy(*glob.glob(f"{folder}/{package}_*.deb"), f"{share}/{name}/")
        machine_life(vm, share)


def machine_life(vm, share):
    with vm.VM(kernel="stable", share=share) as one:
        machine = Machine(one)
        for part in (start, user, grants, crontabs, upgrade, purge):
            print(f"{part.__name__}:", flush=True)
            part(machine)
        one.off()


if __name__ == "__main__":
    try:
        main()
    except (Failed, TimeoutError) as failure:
        sys.exit(f"machine-packages.py: {failure}")
