#!/usr/bin/env python3
"""Lays out the pages of the site: Tools/site/stage.py FOLDER PROGRAM

FOLDER: where MkDocs looks for them; PROGRAM: taskhost, which is asked for its help, and as a daemon for its API.

Documents are copied as they are, but for their links: one that leads to a file of the repository leads to the page made of it,
or to a copy of the file. A link to a file that does not exist is an error, as is a picture."""
import re
import shutil
import sys
from pathlib import Path

sys.dont_write_bytecode = True
import header
import reference

ROOT = Path(__file__).resolve().parent.parent.parent
# Of the page; made where a browser is. As long as there are none, none is missed.
PICTURES = ROOT / "Documentation" / "Pictures"
HEADERS = ROOT / "Sources" / "CTaskHost" / "include"


def pages():
    """Files of the repository that are pages: path from the root, and place in the site."""
    found = {"README.md": None, "Benchmarks/README.md": "Benchmarks.md"}
    for name in ("CHANGELOG.md", "SECURITY.md", "CONTRIBUTING.md"):
        if (ROOT / name).exists():
            found[name] = name
    for page in sorted((ROOT / "Documentation").rglob("*.md")):
        path = page.relative_to(ROOT)
        found.setdefault(str(path), str(Path(*path.parts[1:])))
    return found


class Stage:
    def __init__(self, folder):
        self.folder = folder
        self.pages = pages()
        self.others = {
            "README.md": "index.md", "manifests/schema.json": "Reference/Manifest.md",
            "Documentation/config.schema.json": "Reference/Configuration.md",
        }
        for file in HEADERS.glob("*.h"):
            self.others[str(file.relative_to(ROOT))] = f"Reference/{file.stem}.md"
        self.faults = []

    def write(self, place, text):
        file = self.folder / place
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")

    def copy(self, path):
        """The place of a copy of a file that is no page."""
        place = path.removeprefix("Documentation/") if path.startswith("Documentation/Pictures/") else f"files/{path}"
        target = self.folder / place
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(ROOT / path, target)
        return place

    def link(self, page, place, target, line):
        """What a link of a page becomes at its place in the site."""
        if re.match(r"[a-z][a-z0-9+.-]*:|#|//", target):
            return target
        path, hash_, fragment = target.partition("#")
        file = (ROOT / page).parent.joinpath(path).resolve()
        if file.parent == PICTURES and not PICTURES.exists():
            return target
        if not file.is_relative_to(ROOT) or not file.exists():
            self.faults.append(f"{page}:{line}: the link {target} leads to no file")
            return target
        path = str(file.relative_to(ROOT))
        goal = self.pages.get(path) or self.others.get(path)
        if goal is None:
            if file.is_dir():
                self.faults.append(f"{page}:{line}: the link {target} leads to a folder, which the site does not have")
                return target
            goal = self.copy(path)
        up = "../" * (len(Path(place).parts) - 1)
        return f"{up}{goal}{hash_}{fragment}"

    def page(self, path, place):
        lines = []
        fence = None
        for number, line in enumerate((ROOT / path).read_text(encoding="utf-8").splitlines(), 1):
            mark = re.match(r"\s*(```+|~~~+)", line)
            if mark and (fence is None or mark.group(1).startswith(fence)):
                fence = mark.group(1) if fence is None else None
            elif fence is None:
                line = re.sub(
                    r"(!?\[(?:[^\]`]|`[^`]*`)*\]\()([^()\s]+)(\))",
                    lambda match: match.group(1) + self.link(path, place, match.group(2), number) + match.group(3), line)
                # A bar in code of a table: code hosts want it escaped, python-markdown shows the escape.
                if line.startswith("|"):
                    line = re.sub(r"`[^`]*`", lambda code: code.group().replace("\\|", "&#124;") if "\\|" in code.group() else code.group(), line)
                    line = re.sub(r"`([^`]*&#124;[^`]*)`", r"<code>\1</code>", line)
            lines.append(line)
        return "\n".join(lines) + "\n"


def main():
    folder, program = Path(sys.argv[1]), str(Path(sys.argv[2]).resolve())
    shutil.rmtree(folder, ignore_errors=True)
    stage = Stage(folder)
    for path, place in stage.pages.items():
        text = stage.page(path, place or "index.md")
        # README is the repository's front, and no page of the site; its links count all the same.
        if place is not None:
            stage.write(place, text)
    # The start page: its links are those of the site already.
    start = (ROOT / "Tools/site/index.md").read_text(encoding="utf-8")
    if (PICTURES / "page-now.png").exists():
        stage.copy("Documentation/Pictures/page-now.png")
        start = start.replace("\n## ", "\n![The page, with what runs now and how much of its budget is left](Pictures/page-now.png)\n\n## ", 1)
    stage.write("index.md", start)
    stage.write("Reference/Verbs.md", reference.verbs(program))
    stage.write("Reference/Manifest.md", reference.schema(ROOT / "manifests/schema.json", "Manifest"))
    stage.write("Reference/Configuration.md", reference.schema(ROOT / "Documentation/config.schema.json", "Configuration"))
    stage.write("Reference/API.md", reference.api(program))
    stage.write("Reference/SDK.md", reference.sdk())
    for path in ("manifests/schema.json", "Documentation/config.schema.json"):
        stage.copy(path)
    for file in sorted(HEADERS.glob("*.h")):
        stage.write(f"Reference/{file.stem}.md", header.page(file))
        stage.copy(str(file.relative_to(ROOT)))
    version = re.search(r'static let version = "(.+)"', (ROOT / "Sources/Setting/Release.swift").read_text(encoding="utf-8"))
    stage.write("version", version.group(1))
    if stage.faults:
        print("\n".join(stage.faults), file=sys.stderr)
        sys.exit(f"stage: {len(stage.faults)} links are dead; see above; correct them")


if __name__ == "__main__":
    main()
