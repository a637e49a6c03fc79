#!/usr/bin/env python3
"""Prints a manual page of section 5 from a JSON schema: Tools/man-schema.py SCHEMA NAME VERSION

Each key stands once, under its path, with the description, the type, the bounds and the default of the schema."""
import json
import sys

INTRODUCTIONS = {
    "taskhost-manifest": (
        "manifests of taskhost applications",
        "A manifest is a JSON file of one application: its tasks with their handlers, budgets, schedules and conditions, "
        "and what its workers may reach. taskhost looks for manifests in ./manifests, $XDG_CONFIG_HOME/taskhost/manifests, "
        "/etc/taskhost/manifests and the installation's share/taskhost/manifests; a daemon rereads them when they change. "
        "taskhost validate reports every fault with file, line and column.",
        "/etc/taskhost/manifests", "manifests of the machine's host", "taskhost-config"),
    "taskhost-config": (
        "configuration of a taskhost host",
        "The configuration is one JSON file, and every key may be left out. The host reads the file of --config, or else "
        "$XDG_CONFIG_HOME/taskhost/config.json, or else /etc/taskhost/config.json. taskhost config shows the values that "
        "apply, and where each comes from.",
        "/etc/taskhost/config.json", "configuration of the machine's host", "taskhost-manifest"),
}


def text(words):
    """Words as they are: no request and no escape of roff in them."""
    for plain, escaped in (("\\", "\\e"), ("-", "\\-"), ("'", "\\(aq"), ("`", "\\(ga"), ("^", "\\(ha"), ("~", "\\(ti")):
        words = words.replace(plain, escaped)
    return "\\&" + words if words[:1] == "." else words


class Page:
    def __init__(self, schema):
        self.schema = schema
        self.lines = []

    def whole(self, node):
        """The node with what it refers to; its own words come first."""
        if "$ref" not in node:
            return node
        return {**self.whole(self.schema["$defs"][node["$ref"].rsplit("/", 1)[1]]), **node}

    def kind(self, node):
        name = node.get("$ref", "").rsplit("/", 1)[-1]
        if name in ("duration", "size", "identifier", "path"):
            return name
        if "enum" in node:
            return " | ".join(json.dumps(word) for word in node["enum"])
        if "anyOf" in node:
            return " or ".join(dict.fromkeys(self.kind(part) for part in node["anyOf"]))
        node = self.whole(node)
        kind = node.get("type", "value")
        if isinstance(kind, list):
            return " or ".join(kind)
        if kind == "array" and "items" in node:
            return f"array of {self.kind(node['items'])}"
        return kind

    def bounds(self, node):
        parts = []
        for low, high, unit in (
                ("minimum", "maximum", ""), ("minLength", "maxLength", " characters"), ("minItems", "maxItems", " entries"),
                ("minProperties", "maxProperties", " entries")):
            if low in node and high in node:
                parts.append(f"{node[low]} to {node[high]}{unit}")
            elif high in node:
                parts.append(f"at most {node[high]}{unit}")
        return parts

    def item(self, path, node, required):
        node_is = self.whole(node)
        facts = [self.kind(node)] + self.bounds(node_is)
        if required:
            facts.append("required")
        if "default" in node_is:
            facts.append(f"default {json.dumps(node_is['default'])}")
        self.lines += [".TP", f".B {text(path)}", text("; ".join(facts)) + ".", ".br"]
        self.lines.append(text(node_is.get("description", "")) or ".br")

    def members(self, path, node, seen=()):
        """The keys of an object, each followed by its own."""
        node = self.whole(node)
        required = node.get("required", [])
        for key, part in node.get("properties", {}).items():
            place = f"{path}.{key}" if path else key
            self.item(place, part, key in required)
            self.below(place, part, seen)

    def below(self, place, part, seen):
        name = part.get("$ref")
        if name in seen:
            return
        seen = seen + ((name,) if name else ())
        part = self.whole(part)
        for choice in part.get("anyOf", []):
            self.below(place, choice, seen)
        if "properties" in part:
            self.members(place, part, seen)
        if isinstance(part.get("additionalProperties"), dict):
            self.below(f"{place}.ID", part["additionalProperties"], seen)
        if "items" in part:
            self.below(f"{place}[]", part["items"], seen)


def main():
    path, name, version = sys.argv[1:]
    with open(path, encoding="utf-8") as file:
        schema = json.load(file)
    summary, introduction, place, meaning, other = INTRODUCTIONS[name]
    page = Page(schema)
    page.members("", schema)
    print(f'.TH {name.upper()} 5 "" "taskhost {version}" "File formats"')
    print(f".SH NAME\n{text(name)} \\- {summary}\n.SH DESCRIPTION\n{text(introduction)}")
    print(text(schema["description"]))
    print(".SH KEYS\nA dot leads to a key of an object, [] to each entry of an array, ID stands for an identifier.")
    print("\n".join(line for line in page.lines if line))
    print(".SH VALUES")
    for kind in ("duration", "size", "identifier", "path"):
        if kind in schema["$defs"]:
            print(f".TP\n.B {kind}\n{text(schema['$defs'][kind].get('description', ''))}")
    print(f".SH FILES\n.TP\n.I {text(place)}\n{meaning}")
    print(f".SH SEE ALSO\n.BR taskhost (1),\n.BR {text(other)} (5)")


if __name__ == "__main__":
    main()
