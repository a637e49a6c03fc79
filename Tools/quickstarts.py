#!/usr/bin/env python3
"""Follows the quick starts literally: Tools/quickstarts.py [--bin FOLDER] [PAGE…]

Each page of Documentation/QuickStarts is followed from top to bottom in one shell, with an empty home and, as root, an empty
/var/lib. A block of sh is run line by line, and every line must succeed; a block after `<!-- file: PATH -->` is written to that
file. Other marks before a block of sh: `<!-- status: N -->`, its last line ends with N; `<!-- checkout -->`, it is run in the
checkout, and then the shell goes to an empty folder; `<!-- daemon -->`, it starts a daemon, which is waited for.
FOLDER: has a built taskhost, which takes the place of the build in the checkout."""
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
BLOCK = re.compile(r"(?:<!-- (?P<mark>[a-z]+)(?:: (?P<value>\S+))? -->\n)?```(?P<language>\w*)\n(?P<body>.*?)^```$", re.DOTALL | re.MULTILINE)


def script(page, binaries):
    """The page as a script of the shell that tells where it fails."""
    out = [
        "fail() { echo \"quickstarts: a line ended with $1 and not with $2; $3; correct the page or what it shows\" >&2; exit 1; }",
        f"cd '{ROOT}'",
    ]
    text = page.read_text(encoding="utf-8")
    for block in BLOCK.finditer(text):
        mark, value, language, body = block.group("mark", "value", "language", "body")
        line = text.count("\n", 0, block.start("body")) + 1
        if mark == "file":
            end = "end-of-the-file"
            out += [f"mkdir -p \"$(dirname '{value}')\"", f"cat >'{value}' <<'{end}'", body + end]
            continue
        if language != "sh":
            continue
        lines = body.rstrip("\n").split("\n")
        if mark == "checkout" and binaries is not None:
            rest = [line for line in lines if line != "make build" and not line.startswith("export PATH=")]
            lines = [f"export PATH='{binaries}':$PATH"] + rest
        for number, command in enumerate(lines):
            place = f"{page.relative_to(ROOT)}:{line + number}: {command}"
            want = value if mark == "status" and number == len(lines) - 1 else "0"
            quoted = place.replace("'", "'\\''")
            out += [f"printf '$ %s\\n' '{command.replace(chr(39), chr(39) + chr(92) + chr(39) * 2)}'", command]
            # A command in the background has no status yet.
            if not command.rstrip().endswith("&"):
                out.append(f"status=$?; [ $status -eq {want} ] || fail $status {want} '{quoted}'")
        if mark == "daemon" and value is None:
            out.append(
                "n=0; until taskhost status >/dev/null 2>&1; do n=$((n + 1)); [ $n -lt 200 ] || fail daemon answer "
                f"'{page.relative_to(ROOT)}:{line}'; sleep 0.1; done")
        if mark == "daemon" and value == "stop":
            out.append("wait")
        if mark == "checkout":
            # Only now: the state folder of root is below it, but so is what apt knows of packages.
            out += ["[ \"$(id -u)\" != 0 ] || mount -t tmpfs -o mode=0755 none /var/lib || exit", "cd \"$HOME\""]
    return "\n".join(out) + "\nexit 0\n"


def follow(page, binaries):
    with tempfile.TemporaryDirectory(prefix="taskhost-quickstart-") as home:
        os.chmod(home, 0o755)
        file = Path(home) / ".script"
        # Its jobs have numbers, as in a person's shell, and end with it.
        file.write_text("set -m\ntrap 'kill $(jobs -p) 2>/dev/null; wait' EXIT\n" + script(page, binaries), encoding="utf-8")
        words = ["bash", str(file)]
        if os.geteuid() == 0:
            words = ["unshare", "-m"] + words
        environment = {
            "HOME": home, "PATH": os.environ["PATH"], "LANG": "C.UTF-8", "LOGNAME": os.environ.get("LOGNAME", "root"),
            **{key: os.environ[key] for key in ("SWIFTPM_BUILD_DIR", "TMPDIR") if key in os.environ}}
        done = subprocess.run(words, env=environment, stdin=subprocess.DEVNULL, check=False)
    return done.returncode


def main():
    words = sys.argv[1:]
    binaries = None
    if words[:1] == ["--bin"]:
        binaries, words = Path(words[1]).resolve(), words[2:]
    pages = [Path(word).resolve() for word in words] or sorted((ROOT / "Documentation" / "QuickStarts").glob("*.md"))
    failed = []
    for page in pages:
        print(f"== {page.name}", flush=True)
        if follow(page, binaries) != 0:
            failed.append(page.name)
    if failed:
        sys.exit(f"quickstarts: {len(failed)} of {len(pages)} cannot be followed; {', '.join(failed)}; see above")
    print(f"{len(pages)} quick starts were followed")


main()
