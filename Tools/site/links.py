#!/usr/bin/env python3
"""Checks the links of the site: Tools/site/links.py FOLDER

Every link, picture, script and style sheet of a page must lead to a file of the site, and every anchor to a place in it. Links to
elsewhere are checked for their form alone, and pages may load nothing from there. The references in docc's data are checked too.
It ends with 1 if one is dead."""
import html.parser
import json
import re
import sys
from pathlib import Path
from urllib.parse import unquote, urlsplit

EXTERNAL = re.compile(r"(https?://[A-Za-z0-9.-]+(:\d+)?(/\S*)?|mailto:[^@\s]+@[^@\s]+)$")


class Page(html.parser.HTMLParser):
    """What a page names, and what can be named of it."""

    def __init__(self):
        super().__init__()
        self.links, self.loads, self.places, self.doubles = [], [], set(), []

    def handle_starttag(self, tag, attributes):
        attributes = dict(attributes)
        place = attributes.get("id") or (attributes.get("name") if tag == "a" else None)
        if place:
            if place in self.places:
                self.doubles.append(place)
            self.places.add(place)
        if tag == "a" and "href" in attributes:
            self.links.append((self.getpos()[0], attributes["href"] or ""))
        for name in ("src", "srcset", "data", "poster"):
            if attributes.get(name) and tag != "a":
                self.loads.append((self.getpos()[0], attributes[name]))
        if tag == "link" and attributes.get("href"):
            self.loads.append((self.getpos()[0], attributes["href"]))


def main():
    root = Path(sys.argv[1]).resolve()
    faults, pages, count, outside = [], {}, 0, 0

    def parsed(file):
        if file not in pages:
            pages[file] = Page()
            pages[file].feed(file.read_text(encoding="utf-8"))
        return pages[file]

    def fault(file, line, link, what):
        faults.append(f"{file.relative_to(root)}:{line}: {link}: {what}")

    def look(file, line, link, may_leave):
        nonlocal count, outside
        count += 1
        parts = urlsplit(link)
        if parts.scheme or link.startswith("//"):
            if parts.scheme == "data" and not may_leave:
                return
            outside += 1
            if not may_leave:
                fault(file, line, link, "the page loads it from elsewhere")
            elif not EXTERNAL.match(link):
                fault(file, line, link, "it is no address")
            return
        if link.startswith("/"):
            fault(file, line, link, "it depends on the place of the site; name it from the page")
            return
        goal = (file.parent / unquote(parts.path)).resolve() if parts.path else file
        if not goal.is_relative_to(root) or not goal.is_file():
            fault(file, line, link, "there is no such file")
        elif parts.fragment and goal.suffix == ".html" and unquote(parts.fragment) not in parsed(goal).places:
            fault(file, line, link, "the page has no such place")

    for file in sorted(root.rglob("*.html")):
        page = parsed(file)
        for place in page.doubles:
            fault(file, 0, "#" + place, "two places have this name")
        # The page of a mistyped address is served from anywhere.
        if file.name == "404.html":
            continue
        for line, link in page.links:
            look(file, line, link, True)
        for line, link in page.loads:
            look(file, line, link, False)
    for file in sorted(root.rglob("*.css")) + sorted(root.glob("*.js")):
        for link in re.findall(r"url\(['\"]?([^'\")]+)|@import ['\"]([^'\"]+)", file.read_text(encoding="utf-8")):
            target = link[0] or link[1]
            if re.match(r"https?:|//", target):
                fault(file, 0, target, "the page loads it from elsewhere")
    for data in sorted(root.glob("*/data/documentation/**/*.json")):
        archive = root / data.relative_to(root).parts[0]
        for reference in json.loads(data.read_text(encoding="utf-8")).get("references", {}).values():
            if reference.get("type") == "topic" and reference.get("url", "").startswith("/"):
                count += 1
                if not (archive / reference["url"].partition("#")[0].lstrip("/") / "index.html").is_file():
                    fault(data, 0, reference["url"], "there is no such page")
    documents = [file for file in pages if not {"sdk", "modules"} & set(file.relative_to(root).parts[:1])]
    for line in faults[:200]:
        print(line, file=sys.stderr)
    if faults:
        sys.exit(f"links: {len(faults)} of {count} links are dead; {root}; correct them")
    print(f"{len(documents)} pages of documents, {len(pages) - len(documents)} of symbols; {count} links, {outside} of them to elsewhere: all good")


if __name__ == "__main__":
    main()
