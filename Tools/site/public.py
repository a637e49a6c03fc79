#!/usr/bin/env python3
"""Takes out of symbol graphs what users of the modules cannot see: Tools/site/public.py FOLDER"""
import json
import sys
from pathlib import Path

for file in Path(sys.argv[1]).glob("*.symbols.json"):
    graph = json.loads(file.read_text(encoding="utf-8"))
    graph["symbols"] = [symbol for symbol in graph["symbols"] if symbol["accessLevel"] in ("public", "open")]
    kept = {symbol["identifier"]["precise"] for symbol in graph["symbols"]}
    graph["relationships"] = [link for link in graph["relationships"] if link["source"] in kept]
    file.write_text(json.dumps(graph), encoding="utf-8")
