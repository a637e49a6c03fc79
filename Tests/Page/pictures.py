"""Pictures of every view, with example tasks at work and a past of two weeks. Usage: pictures.py FOLDER"""

import http.server
import os
import pathlib
import sys
import threading
import time

from playwright.sync_api import expect, sync_playwright

import examples
import host as hosts
import past

PAST = [("com.example.feeds.refresh", 4, 16, 900), ("com.example.mail.index", 3, 22, 3600), ("com.example.feeds.images", 0, 6, 21600),
        ("com.example.photos.upload", 40, 11, 14400), ("com.example.mail.sync", 6, 4, 7200), ("com.example.photos.thumbnails", 3, 170, 86400),
        ("com.example.backup.home", 5, 2400, 86400), ("com.example.backup.verify", 0, 900, 86400)]
# Hours ago.
CONDITIONS = [(26, "power", "external"), (26, "network", "ok"), (26, "battery", "82"), (26, "user", "idle"), (26, "thermal", "nominal"), (26, "sleep", "off"),
              (15.2, "user", "active"), (13.5, "power", "battery"), (13.1, "network", "constrained"), (12, "battery", "50"), (10.8, "power", "external"),
              (10.5, "network", "ok"), (8, "thermal", "fair"), (7.2, "thermal", "nominal"), (6, "sleep", "on"), (4.4, "sleep", "off"), (3.1, "power", "battery"),
              (1.2, "power", "external"), (0.9, "user", "idle")]


class Server(http.server.BaseHTTPRequestHandler):
    """Sends a large file, slowly."""

    def do_GET(self):
        total = 48 << 20
        self.send_response(200)
        self.send_header("Content-Length", str(total))
        self.send_header("Accept-Ranges", "bytes")
        self.end_headers()
        piece = bytes(1 << 16)
        try:
            for _ in range(0, total, len(piece)):
                self.wfile.write(piece)
                time.sleep(0.02)
        except OSError:
            pass

    def log_message(self, *words):
        pass


def main(folder):
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Server)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    host = hosts.Host(examples.write, examples.PICTURES)
    try:
        host.close_daemon()
        past.fill(host.state, PAST, 21)
        past.conditions(host.state, CONDITIONS)
        host.serve()
        (host.manifests / "com.example.weather.json").write_text(examples.BROKEN)
        host.post("/v1/reload")
        for run in host.run("com.example.mail.compact", "com.example.photos.upload", "com.example.mail.sync"):
            host.ended(run)
        host.run("com.example.photos.thumbnails", "com.example.mail.index", "com.example.backup.home")
        host.command("device", "set", "power=battery")
        for name in ("atlas/europe.tiles", "atlas/africa.tiles"):
            host.post("/v1/transfers", {"application": "com.example.photos", "url": f"http://127.0.0.1:{server.server_port}/{name}"})
        first = host.post("/v1/transfers", {"application": "com.example.feeds", "url": f"http://127.0.0.1:{server.server_port}/feeds/archive.tar"})
        host.post(f"/v1/transfers/{first['id']}/pause")
        [refresh] = host.run("com.example.feeds.refresh")
        going = next(run["run"] for run in host.get("/v1/runs?limit=10")["runs"] if run["identifier"].endswith("thumbnails"))
        failed = next(run["run"] for run in host.get("/v1/runs?outcome=expired&limit=1")["runs"])
        views = {
            "now": "#/", "tasks": "#/tasks", "task": "#/tasks/com.example.backup.home", "calendar": "#/calendar", "history": "#/runs?since=-3d",
            "run": "#/runs/" + going, "ended": "#/runs/" + failed, "applications": "#/apps", "application": "#/apps/com.example.photos",
            "transfers": "#/transfers", "device": "#/device", "journal": "#/journal", "manifests": "#/manifests",
        }
        dark = {"now", "run", "task", "device"}
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=os.environ.get("CHROMIUM", "/usr/bin/chromium"), args=["--no-sandbox"] if os.geteuid() == 0 else [])
            for theme, width, height, chosen in (("light", 1280, 860, views), ("dark", 1280, 860, dark), *further(views)):
                context = browser.new_context(viewport={"width": width, "height": height}, color_scheme=theme)
                tab = context.new_page()
                tab.goto(host.page().link)
                tab.locator("#header .live.open").wait_for()
                for name in chosen:
                    tab.evaluate("hash => { location.hash = hash }", views[name])
                    tab.locator("#view h1").wait_for()
                    expect(tab.locator("#view")).not_to_contain_text("Loading…", timeout=10000)
                    # Marks of runs and rates of transfers come a moment later.
                    tab.wait_for_timeout(900)
                    suffix = ("-dark" if theme == "dark" else "") + (f"-{width}" if width != 1280 else "")
                    tall = min(tab.evaluate("document.documentElement.scrollHeight"), 1600 if width == 1280 else 2400)
                    tab.set_viewport_size({"width": width, "height": max(height, tall)})
                    tab.screenshot(path=pathlib.Path(folder) / f"page-{name}{suffix}.png")
                    tab.set_viewport_size({"width": width, "height": height})
                context.close()
            browser.close()
    finally:
        host.close()
        server.shutdown()


def further(views):
    """With PAGE_EVERY every view in both themes, also on a phone, for whoever looks at a change."""
    if not os.environ.get("PAGE_EVERY"):
        return [("light", 360, 740, {"now"})]
    return [("dark", 1280, 860, views), ("light", 360, 740, views), ("dark", 360, 740, views)]


if __name__ == "__main__":
    main(sys.argv[1])
