#!/usr/bin/env python3
"""What holds of enums.

- One that is JSON has a raw type, or coding of its own. What a compiler makes of an enum with values is JSON such as {"mapping":{"_0":…}}, which
  no reader would guess.
- A public one may get more cases, so a switch over it in another package needs a default: it has `@nonexhaustive` on the three lines before it,
  where the compiler knows that. Some never get more: what JSON is does not change.
"""
import pathlib
import re
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from house import ROOT, code, finish, named, swift_files  # noqa: E402

ENUM = re.compile(r"\benum (\w+)(?:<[^{>]*>)?\s*:([^{]*)\{")
CLOSED = {"JSONKind", "JSONValue", "Component"}
GROWS = ["#if hasAttribute(nonexhaustive)", "@nonexhaustive", "#endif"]
problems = []
files = swift_files("Sources", *ROOT.glob("Examples/*/Sources"))
for path in files:
    for name, inherited in ENUM.findall(code(path)):
        types = [one.strip() for one in inherited.split(",")]
        if {"Codable", "Encodable", "Decodable"} & set(types) and types[0] not in ("String", "Int"):
            problems.append(f"{named(path)}: the enum {name} needs a raw type, or coding of its own in an extension")
    if "Examples" in path.parts:
        continue
    lines = [line.strip() for line in path.read_text(encoding="utf-8").split("\n")]
    for number, line in enumerate(lines):
        words = re.split(r"\W+", line)
        if words[:2] == ["public", "enum"] and words[2] not in CLOSED and lines[number - 3:number] != GROWS:
            problems.append(f"{named(path)}:{number + 1}: @nonexhaustive is missing, as it stands before other public enums")

finish("coding", f"{len(files)} files", problems)
