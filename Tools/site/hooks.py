"""Hooks of MkDocs: anchors as in the repository's own view of the files, pages that the plan of the site lacks, tables that
scroll in themselves, and an index of the search that a page can load from a folder."""
import html
import json
import re
from pathlib import Path

from pygments.formatters import HtmlFormatter


def anchor(text, separator):
    """The anchor of a heading, as code hosts make it."""
    text = re.sub(r"[^\w\- ]", "", html.unescape(text).strip().lower())
    return text.replace(" ", separator)


def known(part, pages):
    """The plan without pages that are not there, and what it names."""
    kept, named = [], set()
    for entry in part:
        (title, value), = entry.items()
        if isinstance(value, list):
            value, more = known(value, pages)
            named |= more
        elif value in pages:
            named.add(value)
        else:
            continue
        if value:
            kept.append({title: value})
    return kept, named


def on_config(config):
    config["mdx_configs"].setdefault("toc", {})["slugify"] = anchor
    root = Path(config["docs_dir"])
    pages = {str(page.relative_to(root)) for page in root.rglob("*.md")}
    plan, named = known(config["nav"], pages)
    guides = next(entry["Guides"] for entry in plan if "Guides" in entry)
    for page in sorted(pages - named):
        title = re.search(r"^# (.+)$", (root / page).read_text(encoding="utf-8"), re.MULTILINE)
        guides.append({title.group(1) if title else page: page})
    config["nav"] = plan
    config["extra"]["version"] = (root / "version").read_text(encoding="utf-8").strip()
    return config


def on_files(files, config):
    files.remove(files.get_file_from_path("version"))
    return files


def on_page_content(content, **_):
    content = content.replace("<table>", '<div class="table" tabindex="0"><table>').replace("</table>", "</table></div>")
    return content.replace('<div class="code"><pre>', '<div class="code"><pre tabindex="0">')


def on_post_build(config):
    site = Path(config["site_dir"])
    index = json.loads((site / "search" / "search_index.json").read_text(encoding="utf-8"))
    for file in ("search/search_index.json", "sitemap.xml", "sitemap.xml.gz"):
        (site / file).unlink(missing_ok=True)
    titles = {}
    entries = []
    for entry in index["docs"]:
        page, _, place = entry["location"].partition("#")
        if not place:
            titles[page] = entry["title"]
        entries.append([titles.get(page, ""), entry["title"].rstrip("#"), entry["location"] or "index.html", entry["text"][:4000 if place else 300]])
    text = json.dumps(entries, ensure_ascii=False, separators=(",", ":"))
    (site / "search" / "index.js").write_text(f"window.siteIndex={text};\n", encoding="utf-8")
    light = HtmlFormatter(style="default").get_style_defs(".code")
    dark = HtmlFormatter(style="native").get_style_defs(".code")
    sheet = f"@media (prefers-color-scheme: light) {{\n{light}\n}}\n@media (prefers-color-scheme: dark) {{\n{dark}\n}}\n"
    # The page has a background, spacing and links of its own, and what the lexers do not know is no error.
    sheet = "\n".join(line for line in sheet.splitlines() if not re.match(r"(pre|td|span)\b|\.code (\{|\.err)", line))
    sheet = sheet.replace("; text-decoration: underline", "").replace("text-decoration: underline", "")
    (site / "code.css").write_text(sheet, encoding="utf-8")

