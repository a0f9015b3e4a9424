#!/usr/bin/env python3
"""A switch over a closed kind names every case: a `default:` would hide a new one.

The kinds are opcodes, definitions, what their parts are for, frames, scalar types and their families. They are known by cases that only they have.
"""
import pathlib
import re
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from house import code, finish, named, swift_files  # noqa: E402

# Cases that only opcodes, kinds of definitions, what their parts are for, kinds of frames, scalar types and their families have.
CLOSED = set("""transform rewritten firstOf dispatch rawJSON chosen pathEntry wholeObject
    original alternative formed int8 int16 int32 int64 uint8 uint16 uint32 uint64 uuid""".split())


def switches(text):
    """The bodies of the switches of a file, without those of the switches inside."""
    for match in re.finditer(r"^( *)(?:[^\n]*[ =(])?switch [^\n]*\{\n((?:\1[^\n]*\n|\n)*?)\1\}", text, re.M):
        indent = match.group(1)
        # A switch says by its first line what it is over.
        subject = match.group(0).split("\n", 1)[0]
        yield subject + "\n" + "".join(re.findall(rf"^{indent}(?:case|default)[^\n]*\n(?:{indent}  +\.[^\n]*\n)*", match.group(2), re.M))


problems = []
files = swift_files("Sources")
for path in files:
    for body in switches(code(path)):
        names = CLOSED & set(re.findall(r"\.(\w+)", body))
        if "default:" in body and (names or re.search(r"\bopcode\b", body.split("\n", 1)[0])):
            problems.append(
                f"{named(path)}: the '{body.split(chr(10), 1)[0].strip()}' has a 'default:', which hides a new case")

finish("switches", f"{len(files)} files", problems)
