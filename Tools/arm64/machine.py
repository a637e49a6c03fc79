#!/usr/bin/env python3
"""The aarch64 package in emulated machines, with pages of 4 and of 16 KiB, in one of 256 MiB and one processor, in one without
Landlock and limits of memory, and in one whose power is cut: Tools/arm64/guest.py is played in each.

    Tools/arm64/machine.py --sysroot CACHE --packages DIR --build DIR [--machines 4k,16k,small,bare,power] [--only PART,…]

CACHE is what Tools/arm64/sysroot.sh made, --packages has what `make deb ARCH=arm64` made, --build the programs. Nothing but qemu,
mke2fs and cpio is needed. Times of an emulation mean nothing. Exit status 1 if anything differs from what is expected.
"""
import argparse
import glob
import gzip
import lzma
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
# Pages, MiB of memory, processors, the kernel's parameters, and the parts of guest.py that are played; none: all but those of one
# machine.
MACHINES = {
    "4k": ("4k", 2048, 2, "", ()),
    "16k": ("16k", 2048, 2, "", ()),
    "small": ("4k", 256, 1, "", ("package", "examples", "small", "serving")),
    "bare": ("4k", 1024, 2, "lsm=capability cgroup_disable=memory", ("package", "bare")),
    "power": ("4k", 1024, 2, "", ("package", "power")),
}
# What a kernel of Debian's needs for its root disk here.
MODULES = ("crc16", "mbcache", "jbd2", "ext4", "virtio_blk")
LEFT_OUT = (
    "*.swiftmodule", "*.a", "usr/include", "usr/share/doc", "usr/share/man", "usr/share/locale", "usr/lib/gcc",
    "usr/libexec/swift", "usr/lib/swift*",
)
# The first process: the mounts, and a control group whose children are the host's to share out.
INIT = """#!/bin/sh
export PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LC_ALL=C.UTF-8
mount -t tmpfs -o mode=755 run /run
mount -t tmpfs tmp /tmp
mkdir -p /dev/pts /dev/shm
mount -t devpts devpts /dev/pts
mount -t tmpfs shm /dev/shm
mount -t cgroup2 cgroup /sys/fs/cgroup
mount -t securityfs sec /sys/kernel/security
ln -sf /proc/self/fd /dev/fd
hostname lab
ip link set lo up
busybox dmesg -n 1
ldconfig
mkdir -p /sys/fs/cgroup/init /sys/fs/cgroup/th
echo 1 >/sys/fs/cgroup/init/cgroup.procs
for c in +cpu +memory +pids; do echo $c >/sys/fs/cgroup/cgroup.subtree_control; done
for c in +cpu +memory +pids; do echo $c >/sys/fs/cgroup/th/cgroup.subtree_control; done
python3 /lab/guest.py $(sed -n 's/.* parts=//p' /proc/cmdline | tr , ' ')
echo "guest ended with $?"
sync
busybox poweroff -f
"""
FIRST = """#!/bin/busybox sh
b=/bin/busybox
$b mount -t devtmpfs dev /dev
$b mount -t proc proc /proc
$b mount -t sysfs sys /sys
for m in /mods/*; do $b insmod $m; done
$b mount -t ext4 /dev/vda /new
for f in dev proc sys; do $b mount --move /$f /new/$f; done
exec $b switch_root /new /lab/init
"""


def sh(*words, **options):
    return subprocess.run([str(word) for word in words], check=True, **options)


def script(path, text):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    path.chmod(0o755)


def fixtures(sysroot, target):
    """The plugins in C, with signed return addresses, which a processor that can checks."""
    options = f"--target=aarch64-linux-gnu --sysroot={sysroot}/root -fuse-ld=lld -mbranch-protection=standard"
    environment = {**os.environ, "CC": f"clang {options}", "CXX": f"clang++ {options}"}
    sh("sh", ROOT / "Tests/Fixtures/build.sh", target, env=environment)


def status_of(packages):
    """What dpkg would know of the packages, had it installed them."""
    for package in sorted(packages):
        fields = subprocess.run(["dpkg-deb", "--field", package], capture_output=True, text=True, check=True).stdout
        head, rest = fields.split("\n", 1)
        yield f"{head}\nStatus: install ok installed\n{rest.strip()}\n"


def other_package(folder):
    """A package of the building machine."""
    fields = ("Package: other", "Version: 1", "Architecture: amd64", "Maintainer: none <none@localhost>", "Description: none", "")
    script(folder / "DEBIAN/control", "\n".join(fields))
    sh("dpkg-deb", "--build", "--root-owner-group", folder, folder.with_suffix(".deb"), stdout=subprocess.DEVNULL)
    return folder.with_suffix(".deb")


def check_pages(program):
    """The kernel can map its segments whatever its pages are, up to 64 KiB (no kernel of Debian's has such)."""
    lines = subprocess.run(["readelf", "-lW", program], capture_output=True, text=True, check=True).stdout.splitlines()
    aligned = [int(line.split()[-1], 16) for line in lines if line.split()[:1] == ["LOAD"]]
    if not aligned or min(aligned) < 0x10000:
        sys.exit(f"{program} is not for pages of 64 KiB; its segments are aligned to {aligned}")


def disk(arguments, work):
    stage = work / "root"
    stage.mkdir()
    exclude = [f"--exclude=./{pattern}" if "/" in pattern else f"--exclude={pattern}" for pattern in LEFT_OUT]
    with subprocess.Popen(["tar", "-C", arguments.sysroot / "root", "-cf", "-", *exclude, "."], stdout=subprocess.PIPE) as tar:
        sh("tar", "-C", stage, "-xf", "-", stdin=tar.stdout)
    for name in ("passwd", "group"):
        shutil.copy(stage / f"usr/share/base-passwd/{name}.master", stage / f"etc/{name}")
    (stage / "etc/shadow").write_text("root:*:1:0:99999:7:::\n")
    (stage / "etc/shadow").chmod(0o600)
    (stage / "etc/hosts").write_text("127.0.0.1 localhost lab\n")
    dpkg = stage / "var/lib/dpkg"
    for name in ("info", "updates", "triggers", "alternatives"):
        (dpkg / name).mkdir(parents=True, exist_ok=True)
    (dpkg / "status").write_text("\n".join(status_of(glob.glob(f"{arguments.sysroot}/debs/*.deb"))))
    lab = stage / "lab"
    script(lab / "init", INIT)
    shutil.copytree(arguments.packages, lab / "packages", ignore=lambda _, names: [n for n in names if not n.endswith(".deb")])
    shutil.copy(other_package(work / "other"), lab / "other.deb")
    shutil.copy(HERE / "guest.py", lab)
    for name in ("confinement.tsv", "expectations.json"):
        shutil.copy(ROOT / "Tests/Fixtures" / name, lab)
    shutil.copy(ROOT / "Fuzz/corpus/elf/x86_64-gnu.so", lab / "x86_64.so")
    shutil.copy(arguments.build / "confinement-probe", lab)
    sh("patchelf", "--set-rpath", "/usr/lib/taskhost/runtime", lab / "confinement-probe")
    fixtures(arguments.sysroot, lab / "fixtures")
    image = work / "disk.img"
    sh("mke2fs", "-q", "-F", "-t", "ext4", "-E", "root_owner=0:0", "-d", stage, image, "2500M")
    shutil.rmtree(stage)
    return image


def first_disk(arguments, modules, work):
    """busybox, the modules of the root disk, and a script of some lines."""
    folder = work / "first"
    shutil.rmtree(folder, ignore_errors=True)
    for name in ("bin", "mods", "dev", "proc", "sys", "new"):
        (folder / name).mkdir(parents=True)
    shutil.copy(arguments.sysroot / "root/usr/bin/busybox", folder / "bin")
    for number, name in enumerate(MODULES):
        for path in modules.rglob(f"{name}.ko.xz"):
            (folder / "mods" / f"{number}-{name}.ko").write_bytes(lzma.decompress(path.read_bytes()))
    script(folder / "init", FIRST)
    names = subprocess.run(["find", "."], cwd=folder, capture_output=True, check=True).stdout
    pack = ["cpio", "-o", "-H", "newc", "--quiet"]
    archive = subprocess.run(pack, cwd=folder, input=names, capture_output=True, check=True).stdout
    target = work / "first.gz"
    target.write_bytes(gzip.compress(archive, 1))
    return target


def play(arguments, name, image, work):
    """Boots the kernel, again after each cut of the power, and tells whether the guest found no fault."""
    if "power" not in MACHINES[name][4]:
        return boot(arguments, name, image, work, "-snapshot") == "ended"
    own = work / "own.img"
    sh("cp", "--sparse=always", image, own)
    while (found := boot(arguments, name, own, work)) == "cut":
        print(f"{name}: the power comes back", flush=True)
    return found == "ended"


def boot(arguments, name, image, work, *more):
    """Boots the kernel and shows what it says; `ended`: the guest found no fault, `cut`: it cut the power."""
    pages, memory, processors, parameters, parts = MACHINES[name]
    parts = arguments.only or ",".join(parts)
    kernels = sorted((arguments.sysroot / "kernel/usr/lib/modules").glob("*-arm64"))
    modules = kernels[-1] if pages == "4k" else kernels[-1].with_name(kernels[-1].name + "-16k")
    words = [
        "qemu-system-aarch64", "-M", "virt", "-cpu", "max,pauth-impdef=on", "-smp", str(processors), "-m", str(memory),
        "-accel", "tcg,thread=multi", *more,
        "-nographic", "-nic", "none", "-no-reboot", "-kernel", modules / "vmlinuz.unsigned",
        "-initrd", first_disk(arguments, modules, work), "-append", f"console=ttyAMA0 quiet panic=-1 {parameters} parts={parts}",
        "-drive", f"file={image},if=none,id=d,format=raw,cache=unsafe", "-device", "virtio-blk-pci,drive=d",
    ]
    found = "failed"
    command = ["timeout", str(arguments.seconds), *map(str, words)]
    with subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True, errors="replace") as machine:
        for line in machine.stdout:
            print(f"{name}: {line.rstrip()}", flush=True)
            if line.startswith("guest ended with "):
                found = "ended" if line.strip() == "guest ended with 0" else "failed"
            elif line.strip().startswith("cutting the power"):
                found = "cut"
    return found


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sysroot", type=pathlib.Path, required=True)
    parser.add_argument("--packages", type=pathlib.Path, required=True)
    parser.add_argument("--build", type=pathlib.Path, required=True)
    parser.add_argument("--machines", default=",".join(MACHINES))
    parser.add_argument("--only", default="", help="parts of guest.py, with commas between them")
    parser.add_argument("--seconds", type=int, default=3600, help="at most, for each machine")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        work = pathlib.Path(folder)
        for name in ("taskhost", "taskhost-worker", "taskhost-transfer"):
            check_pages(arguments.build / name)
        image = disk(arguments, work)
        failed = [name for name in arguments.machines.split(",") if not play(arguments, name, image, work)]
    print("faults in the machines " + ", ".join(failed) if failed else "no fault")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
