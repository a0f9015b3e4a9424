#!/usr/bin/env python3
"""Layers, C imports, dates, JSON of enums, sizes of files, and the one way on which the command's bytes leave.

A folder of Sources/StreamMap uses itself and lower layers, never one beside it or above it. What a folder declares at
the top of its files (types, and extensions' members aside) is found by name in the others.

A Date is a Double of seconds, so what goes through one is rounded. Dates of feeds are instants: a Date is made where a program asks
for one, and nowhere else.
In Sources/StreamMapCommand a few files alone call the system to open, write, name or remove files, each for one purpose.
"""
import pathlib
import re
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "scripts"))
from common import ROOT  # noqa: E402
ENGINE = ROOT / "Sources/StreamMap"
LAYERS = {
    "Text": 0,
    "Diagnostics": 1, "Threads": 1,
    "Events": 2, "Conversions": 2, "Slots": 2,
    "Scalars": 3, "Writing": 3, "Parsing": 3, "Reading": 3, "Foundation": 3,
    "Validation": 4,
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
# The files that alone may look into a Date, and the modules that may not know any.
ROUNDED = {"Conversions/Instant+Date.swift", "Conversions/Conversion+DateNumbers.swift"}
EXACT = ("StreamMapFiles", "StreamMapCommand", "StreamMapC")
LONGEST = 500
DECLARATION = re.compile(
    r"^(?:@\S+ )*(?:public |package |internal |final |indirect )*"
    r"(?:class|struct|enum|protocol|actor|typealias) (\w+)", re.M)


NESTED = re.compile(r"\b(?:class|struct|enum|protocol|actor|typealias) (\w+)")


def code(path):
    """The file without comments and string literals."""
    text = path.read_text()
    text = re.sub(r'"""(?:.|\n)*?"""', '""', text)
    text = re.sub(r'"(?:\\.|[^"\\\n])*"', '""', text)
    return re.sub(r"//[^\n]*", "", text)


def folder(path):
    parts = path.relative_to(ENGINE).parts
    return parts[0] if len(parts) > 1 else ""


problems = []
files = sorted(ENGINE.rglob("*.swift"))
owner = {}
for path in files:
    if folder(path) not in LAYERS:
        problems.append(f"{path.relative_to(ROOT)}: a folder without a layer")
        continue
    for name in DECLARATION.findall(code(path)):
        owner.setdefault(name, folder(path))

for path in files:
    here = folder(path)
    text = code(path)
    for module, room in ONLY.items():
        if re.search(rf"^\s*(?:@\S+ )?import {module}\b", text, re.M) and here != room:
            problems.append(f"{path.relative_to(ROOT)}: imports {module}, which only {room}/ may")
    own = set(NESTED.findall(text))
    for name in sorted(set(re.findall(r"(?<![\w.])[A-Z]\w*\b", text)) - own):
        there = owner.get(name)
        if there is None or there == here:
            continue
        if LAYERS.get(there, 9) >= LAYERS.get(here, 0):
            problems.append(
                f"{path.relative_to(ROOT)}: {here or 'the front door'} uses {name} of {there or 'the front door'}/")

# Cases that only opcodes, kinds of definitions, kinds of frames, and scalar types have.
CLOSED = set("""transform rewritten firstOf dispatch rawJSON chosen pathEntry wholeObject
    int8 int16 int32 int64 uint8 uint16 uint32 uint64 uuid""".split())


def switches(text):
    """The bodies of the switches of a file, without those of the switches inside."""
    for match in re.finditer(r"^( *)(?:[^\n]*[ =(])?switch [^\n]*\{\n((?:\1[^\n]*\n|\n)*?)\1\}", text, re.M):
        indent = match.group(1)
        # A switch says by its first line what it is over.
        subject = match.group(0).split("\n", 1)[0]
        yield subject + "\n" + "".join(re.findall(rf"^{indent}(?:case|default)[^\n]*\n(?:{indent}  +\.[^\n]*\n)*", match.group(2), re.M))


for path in sorted((ROOT / "Sources").rglob("*.swift")):
    for body in switches(code(path)):
        names = CLOSED & set(re.findall(r"\.(\w+)", body))
        if "default:" in body and (names or re.search(r"\bopcode\b", body.split("\n", 1)[0])):
            problems.append(
                f"{path.relative_to(ROOT)}: the '{body.split(chr(10), 1)[0].strip()}' has a 'default:', which hides a new case")

# Builds are repeatable only with what common.sh sets.
for path in sorted(path for path in (ROOT / "scripts").iterdir() if path.is_file()):
    text = path.read_text()
    if text.startswith("#!/usr/bin/env bash") and re.search(r"^\s*swift (?:build|test|run)|\(swift build", text, re.M) \
            and 'source "$(dirname "$0")/common.sh"' not in text:
        problems.append(f"{path.relative_to(ROOT)}: builds without scripts/common.sh")

for path in sorted((ROOT / "Sources").rglob("*.swift")):
    module, *rest = path.relative_to(ROOT / "Sources").parts
    text = code(path)
    if re.search(r"\b[tT]imeInterval", text) and "/".join(rest) not in ROUNDED:
        problems.append(f"{path.relative_to(ROOT)}: looks into a Date, which is rounded: use Instant")
    if module in EXACT and re.search(r"\bDate\b", text):
        problems.append(f"{path.relative_to(ROOT)}: has a Date, which is rounded: use Instant")
# What a compiler makes of an enum with values is JSON such as {"mapping":{"_0":…}}, which no reader would guess.
CODED_ENUM = re.compile(r"\benum (\w+)(?:<[^{>]*>)?\s*:([^{]*)\{")
for pattern in ("Sources/**/*.swift", "Examples/*/Sources/**/*.swift"):
    for path in sorted(ROOT.glob(pattern)):
        for name, inherited in CODED_ENUM.findall(code(path)):
            types = [one.strip() for one in inherited.split(",")]
            if {"Codable", "Encodable", "Decodable"} & set(types) and types[0] not in ("String", "Int"):
                problems.append(f"{path.relative_to(ROOT)}: the enum {name} needs a raw type, or coding of its own in an extension")
# What opens, writes, names or removes files, and the files of the command that alone may do so.
COMMAND = ROOT / "Sources/StreamMapCommand"
CALL = r"(?<!func )(?:(?<![\w.`])|(?<=Foundation\.)|(?<=Glibc\.)|(?<=Darwin\.)|(?<=Swift\.))"
WAYS = [
    # A method of one's own that is called 'write' is called by 'try', or has a receiver.
    (CALL + r"(?<!try )(?:write|pwrite|writev|send|sendto|sendfile)\(",
     {"WriteGate.swift", "StandardError.swift", "Interruption.swift", "Decompression.swift"}),
    (CALL + r"(?:open|openat|creat|fopen|freopen|fdopen|mkstemp|mkostemp|shm_open)\(",
     {"FilePlace.swift", "FolderTree.swift", "FileReading.swift", "StandardStreams.swift"}),
    (CALL + r"(?:rename|renameat|unlink|unlinkat|remove|link|linkat|symlink|symlinkat)\((?!\w+:)",
     {"FilePlace.swift"}),
    (CALL + r"(?:mkdir|mkdirat|mkfifo|mkfifoat|mknod|mknodat)\(", {"FolderTree.swift"}),
    (CALL + r"(?:ftruncate|truncate|fallocate|posix_fallocate|copy_file_range)\(", {"WriteGate.swift"}),
    (CALL + r"(?:print|debugPrint|dump|puts|fputs|putc|fputc|putchar|fwrite|printf|vprintf|fprintf|vfprintf|dprintf|perror)\(",
     set()),
    (r"\b(?:FileHandle|FileManager|OutputStream|stdout|stderr|STDOUT_FILENO)\b|\.write\(to(?:File)?:",
     {"OutputFile.swift", "PathTarget.swift", "FileIdentity.swift", "ProgressReport.swift", "StandardStreams.swift"}),
]
for path in sorted(COMMAND.rglob("*.swift")):
    for call in (match.group() for way, rooms in WAYS if path.name not in rooms for match in re.finditer(way, code(path))):
        problems.append(
            f"{path.relative_to(ROOT)}: {call.rstrip('(')} is not called here: files are written by OutputFile, text by StandardOutput"
            " and StandardError")

for pattern in ("Sources/**/*.swift", "Sources/**/*.c", "Sources/**/*.h", "Tests/**/*.swift", "Tests/**/*.c"):
    for path in sorted(ROOT.glob(pattern)):
        count = len(path.read_text().splitlines())
        if count > LONGEST:
            problems.append(f"{path.relative_to(ROOT)}: {count} lines, at most {LONGEST}")

for problem in problems:
    print(problem, file=sys.stderr)
print(f"layers: {len(files)} files of the engine checked, {len(problems)} problems")
sys.exit(1 if problems else 0)
