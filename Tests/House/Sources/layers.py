#!/usr/bin/env python3
"""A folder of the engine uses itself and lower layers, and one folder alone imports each C module.

A folder of Sources/StreamMap uses itself and lower layers, never one beside it or above it. What a folder declares at
the top of its files (types, and extensions' members aside) is found by name in the others.
"""
import pathlib
import re
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from house import ROOT, code, finish, named, swift_files  # noqa: E402

ENGINE = ROOT / "Sources/StreamMap"
LAYERS = {
    "Text": 0,
    "Diagnostics": 1, "Threads": 1,
    "Events": 2, "Conversions": 2, "Slots": 2,
    "Writing": 3, "Parsing": 3, "Reading": 3, "Foundation": 3,
    "Scalars": 4, "Validation": 4,
    "Formulas": 5,
    "Plan": 6,
    "Mappings": 7, "Forward": 7, "Reverse": 7,
    "Running": 8,
    "Parallel": 9,
    "Output": 10,
    "": 11,
}
# The folders that alone may import a C module.
ONLY = {"CYajl": "Parsing", "CScan": "Reading", "CText": "Conversions"}
DECLARATION = re.compile(
    r"^(?:@\S+ )*(?:public |package |internal |final |indirect )*"
    r"(?:class|struct|enum|protocol|actor|typealias) (\w+)", re.M)


NESTED = re.compile(r"\b(?:class|struct|enum|protocol|actor|typealias) (\w+)")


def folder(path):
    parts = path.relative_to(ENGINE).parts
    return parts[0] if len(parts) > 1 else ""


problems = []
files = swift_files("Sources/StreamMap")
owner = {}
for path in files:
    if folder(path) not in LAYERS:
        problems.append(f"{named(path)}: a folder without a layer")
        continue
    for name in DECLARATION.findall(code(path)):
        owner.setdefault(name, folder(path))

for path in files:
    here = folder(path)
    text = code(path)
    for module, room in ONLY.items():
        if re.search(rf"^\s*(?:@\S+ )?import {module}\b", text, re.M) and here != room:
            problems.append(f"{named(path)}: imports {module}, which only {room}/ may")
    own = set(NESTED.findall(text))
    for name in sorted(set(re.findall(r"(?<![\w.])[A-Z]\w*\b", text)) - own):
        there = owner.get(name)
        if there is None or there == here:
            continue
        if LAYERS.get(there, 9) >= LAYERS.get(here, 0):
            problems.append(
                f"{named(path)}: {here or 'the front door'} uses {name} of {there or 'the front door'}/")

finish("layers", f"{len(files)} files of the engine", problems)
