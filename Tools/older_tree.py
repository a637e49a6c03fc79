"""Work trees of other commits, for scripts that compare with them: .build/against/COMMIT, found again by a later call."""
import os
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
AGAINST = ROOT / ".build/against"


class Failure(Exception):
    """A sentence for the user."""


def make(revision, *targets):
    """Returns the commit's short name and its work tree, in which it has made the targets with its own flags."""
    asked = git("rev-parse", "--verify", "--quiet", f"{revision}^{{commit}}")
    if asked.returncode != 0:
        raise Failure(f"{revision} is no commit of this repository; see git log")
    commit = asked.stdout.strip()
    tree = AGAINST / commit[:12]
    if not (tree / "Makefile").exists():
        # What was removed without git's knowledge.
        git("worktree", "prune")
        made = git("worktree", "add", "--force", "--detach", str(tree), commit)
        if made.returncode != 0:
            raise Failure(f"git worktree add: {made.stderr.strip()}")
    # What this make was told besides is meant for this tree.
    environment = {name: value for name, value in os.environ.items() if name not in ("MAKEFLAGS", "MAKEOVERRIDES")}
    for command in targets:
        if subprocess.run(command, cwd=tree, stdout=sys.stderr, env=environment).returncode != 0:
            raise Failure(f"{commit[:12]} cannot be built; the compiler's words stand above")
    return commit[:12], tree


def git(*words):
    return subprocess.run(["git", "-C", ROOT, *words], capture_output=True, text=True)
