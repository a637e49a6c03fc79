#!/usr/bin/env python3
"""What only a machine of its own shows, in a virtual machine: the installed tree beside a real systemd, budgets that the
file system holds (project quotas), a machine that sleeps, clocks that are set, and downloads through power cuts.

    TASKHOST_MACHINES=DIR Tools/machine-test.py TREE [KERNEL…]

DIR has vm.py, which makes virtual machines; TREE is what `make install DESTDIR=TREE PREFIX=/usr` made. Minutes, and no part of
`make test`.
"""
import json
import os
import subprocess
import sys
import tempfile

import machine_sleep
import machine_transfers

HERE = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
KEEPER = "org.taskhost.keeper"
CRC = "org.taskhost.examples.crc32"
LIMIT = 8 << 20

# quotactl_fd(2) without a library: what a project holds, and its limit; with a fourth word the limit is set.
QUOTA = """
import ctypes, os, struct, sys
libc = ctypes.CDLL(None, use_errno=True)
folder, project = os.open(sys.argv[1], os.O_RDONLY), int(sys.argv[2])
block = ctypes.create_string_buffer(72)
if len(sys.argv) > 3:
    block = ctypes.create_string_buffer(struct.pack("8QI", int(sys.argv[3]) >> 10, 0, 0, 0, 0, 0, 0, 0, 1), 72)
command = 0x800008 if len(sys.argv) > 3 else 0x800007
if libc.syscall(443, folder, command << 8 | 2, project, block) < 0 and ctypes.get_errno() != 2:
    sys.exit(os.strerror(ctypes.get_errno()))
hard, soft, space = struct.unpack("3Q", block.raw[:24])
print(space, hard << 10)
"""

MAKE = {
    "ext4": "mkfs.ext4 -q -O quota,project -E quotatype=prjquota {image}",
    "xfs": "mkfs.xfs -q {image}",
    "none": "mkfs.ext4 -q {image}",
}


class Failed(Exception):
    pass


class Machine:
    """A machine with the product, the filler, and a file system of the wanted kind at /srv/disk."""

    def __init__(self, vm, library):
        self.vm = vm
        vm.put_file(library, "/opt/keeper/libkeeper.so")
        vm.put("/opt/quota.py", QUOTA)
        for word in ("keep", "fill"):
            self.manifest(KEEPER + "." + word, word)
        self.sh(f"cp /usr/share/taskhost/manifests/{CRC}.json /opt/keeper/")

    def manifest(self, application, word, disk="8MiB"):
        self.vm.put(
            f"/opt/keeper/{application}.json",
            '{"identifier":"%s","library":"libkeeper.so","tasks":{"%s":{"kind":"processing","handler":"keeper_%s",'
            '"requires":{"idle":false},"budget":{"wallClock":"120s","grace":"5s","disk":"%s"}}}}'
            % (application, application, word, disk),
        )

    def sh(self, command, user=None, status=0):
        answer = self.vm.ask(command, user, 300)
        if status is not None and answer["rc"] != status:
            raise Failed(f"{command}: status {answer['rc']}: {answer['out'][-3000:]}")
        return answer["out"].strip()

    def mount(self, kind, options):
        image = "/var/disk.img"
        self.sh("umount /srv/disk 2>/dev/null; true")
        self.sh(f"rm -f {image}; truncate -s 400M {image}; " + MAKE[kind].format(image=image))
        self.sh(f"mkdir -p /srv/disk && mount -o loop,{options} {image} /srv/disk && chmod 755 /srv/disk")

    def run(self, *tasks, state="/srv/disk/state", user=None, payload="0"):
        """The documents of the runs, by their identifiers."""
        verb = f"taskhost run --state {state} --manifests /opt/keeper --payload-text {payload} --quiet --json"
        out = self.sh(f"{verb} {' '.join(tasks)} 2>/dev/null", user, status=None)
        return {run["identifier"]: run for run in json.loads(out)["runs"]}

    def folder(self, application, state="/srv/disk/state"):
        return f"{state}/applications/{application}"

    def project(self, path):
        return int(self.sh(f"lsattr -pd {path}").split()[0])

    def quota(self, project, limit=""):
        used, most = self.sh(f"python3 /opt/quota.py /srv/disk {project} {limit}").split()
        return int(used), int(most)


def expect(truth, words):
    print(("  " if truth else "  NO: ") + words, flush=True)
    if not truth:
        raise Failed(words)


def shown(machine, run, state="/srv/disk/state", user=None):
    return machine.sh(f"taskhost show --state {state} {run['run']}", user)


def examples(machine):
    """The shipped tasks succeed for root and for an ordinary user, and the unit serves them."""
    for user in (None, "ann"):
        verb = "taskhost run --all --payload-text 123456789 --quiet --json 2>/dev/null"
        runs = json.loads(machine.sh(verb, user))["runs"]
        ends = sorted({run["outcome"] for run in runs})
        expect(len(runs) == 7 and ends == ["succeeded"], f"{user or 'root'}: {len(runs)} examples: {', '.join(ends)}")
    machine.sh("systemctl start taskhost")
    listed = len(json.loads(machine.sh("taskhost list --json"))["tasks"])
    machine.sh("systemctl stop taskhost")
    expect(listed == 7, f"the unit serves {listed} tasks")


def quotas(machine, kind):
    """The file system counts and refuses; whoever fills its folders ends alone."""
    machine.mount(kind, "prjquota")
    runs = machine.run(KEEPER + ".fill", CRC, payload="123456789")
    fill = runs[KEEPER + ".fill"]
    text = shown(machine, fill)
    expect(fill["outcome"] == "exceededDisk", f"{kind}: the filler: {fill['outcome']}, {fill['wallTime']} s")
    expect("disk: project quota" in text and "refused it more" in text, "show tells who held it")
    expect(runs[CRC]["outcome"] == "succeeded", "its neighbour: " + runs[CRC]["outcome"])
    place = machine.folder(KEEPER + ".fill")
    project = machine.project(place)
    used, limit = machine.quota(project)
    expect(limit == LIMIT and LIMIT - (2 << 20) < used <= LIMIT, f"project {project} holds {used} of {limit} bytes")
    other = machine.project(machine.folder(CRC))
    expect(other not in (0, project), f"its neighbour has a project of its own: {other}")
    user = machine.sh(f"stat -c %u {place}")
    out = machine.sh(f"setpriv --reuid {user} --clear-groups dd if=/dev/zero of={place}/state/more bs=1M count=9 2>&1", None, None)
    expect(("No space left" if kind == "xfs" else "Disk quota exceeded") in out, "the kernel refuses: " + out.splitlines()[0])
    machine.sh(f"rm -f {place}/state/*")
    ends = machine.run(KEEPER + ".fill")[KEEPER + ".fill"]["outcome"]
    expect(ends == "exceededDisk" and machine.project(place) == project, f"the next host finds project {project} again")


def daemon(machine):
    """A daemon goes on, and tells the next refusal too."""
    machine.sh(
        "systemd-run -q --unit quotas -p Type=notify -p Delegate=yes taskhost serve --state /srv/disk/state "
        "--manifests /opt/keeper"
    )
    for _ in range(2):
        machine.sh(f"taskhost run --state /srv/disk/state {KEEPER}.fill --quiet", status=18)
    machine.sh(f"taskhost run --state /srv/disk/state {CRC} --payload-text 123456789 --quiet")
    expect(machine.sh("systemctl is-active quotas") == "active", "the daemon ended two fillers and serves on")
    machine.sh("systemctl stop quotas")


def strangers(machine):
    """Numbers and folders of others are left alone."""
    place = machine.folder(KEEPER + ".keep")
    machine.sh(f"taskhost run --state /srv/disk/state --manifests /opt/keeper {KEEPER}.keep --quiet")
    machine.sh(f"rm -rf {place}/* && chattr -p 42 {place}")
    run = machine.run(KEEPER + ".keep", payload="9")[KEEPER + ".keep"]
    text = shown(machine, run)
    expect("disk: weighed (its folder belongs to project 42" in text, "a folder of project 42 is weighed")
    expect(run["outcome"] == "exceededDisk" and machine.project(place) == 42, "and held, and left alone")
    user = int(machine.sh(f"stat -c %u {place}"))
    machine.sh(f"rm -rf {place}/* && chattr -p 0 {place}")
    machine.quota(user, 5 << 20)
    run = machine.run(KEEPER + ".keep", payload="9")[KEEPER + ".keep"]
    taken = machine.project(place)
    expect(taken not in (0, user) and machine.quota(user) == (0, 5 << 20), f"number {user} is in use: {taken} was taken")
    expect(run["outcome"] == "exceededDisk", "and held: " + run["outcome"])


def adoption(machine):
    """What was there before there were quotas is counted as well."""
    machine.mount("ext4", "noquota")
    text = shown(machine, machine.run(KEEPER + ".keep", payload="6")[KEEPER + ".keep"])
    expect("disk: weighed (no project quotas here)" in text, "without the mount option a thread weighs")
    place = machine.folder(KEEPER + ".keep")
    user = machine.sh(f"stat -c %u {place}")
    script = "mkdir -p a/b && mv kept-0 a/b/ && ln -s /etc a/b/link && mkfifo a/fifo"
    machine.sh(f"cd {place}/state && setpriv --reuid {user} --regid {user} --clear-groups sh -c '{script}'")
    machine.sh("umount /srv/disk && mount -o loop,prjquota /var/disk.img /srv/disk")
    run = machine.run(KEEPER + ".keep", payload="1")[KEEPER + ".keep"]
    used, limit = machine.quota(machine.project(place))
    expect(run["outcome"] == "succeeded" and used > 7 << 20 and limit == LIMIT, f"{used} bytes were found, {limit} may be")
    inside = {machine.project(f"{place}/state/{name}") for name in ("", "a", "a/b", "a/b/kept-0", "kept-1")}
    expect(inside == {machine.project(place)}, "all of it, folders in folders too")
    machine.manifest(KEEPER + ".keep", "keep", "2MiB")
    run = machine.run(KEEPER + ".keep")[KEEPER + ".keep"]
    used, limit = machine.quota(machine.project(place))
    expect(run["outcome"] == "succeeded" and used < limit <= used + (1 << 20), f"with less allowed: {used} of {limit}")
    machine.manifest(KEEPER + ".keep", "keep")


def elsewhere(machine):
    """Where the host may not, or the file system cannot, a thread weighs."""
    machine.sh("mkdir -p /srv/disk/ann && chown ann:ann /srv/disk/ann")
    for state, words in (("/srv/disk/ann/state", "may not set"), ("/home/ann/state", "no project quotas here")):
        run = machine.run(KEEPER + ".fill", state=state, user="ann")[KEEPER + ".fill"]
        text = shown(machine, run, state, "ann")
        expect(words in text and run["outcome"] == "exceededDisk", f"ann in {state}: {run['outcome']}, {words}")


def main():
    tree, kernels = os.path.abspath(sys.argv[1]), sys.argv[2:] or ["stable"]
    machines = os.environ.get("TASKHOST_MACHINES") or sys.exit("machine-test.py: set TASKHOST_MACHINES to the folder of vm.py")
    sys.path.insert(0, machines)
    import vm

    subprocess.run([sys.executable, machines + "/vm.py", "build", "--product", tree, "--kernels", ",".join(kernels)], check=True)
    with tempfile.TemporaryDirectory() as folder:
        library = folder + "/libkeeper.so"
        subprocess.run(
            ["clang", "-std=c17", "-D_GNU_SOURCE", "-fPIC", "-shared", "-fvisibility=hidden", f"-I{HERE}/Sources/CTaskHost/include",
             f"{HERE}/Tests/Fixtures/Good/keeper.c", "-o", library], check=True)
        for kernel in kernels:
            print(f"{kernel}:", flush=True)
            with vm.VM(kernel=kernel) as one:
                machine = Machine(one, library)
                examples(machine)
                quotas(machine, "xfs")
                quotas(machine, "ext4")
                daemon(machine)
                strangers(machine)
                adoption(machine)
                elsewhere(machine)
                machine_sleep.sleeping(machine, expect)
                machine_sleep.windows(machine, expect)
                one.off()
    machine_transfers.transferring(vm, expect)


if __name__ == "__main__":
    try:
        main()
    except (Failed, TimeoutError) as failure:
        sys.exit(f"machine-test.py: {failure}")
