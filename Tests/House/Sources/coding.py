#!/usr/bin/env python3
"""An enum that is JSON has a raw type, or coding of its own.

What a compiler makes of an enum with values is JSON such as {"mapping":{"_0":…}}, which no reader would guess.
"""
import pathlib
import re
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from house import ROOT, code, finish, named, swift_files  # noqa: E402

ENUM = re.compile(r"\benum (\w+)(?:<[^{>]*>)?\s*:([^{]*)\{")
problems = []
files = swift_files("Sources", *ROOT.glob("Examples/*/Sources"))
for path in files:
    for name, inherited in ENUM.findall(code(path)):
        types = [one.strip() for one in inherited.split(",")]
        if {"Codable", "Encodable", "Decodable"} & set(types) and types[0] not in ("String", "Int"):
            problems.append(f"{named(path)}: the enum {name} needs a raw type, or coding of its own in an extension")

finish("coding", f"{len(files)} files", problems)
