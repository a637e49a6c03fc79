"""Pages of the reference, from what the program, the schemas and the API say of themselves."""
import html
import http.client
import importlib.util
import json
import re
import socket
import subprocess
import tempfile
import time
from pathlib import Path

TOOLS = Path(__file__).resolve().parent.parent
HOST_MODULES = (
    "TaskModel", "JSON", "Linux", "Wire", "Manifests", "Engine", "Scheduling", "Record", "Store", "Conditions", "Control", "Workers",
    "Setting", "Host", "Serving", "Worker", "CLI")
METHODS = ("get", "post", "put", "patch", "delete")


def cell(text):
    """Text in a cell of a table."""
    return str(text).replace("\n", " ").replace("|", "&#124;")


def words(text):
    """Plain text as Markdown; code in back quotes stays code."""
    parts = re.split(r"(`[^`]*`)", text)
    return "".join(part if part.startswith("`") else re.sub(r"([\\*_<>\[\]])", r"\\\1", part) for part in parts)


def code(text):
    return f"<code>{html.escape(str(text)).replace('|', '&#124;').replace('*', '&#42;').replace('_', '&#95;')}</code>"


def verbs(program):
    def help_of(*arguments):
        return subprocess.run([program, *arguments, "--help"], check=True, capture_output=True, text=True).stdout

    general = help_of()
    names = re.findall(r"^  ([a-z]+)  +", general, re.MULTILINE)
    out = [
        "# Help of the verbs", "",
        "What `taskhost --help` and `taskhost VERB --help` print. [The command line](../CommandLine.md) explains the verbs, their "
        "JSON documents and the exit statuses.", "", "```", general.rstrip(), "```"]
    for name in names:
        out += ["", f"## {name}", "", "```", help_of(name).rstrip(), "```"]
    return "\n".join(out) + "\n"


def schema(path, name):
    specification = importlib.util.spec_from_file_location("man_schema", TOOLS / "man-schema.py")
    manual = importlib.util.module_from_spec(specification)
    specification.loader.exec_module(manual)

    class Page(manual.Page):
        """Its keys as rows of tables: those at the top, and one table for each of these that has keys of its own."""

        def item(self, place, node, required):
            whole = self.whole(node)
            facts = self.bounds(whole) + (["required"] if required else [])
            if "default" in whole:
                facts.append(f"default {code(json.dumps(whole['default']))}")
            kind = self.kind(node)
            remark = "; ".join(facts)
            text = cell(words(whole.get("description", "")))
            row = f"| {code(place)} | {cell(words(kind))} | {text}{' ' if text and remark else ''}{f'({remark})' if remark else ''} |"
            self.lines.append((re.split(r"[.\[]", place)[0], place, row))

    with open(path, encoding="utf-8") as file:
        document = json.load(file)
    page = Page(document)
    page.members("", document)
    guide, subject, copy = {
        "Manifest": ("Manifests.md", "a manifest", "manifests/schema.json"),
        "Configuration": ("Configuration.md", "the configuration", "Documentation/config.schema.json"),
    }[name]
    head = ["", "| key | type | meaning |", "|---|---|---|"]
    rows = {}
    for top, place, row in page.lines:
        rows.setdefault(top, []).append(row)
    tables = ["", "## At the top"] + head
    tables += [own[0].replace(code(top), f"[{code(top)}](#{top.lower()})") if len(own) > 1 else own[0] for top, own in rows.items()]
    for top, own in rows.items():
        if len(own) > 1:
            tables += ["", f"## {top}"] + head + own
    out = [
        f"# Keys of {subject}", "",
        f"Every key of [the JSON schema](../files/{copy}), which editors use while you write. "
        f"[The guide](../{guide}) explains them. A dot leads to a key of an object, `[]` to each entry of an array, `ID` stands "
        "for an identifier.", "", words(document["description"])] + tables
    values = [(kind, document["$defs"][kind].get("description", "")) for kind in ("duration", "size", "identifier", "path")
              if kind in document["$defs"]]
    out += ["", "## Types of values", "", "| type | form |", "|---|---|"]
    out += [f"| {kind} | {cell(words(text))} |" for kind, text in values]
    return "\n".join(out) + "\n"


class API:
    def __init__(self, document):
        self.document = document

    def kind(self, node):
        if "$ref" in node:
            name = node["$ref"].rsplit("/", 1)[1]
            return f"[{name}](#{name.lower()})"
        for key in ("oneOf", "anyOf"):
            if key in node:
                return " or ".join(dict.fromkeys(self.kind(part) for part in node[key]))
        if "enum" in node:
            return " ".join(code(value) for value in node["enum"])
        if "const" in node:
            return code(node["const"])
        kind = node.get("type", "any value")
        if kind == "array":
            return f"array of {self.kind(node.get('items', {}))}"
        if kind == "string" and node.get("format") == "date-time":
            return "time"
        if kind == "string" and node.get("pattern", "").startswith("^[0-7][0-9A-HJKMNP"):
            return "ULID"
        if kind == "string" and node.get("pattern", "").startswith("^[A-Za-z0-9_]([A-Za-z0-9_-]*"):
            return "identifier"
        return " or ".join(kind) if isinstance(kind, list) else kind

    def bounds(self, node):
        parts = [f"{name} {node[key]}" for key, name in (
            ("minimum", "at least"), ("maximum", "at most")) if key in node and abs(node[key]) < 2 ** 31 and node[key] != 0]
        if "default" in node:
            parts.append(f"default {code(json.dumps(node['default']))}")
        return parts

    def rows(self, node, path=""):
        """The keys of an object, and those of the objects in it."""
        required = set(node.get("required", []))
        for key, part in node.get("properties", {}).items():
            place = f"{path}.{key}" if path else key
            text = [words(part["description"])] if "description" in part else []
            text += self.bounds(part)
            yield place, self.kind(part), "; ".join(text), key in required
            for inner in self.inner(part):
                yield from self.rows(inner, f"{place}[]" if part.get("type") == "array" else place)

    def inner(self, node):
        for part in [node, node.get("items", {})] + node.get("oneOf", []) + node.get("anyOf", []):
            if "properties" in part:
                yield part
            elif part is not node and "properties" in part.get("items", {}):
                yield part["items"]

    def table(self, node):
        rows = list(self.rows(node))
        if not rows:
            return [f"{self.kind(node)}. {words(node.get('description', ''))}"]
        out = ["| key | type | meaning |", "|---|---|---|"]
        for place, kind, text, _ in rows:
            out.append(f"| {code(place)} | {cell(kind)} | {cell(text)} |")
        return out

    def body(self, content, title):
        out = []
        for media, part in content.items():
            node = part.get("schema", {})
            if "$ref" in node or node.get("type") == "array" and "$ref" in node.get("items", {}):
                out += [f"**{title}**: {self.kind(node)}", ""]
            elif "properties" in node:
                out += [f"**{title}**:", ""] + self.table(node) + [""]
            else:
                out += [f"**{title}**: {code(media)}", ""]
        return out

    def operation(self, method, path, operation):
        out = [f"### {method.upper()} {path} {{: #route-{operation['operationId'].lower()} }}", "", words(operation["summary"]) + ".", ""]
        if operation.get("description"):
            out += [words(operation["description"]), ""]
        if operation.get("parameters"):
            out += ["| parameter | in | type | meaning |", "|---|---|---|---|"]
            for part in operation["parameters"]:
                node = part.get("schema", {})
                text = [words(part.get("description", ""))] if part.get("description") else []
                text += self.bounds(node) + (["required"] if part.get("required") and part["in"] != "path" else [])
                out.append(f"| {code(part['name'])} | {part['in']} | {cell(self.kind(node))} | {cell('; '.join(text))} |")
            out.append("")
        if "requestBody" in operation:
            out += self.body(operation["requestBody"]["content"], "Body")
        refusals = []
        for status, reply in operation["responses"].items():
            if status.startswith("2") or status.startswith("3"):
                out += self.body(reply.get("content", {}), f"Reply {status}") or [f"**Reply {status}**: {words(reply['description'])}", ""]
            else:
                refusals.append(status)
        if refusals:
            out += ["Refusals: " + ", ".join(refusals) + ".", ""]
        return out


def description(program):
    """The OpenAPI document of a daemon that serves nothing."""
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        (root / "manifests").mkdir()
        (root / "config.json").write_text("{}", encoding="utf-8")
        words = ["serve", "--state", root / "state", "--manifests", root / "manifests", "--config", root / "config.json"]
        with open(root / "log", "w", encoding="utf-8") as log:
            daemon = subprocess.Popen([program, *words], stdin=subprocess.DEVNULL, stdout=log, stderr=log)
        try:
            for _ in range(600):
                try:
                    with socket.socket(socket.AF_UNIX) as connection:
                        connection.connect(str(root / "state" / "control.sock"))
                        client = http.client.HTTPConnection("localhost")
                        client.sock = connection
                        client.request("GET", "/v1/openapi.json")
                        return json.load(client.getresponse())
                except (FileNotFoundError, ConnectionRefusedError):
                    if daemon.poll() is not None:
                        break
                    time.sleep(0.1)
            said = (root / "log").read_text(encoding="utf-8")
            raise SystemExit(f"{said}stage: no daemon answers; {program} serve; correct what stands above")
        finally:
            daemon.terminate()
            daemon.wait()


def api(program):
    document = description(program)
    page = API(document)
    out = [
        "# Routes and documents", "", words(document["info"]["description"]), "",
        "A daemon describes its API itself, as OpenAPI: `GET /v1/openapi.json`. This page is made of that description. "
        "[The control API](../ControlAPI.md) explains it with examples.", "",
        "| route | does |", "|---|---|"]
    groups = {}
    meanings = {}
    for route, methods in document["paths"].items():
        parts = route.strip("/").split("/")
        group = parts[1] if parts[0] == "v1" and len(parts) > 1 else parts[0]
        for method in METHODS:
            if method in methods:
                groups.setdefault(group, []).append((method, route, methods[method]))
                for status, reply in methods[method]["responses"].items():
                    if status >= "400":
                        meanings.setdefault(status, reply["description"])
    for operations in groups.values():
        for method, route, operation in operations:
            out.append(f"| [{method.upper()} {route}](#route-{operation['operationId'].lower()}) | {cell(words(operation['summary']))} |")
    out += ["", "## Refusals", "", "A refusal is a problem document: [Problem](#problem).", "", "| status | means |", "|---|---|"]
    out += [f"| {status} | {cell(words(meaning))} |" for status, meaning in sorted(meanings.items())]
    for group, operations in groups.items():
        out += ["", f"## /{group} {{: #routes-{group.replace('.', '-')} }}", ""]
        for method, route, operation in operations:
            out += page.operation(method, route, operation)
    out += ["", "## Documents", "", "A key is never missing in a reply: a value that does not exist is `null`.", ""]
    for name, node in document["components"]["schemas"].items():
        out += [f"### {name} {{: #{name.lower()} }}", ""]
        if node.get("description"):
            out += [words(node["description"]), ""]
        out += page.table(node) + [""]
    return "\n".join(out) + "\n"


def sdk():
    """The way into the symbols, which docc makes pages of."""
    modules = [
        ("BackgroundTasks", "the framework: scheduler, requests, tasks, errors"),
        ("UIKit", "what an application delegate needs: application, scenes, background time, fetch, notifications"),
        ("SwiftUI", "applications with their scenes and background tasks, property wrappers, views that are not drawn"),
        ("UserNotifications", "requests, triggers, settings and authorization"),
        ("Combine", "what view models use"),
        ("os", "`Logger`, `os_log`, locks"),
        ("CryptoKit", "hash functions, authenticated encryption, keys, signatures"),
        ("TaskHostExtensions", "what iOS does not have: the reason of an expiration, settings, payload, deferrals"),
        ("TaskHostFoundation", "Foundation with what it lacks on Linux, and background sessions"),
        ("TaskHostTesting", "the kit for unit tests"),
    ]
    out = [
        "# Symbols of the Swift SDK", "",
        "[The guide](../SwiftSDK.md) says what the SDK has and how it differs from iOS; [Testing](../Testing.md) is the guide of the "
        "kit. The pages below have every public symbol with its comment. Browsers show them from a web server only, for "
        "example `python3 -m http.server --directory .build/docs`.", "",
        "| module | contents |", "|---|---|"]
    out += [f"| [{name}](../sdk/documentation/{name.lower()}/index.html) | {text} |" for name, text in modules]
    out += [
        "", "## The modules of the host", "",
        "For contributors: what the modules of taskhost offer each other. [Architecture](../Architecture.md) shows how they stand on "
        "each other.", "",
        ", ".join(f"[{name}](../modules/documentation/{name.lower()}/index.html)" for name in HOST_MODULES) + ".", ""]
    return "\n".join(out)
