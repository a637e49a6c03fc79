"""Power cuts while downloads go on, in a virtual machine whose disk loses what was not flushed, sector by sector; clocks that
are set, a disk that is full, and a restart meanwhile; a part of machine-test.py.

Each life begins further downloads, beside those that the lives before left. After each cut, before the host is started again,
a part of a file holds what the record says of it, and every file of whose end its application was told is whole. At the end
every file is there with the right contents, and nothing else.

    TASKHOST_MACHINES=DIR Tools/machine_transfers.py TREE [CUTS [SEED]]
"""
import json
import os
import random
import subprocess
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
APPLICATION = "org.taskhost.fixtures.transfers"
STATE = "/var/lib/taskhost"
OWN = f"{STATE}/applications/{APPLICATION}"
# Downloads that a life begins.
EACH = 6
# As the record numbers states: those below are not over, and this one has been told.
ENDED, TOLD = 5, 6

# In the guest. A file is made of its name; a connection gives so many bytes a second as /opt/transfers/rate says.
SERVER = """
import http.server, random, re, time
def contents(name):
    seed = int(name.split('-')[0]) * 100 + int(name.split('-')[1])
    chance = random.Random(seed)
    return chance.randbytes(chance.choice((60_000, 900_000, 2_500_000)) + seed * 7919 % 90_000)
class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = 'HTTP/1.1'
    def do_GET(self):
        body, tag = contents(self.path[1:]), '"%s"' % self.path[1:]
        found = re.match(r'bytes=(\\d+)-$', self.headers.get('Range', ''))
        start = int(found[1]) if found and self.headers.get('If-Range', tag) == tag else None
        if start is not None and start >= len(body):
            self.send_response(416)
            self.send_header('Content-Range', 'bytes */%d' % len(body))
            self.send_header('Content-Length', '0')
            return self.end_headers()
        self.send_response(200 if start is None else 206)
        if start is not None: self.send_header('Content-Range', 'bytes %d-%d/%d' % (start, len(body) - 1, len(body)))
        rest = body[start or 0:]
        for name, value in (('Content-Length', len(rest)), ('ETag', tag), ('Accept-Ranges', 'bytes')):
            self.send_header(name, value)
        self.end_headers()
        rate = int(open('/opt/transfers/rate').read())
        for place in range(0, len(rest), rate // 10):
            self.wfile.write(rest[place:place + rate // 10])
            time.sleep(0.1)
    def log_message(self, *words): pass
if __name__ == '__main__': http.server.ThreadingHTTPServer(('127.0.0.1', 8080), Handler).serve_forever()
"""

# Tells the outside at once of what end the application hears.
TELLER = """
import os, time
def port(name):
    for p in os.listdir('/sys/class/virtio-ports'):
        if open('/sys/class/virtio-ports/' + p + '/name').read().strip() == name: return '/dev/' + p
out, heard = os.open(port('lab.ack'), os.O_WRONLY), OWN + '/state/trace'
place = os.path.getsize(heard) if os.path.exists(heard) else 0
while True:
    if os.path.exists(heard):
        with open(heard, 'rb') as file:
            file.seek(place)
            for line in file.read().split(b'\\n')[:-1]:
                place += len(line) + 1
                if line.startswith(b'completed '): os.write(out, line + b'\\n')
    time.sleep(0.1)
"""

# What lies on the disk, as JSON: of each transfer its state, what the record says, and how much of its file is right. No host
# may run, which has the record for itself.
LOOKER = """
import json, os, sqlite3, sys
sys.path.insert(0, '/opt/transfers')
from server import contents
answer = {'transfers': [], 'left': [], 'heard': []}
db = sqlite3.connect(STATE + '/taskhost.db')
answer['integrity'] = db.execute('PRAGMA integrity_check').fetchone()[0]
for id, number, state, durable, error, url in db.execute('SELECT id, number, state, durable, error, place FROM transfers'):
    body, right, length, where = contents(url.rsplit('/', 1)[1]), 0, 0, 'nowhere'
    for place in ('transfers/%d.part' % id, 'cache/taskhost-%d.download' % id, 'state/s-%d' % number):
        path = OWN + '/' + place
        if not os.path.exists(path): continue
        data, where = open(path, 'rb').read(), place
        length = len(data)
        whole = min(length, len(body))
        while right < whole and data[right:min(right + 512, whole)] == body[right:min(right + 512, whole)]:
            right = min(right + 512, whole)
        while right < whole and data[right] == body[right]: right += 1
        break
    answer['transfers'].append(dict(id=id, number=number, state=state, durable=durable, error=error, size=len(body),
                                    right=right, length=length, where=where))
for folder in ('transfers', 'cache'):
    if os.path.isdir(OWN + '/' + folder):
        answer['left'] += [n for n in os.listdir(OWN + '/' + folder) if n.endswith(('.part', '.download'))]
heard = OWN + '/state/trace'
if os.path.exists(heard): answer['heard'] = open(heard, errors='replace').read().split('\\n')
print(json.dumps(answer))
"""


class Cuts:
    """So many lives that end with a cut, and one that does not."""

    def __init__(self, machines, count, seed):
        self.machines = machines
        self.count = count
        self.chance = random.Random(seed)
        self.folder = tempfile.mkdtemp(prefix="taskhost-transfers-")
        self.library = self.folder + "/libtransfers.so"
        self.image = self.folder + "/state.raw"
        self.completed = set()
        self.faults = []
        # Downloads that were under way when the power went, in all lives.
        self.interrupted = 0

    def build(self):
        include = f"-I{HERE}/Sources/CTaskHost/include"
        source = f"{HERE}/Tests/Fixtures/Good/transfers.c"
        subprocess.run(
            ["clang", "-std=c17", "-D_GNU_SOURCE", "-fPIC", "-shared", "-fvisibility=hidden", include, source, "-o",
             self.library], check=True)
        subprocess.run(["truncate", "-s", "192M", self.image], check=True)
        # The disk tears blocks between sectors, and a torn superblock whose checksum is wrong cannot be mounted.
        subprocess.run(["/usr/sbin/mke2fs", "-q", "-t", "ext4", "-O", "^metadata_csum", "-F", self.image], check=True)

    def prepare(self, vm):
        places = f"STATE, OWN = {STATE!r}, {OWN!r}\n"
        vm.put("/opt/transfers/server.py", SERVER)
        vm.put("/opt/transfers/teller.py", places + TELLER)
        vm.put("/opt/transfers/looker.py", places + LOOKER)
        vm.put_file(self.library, "/opt/transfers/manifests/libtransfers.so")
        with open(f"{HERE}/Tests/Fixtures/manifests/fixtures.transfers.json") as file:
            vm.put(f"/opt/transfers/manifests/{APPLICATION}.json", file.read())
        vm.sh(f"mkdir -p {STATE}; mount /dev/vdb {STATE} && chmod 755 {STATE}", check=True)

    def start(self, vm, rate):
        vm.put("/opt/transfers/rate", str(rate))
        vm.sh("systemd-run -q --unit web python3 /opt/transfers/server.py; systemd-run -q --unit host -p Type=notify "
              "-p Delegate=yes taskhost serve --manifests /opt/transfers/manifests", check=True, timeout=300)
        vm.lines.clear()
        vm.sh("systemd-run -q --unit teller python3 /opt/transfers/teller.py", check=True)

    def perform(self, vm, lines):
        script = "\\n".join(lines)
        vm.sh(f"taskhost foreground {APPLICATION}; printf '{script}' | taskhost run {APPLICATION}.work --payload -",
              check=True, timeout=300)

    @staticmethod
    def look(vm):
        return json.loads(vm.sh("python3 /opt/transfers/looker.py", check=True, timeout=300))

    def absorb(self, lines):
        for _, line in lines:
            words = line.split()
            if words[0] == "completed":
                self.completed.add(int(words[2]))

    def check(self, found):
        """What is wrong before a host looks at it."""
        if found["integrity"] != "ok":
            yield f"the record: {found['integrity']}"
        known = {transfer["number"]: transfer for transfer in found["transfers"]}
        for number in self.completed:
            transfer = known.get(number)
            if not transfer or transfer["state"] < ENDED or transfer["right"] != transfer["size"]:
                yield f"{number} was told to be complete, and is {transfer}"
        for transfer in found["transfers"]:
            if transfer["right"] < min(transfer["durable"], transfer["size"]):
                yield f"the record says more than is there: {transfer}"
            if transfer["state"] >= ENDED and (transfer["right"] != transfer["size"] or transfer["error"]):
                yield f"it ended, and is not whole: {transfer}"

    def tell(self, cut, found, faults):
        transfers = found["transfers"]
        open_ones = [transfer for transfer in transfers if transfer["state"] < ENDED]
        parts = [transfer for transfer in open_ones if transfer["where"].endswith(".part")]
        self.interrupted += len(parts)
        lost = sum(transfer["length"] - transfer["right"] for transfer in parts)
        print(
            f"  after cut {cut}: {len(transfers)} on record, {len(open_ones)} not over, {len(parts)} of them with a part of "
            f"their file, {sum(transfer['durable'] for transfer in parts) >> 10} KiB of which are durable, "
            f"{lost >> 10} KiB are lost; {len(self.completed)} were told to be complete; {len(faults)} faults", flush=True)
        for fault in faults:
            print("    " + fault, flush=True)
        self.faults += faults

    def live(self, vm, life):
        """Until the power goes. Some are over by then, and some are not."""
        self.start(vm, 40_000)
        self.perform(vm, ["have s"] + [f"download s http://127.0.0.1:8080/{life}-{i}" for i in range(EACH)])
        end = time.monotonic() + 15 + self.chance.random() * 35
        while time.monotonic() < end:
            time.sleep(0.1)
        vm.cut()
        time.sleep(0.5)
        self.absorb(list(vm.lines))

    def finish(self, vm):
        """The life that ends well."""
        self.start(vm, 4_000_000)
        self.perform(vm, ["have s"])
        end = time.monotonic() + 400
        while time.monotonic() < end and json.loads(vm.sh("taskhost transfers --json", timeout=300))["transfers"]:
            time.sleep(2)
        vm.sh("systemctl stop host", timeout=300)
        found = self.look(vm)
        faults = []
        for transfer in found["transfers"]:
            whole = transfer["right"] == transfer["size"] and transfer["where"].startswith("state/")
            if transfer["state"] != TOLD or transfer["error"] or not whole:
                faults.append(f"at the end: {transfer}")
            number = transfer["number"]
            file = [i for i, line in enumerate(found["heard"]) if line.startswith(f"downloaded s {number} ")]
            over = [i for i, line in enumerate(found["heard"]) if line.startswith(f"completed s {number} ")]
            # What an application has printed before a cut may be lost: nobody made that durable.
            if over and (not file or file[0] > over[0]) or not over and number not in self.completed:
                faults.append(f"{number} was told in no order: {file}, {over}")
        if found["left"]:
            faults.append(f"at the end there is {found['left']}")
        if len(found["transfers"]) != self.count * EACH:
            faults.append(f"at the end there are {len(found['transfers'])} transfers on record")
        if self.interrupted == 0:
            faults.append("no download was under way when the power went: nothing was shown")
        right = sum(transfer["right"] == transfer["size"] for transfer in found["transfers"])
        self.faults += faults
        print(f"  at the end: {right} of {len(found['transfers'])} files right; {self.count} cuts interrupted "
              f"{self.interrupted} downloads; {len(self.faults)} faults", flush=True)
        for fault in faults:
            print("    " + fault, flush=True)
        if faults:
            print(vm.sh("taskhost journal | tail -n 30; journalctl -u host --no-pager | tail -n 20"), flush=True)

    def begin(self, vm, life):
        """A life, until the machine is off."""
        self.prepare(vm)
        if life:
            found = self.look(vm)
            self.tell(life, found, list(self.check(found)))
        if life < self.count:
            self.live(vm, life)
        else:
            self.finish(vm)
            vm.off()

    def run(self):
        import nbd

        self.build()
        disk = nbd.Disk(self.image)
        for life in range(self.count + 1):
            listener = nbd.serve(disk, self.folder + "/nbd.sock")
            drive = f"file=nbd+unix:///?socket={self.folder}/nbd.sock,if=virtio,format=raw,cache=writeback"
            vm = self.machines.VM(disks=[drive])
            vm.start()
            try:
                self.begin(vm, life)
            except BaseException:
                vm.cut()
                raise
            listener.close()
            if life < self.count:
                disk = nbd.Disk(disk.image(seed=self.chance.random()))
        return self.faults


class Scenes:
    """What else happens to a machine while downloads go on: one machine, one host, one application."""

    def __init__(self, machines):
        self.machines = machines
        self.cuts = Cuts(machines, 0, 1)
        self.cuts.build()
        self.faults = []

    def expect(self, truth, words):
        print(("  " if truth else "  NO: ") + words, flush=True)
        if not truth:
            self.faults.append(words)

    def transfers(self):
        """By their numbers."""
        listed = json.loads(self.vm.sh("taskhost transfers --all --json", timeout=300))["transfers"]
        return {transfer["task"]: transfer for transfer in listed}

    def begin(self, name, *more):
        """Returns the number of the new download."""
        self.cuts.perform(self.vm, ["have s", f"download s http://127.0.0.1:8080/{name}", *more])
        return max(self.transfers())

    def until(self, number, what, is_there, seconds=240):
        end = time.monotonic() + seconds
        transfer = self.transfers()[number]
        while not is_there(transfer) and time.monotonic() < end:
            time.sleep(0.5)
            transfer = self.transfers()[number]
        fate = f"{transfer['state']}, waits for {transfer['waitsFor']}, {transfer['received']} of {transfer['total']} bytes"
        self.expect(is_there(transfer), f"{what}: {fate}, fault {transfer['lastFault']}, error {transfer['error']}")
        return transfer

    def whole(self, number, name):
        """It is right, and its application was told so."""
        self.until(number, f"{name} ends", lambda transfer: transfer["state"] in ("ended", "delivered"))
        there = self.vm.sh(f"cmp {OWN}/state/s-{number} /opt/transfers/{name} && echo right")
        self.expect(there.strip() == "right", f"{name} is there, and right {there.strip()}")

    def rate(self, rate):
        self.vm.put("/opt/transfers/rate", str(rate))

    def clocks(self):
        """A calendar that is set forward and back fails nobody and holds nobody up, and a date comes with it."""
        self.vm.sh("timedatectl set-ntp false 2>/dev/null; date -u -s '2026-03-10 02:00:00'")
        self.rate(100_000)
        running = self.begin("7-1")
        self.until(running, "a download goes on", lambda transfer: transfer["received"] > 0)
        now = int(self.vm.sh("date +%s"))
        dated = max(self.transfers()) + 1
        self.cuts.perform(
            self.vm, ["create s http://127.0.0.1:8080/7-3", f"earliest s {dated} {(now + 7200) * 10**9}", f"resume s {dated}"])
        self.until(dated, "another one has a date in two hours", lambda transfer: transfer["waitsFor"] == "date")
        self.vm.sh("date -u -s '2027-03-10 05:00:00'")
        self.expect(True, "the clock is set on by a year")
        self.until(dated, "its date has come, and its application is asked", lambda transfer: transfer["waitsFor"] == "answer")
        self.cuts.perform(self.vm, [f"answer s {dated} 5"])
        self.expect(self.transfers()[running]["error"] is None, "the one that went on has not failed")
        self.vm.sh("date -u -s '2026-03-09 12:00:00'")
        self.expect(True, "the clock is set back by a year")
        before = self.transfers()[running]["received"]
        self.until(running, "it goes on", lambda transfer: transfer["received"] > before)
        self.rate(4_000_000)
        self.whole(running, "7-1")
        self.whole(dated, "7-3")
        self.vm.sh("hwclock --hctosys --utc", check=True)

    def full(self):
        """A disk without room holds a download up, and room lets it go on."""
        self.rate(60_000)
        number = self.begin("8-2")
        self.until(number, "a download goes on", lambda transfer: transfer["received"] > 0)
        self.vm.sh(f"dd if=/dev/zero of={STATE}/filler bs=64k 2>&1 | tail -n 1; sync")
        waits = self.until(number, "the disk is full", lambda transfer: transfer["waitsFor"] == "disk")
        self.expect(waits["error"] is None, "which is no failure")
        self.vm.sh(f"rm {STATE}/filler; sync")
        self.until(number, "there is room again", lambda transfer: transfer["waitsFor"] != "disk")
        self.rate(4_000_000)
        self.whole(number, "8-2")

    def restart(self):
        """The machine is shut down in good order, and starts again."""
        self.rate(40_000)
        number = self.begin("9-4")
        self.until(number, "a download goes on", lambda transfer: transfer["received"] > 100_000)
        self.vm.off()
        self.open()
        self.cuts.perform(self.vm, ["have s"])
        transfer = self.until(number, "after the restart", lambda transfer: transfer["received"] > 0)
        self.expect(transfer["attempts"] == 2, f"it goes on in attempt {transfer['attempts']}")
        self.rate(4_000_000)
        self.whole(number, "9-4")

    def open(self):
        self.vm = self.machines.VM(disks=[f"file={self.cuts.image},if=virtio,format=raw"])
        self.vm.start()
        self.cuts.prepare(self.vm)
        self.cuts.start(self.vm, 40_000)
        script = "import server, sys; [open(name, 'wb').write(server.contents(name)) for name in sys.argv[1:]]"
        self.vm.sh(f'cd /opt/transfers && python3 -c "{script}" 7-1 7-3 8-2 9-4', check=True)

    def run(self):
        self.open()
        try:
            self.clocks()
            self.full()
            self.restart()
            if self.faults:
                print(self.vm.sh("taskhost journal | tail -n 30; journalctl -u host --no-pager | tail -n 20"), flush=True)
        except BaseException:
            self.vm.cut()
            raise
        self.vm.off()
        return self.faults


def transferring(machines, expect):
    """All of it, as a part of machine-test.py."""
    faults = Scenes(machines).run() + cuts(machines)
    expect(not faults, f"downloads outlive clocks, full disks, restarts and power cuts: {len(faults)} faults")


def cuts(machines, count=5, seed=1):
    """Returns what was wrong."""
    return Cuts(machines, count, seed).run()


def main():
    machines = os.environ.get("TASKHOST_MACHINES")
    if not machines:
        sys.exit("machine_transfers.py: set TASKHOST_MACHINES to the folder of vm.py")
    sys.path.insert(0, machines)
    import vm

    tree = os.path.abspath(sys.argv[1])
    subprocess.run([sys.executable, machines + "/vm.py", "build", "--product", tree], check=True)
    faults = Scenes(vm).run()
    numbers = [int(word) for word in sys.argv[2:]]
    sys.exit(bool(faults + cuts(vm, *numbers)))


if __name__ == "__main__":
    main()
