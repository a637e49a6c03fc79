#!/usr/bin/env python3
"""Commands of the documents as an ordinary user without control groups: Tools/ordinary.py COMMAND...

As root it runs them as nobody in a mount namespace of their own, in which this tree belongs to nobody (mount_setattr(2),
"ID-mapped mounts": the same files, so that nothing is built anew), /tmp is another and there are no control groups. As anybody
else it just runs them.
"""
import ctypes
import os
import signal
import struct
import subprocess
import sys
import tempfile

NOBODY = 65534
OPEN_TREE, MOVE_MOUNT, MOUNT_SETATTR = 428, 429, 442
CLONE_NEWNS, CLONE_NEWUSER = 0x20000, 0x10000000
OPEN_TREE_CLONE, AT_RECURSIVE, AT_EMPTY_PATH, MOVE_MOUNT_F_EMPTY_PATH = 1, 0x8000, 0x1000, 4
MOUNT_ATTR_IDMAP = 0x100000
MS_BIND, MS_REC, MS_PRIVATE, MS_RDONLY = 0x1000, 0x4000, 0x40000, 1
libc = ctypes.CDLL(None, use_errno=True)


def check(result, what):
    if result < 0:
        raise SystemExit(f"ordinary: {what}; {os.strerror(ctypes.get_errno())}; run the command as another user than root")
    return result


def mount(source, target, kind=None, flags=0, data=None):
    words = [word and word.encode() for word in (source, target, kind)]
    check(libc.mount(*words, ctypes.c_ulong(flags), data and data.encode()), f"cannot mount {target}")


def namespace():
    """A user namespace in which nobody is what root is on the disk; its descriptor."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(reading)
        os.write(writing, b"1" if libc.unshare(CLONE_NEWUSER) == 0 else b"0")
        signal.pause()
    made = os.read(reading, 1) == b"1"
    try:
        if not made:
            raise SystemExit("ordinary: the kernel gives no user namespace; allow them, or run as another user than root")
        for name in ("uid_map", "gid_map"):
            with open(f"/proc/{child}/{name}", "w") as file:
                file.write(f"0 {NOBODY} 1\n")
        return os.open(f"/proc/{child}/ns/user", os.O_RDONLY)
    finally:
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)


def give(root):
    """Mounts the tree over itself as nobody's."""
    tree = check(libc.syscall(OPEN_TREE, -100, root.encode(), OPEN_TREE_CLONE | AT_RECURSIVE), "cannot open the tree")
    attributes = struct.pack("QQQQ", MOUNT_ATTR_IDMAP, 0, 0, namespace())
    check(libc.syscall(MOUNT_SETATTR, tree, b"", AT_EMPTY_PATH | AT_RECURSIVE, attributes, len(attributes)),
          "this file system does not map owners")
    check(libc.syscall(MOVE_MOUNT, tree, b"", -100, root.encode(), MOVE_MOUNT_F_EMPTY_PATH), "cannot mount the tree")


def main():
    root = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    command = sys.argv[1:]
    if not command:
        raise SystemExit("usage: Tools/ordinary.py COMMAND...")
    os.chdir(root)
    if os.geteuid() != 0:
        os.execvp(command[0], command)
    with tempfile.TemporaryDirectory(prefix="taskhost-ordinary-", dir="/var/tmp") as own:
        for name in ("home", "tmp"):
            os.mkdir(f"{own}/{name}")
            os.chown(f"{own}/{name}", NOBODY, NOBODY)
        os.chmod(own, 0o755)
        child = os.fork()
        if child == 0:
            check(libc.unshare(CLONE_NEWNS), "cannot have a mount namespace")
            mount(None, "/", flags=MS_REC | MS_PRIVATE)
            give(root)
            mount("none", "/sys/fs/cgroup", "tmpfs", MS_RDONLY, "mode=755")
            if not root.startswith("/tmp/"):
                mount(f"{own}/tmp", "/tmp", flags=MS_BIND)
            # Its home in the list of users is one that is there: compilers keep what they make in it.
            with open("/etc/passwd") as users, open(f"{own}/passwd", "w") as copy:
                for line in users:
                    fields = line.rstrip("\n").split(":")
                    if fields[2:3] == [str(NOBODY)]:
                        fields[5] = f"{own}/home"
                    copy.write(":".join(fields) + "\n")
            mount(f"{own}/passwd", "/etc/passwd", flags=MS_BIND)
            os.chdir(root)
            os.setgroups([])
            os.setresgid(NOBODY, NOBODY, NOBODY)
            os.setresuid(NOBODY, NOBODY, NOBODY)
            os.umask(0o022)
            os.execvpe(command[0], command, {
                "PATH": os.environ["PATH"], "HOME": f"{own}/home", "LANG": "C.UTF-8"})
        _, status = os.waitpid(child, 0)
    sys.exit(os.waitstatus_to_exitcode(status))


main()
