#!/usr/bin/env python3
"""Makes what docc wrote independent of the place where it is served: Tools/site/symbols.py FOLDER

docc's pages name their scripts and data from the root of a server. Here they find them from their own place, and each has a
way back to the documents."""
import sys
from pathlib import Path

ROOT = Path(sys.argv[1])
BASE = 'var baseUrl = "/"'
# docc's own script knows the addresses of its pages without the name of the file.
PLACE = (
    'var baseUrl = new URL("{up}", location.href).pathname; '
    'if (/\\/index\\.html$/.test(location.pathname)) history.replaceState(null, "", location.pathname.slice(0, -10) + location.hash)')
BAR = (
    '<p style="margin:0;padding:6px 22px;font:14px system-ui,sans-serif;background:#1d2128;color:#e3e7ec"><a style="color:#9cc3ff" '
    'href="{up}../index.html">← taskhost documents</a><script>if (location.protocol === "file:") document.write('
    '" &nbsp; Browsers show these pages from a web server only, for example: python3 -m http.server")</script></p>')

for page in ROOT.rglob("index.html"):
    up = "../" * (len(page.relative_to(ROOT).parts) - 1)
    text = page.read_text(encoding="utf-8")
    if BASE not in text:
        sys.exit(f"symbols: a page of docc has another form; {page}; adapt Tools/site/symbols.py")
    text = text.replace(BASE, PLACE.format(up=up or ".")).replace('src="/', f'src="{up}').replace('href="/', f'href="{up}')
    page.write_text(text.replace('<div id="app">', BAR.format(up=up) + '<div id="app">'), encoding="utf-8")
