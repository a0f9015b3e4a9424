#!/usr/bin/env python3
"""Versions are the same wherever they are named: of the package, and of the oldest Swift.

The package's is in Sources/StreamMap/Version.swift, the oldest Swift's in the first line of Package.swift.
"""
import pathlib
import re
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from house import ROOT, finish  # noqa: E402
problems = []


def text(name):
    return (ROOT / name).read_text()


def found(pattern, name):
    match = re.search(pattern, text(name), re.M)
    if match is None:
        problems.append(f"{name}: nothing like {pattern}")
    return match.group(1) if match else None


version = found(r'current = "(\d+\.\d+\.\d+)"', "Sources/StreamMap/Version.swift")
newest = found(r"^## (\S+) \((?:unreleased|\d{4}-\d\d-\d\d)\)$", "CHANGELOG.md")
if version != newest:
    problems.append(f"CHANGELOG.md begins with {newest}, stream-map --version says {version}")

for named in re.findall(r"stream-?map[-_:](\d+\.\d+\.\d+)", text("README.md")):
    if named != version:
        problems.append(f"README.md names a file of {named}, stream-map --version says {version}")
if (named := found(r'^VERSION = "(.*)"', "Python/src/streammap/_version.py")) != version:
    problems.append(f"the Python package is {named}, stream-map --version says {version}")

header = "Sources/CStreamMap/include/streammap.h"
numbers = [found(rf"^#define STREAMMAP_VERSION_{part} (\d+)$", header) for part in ("MAJOR", "MINOR", "PATCH")]
if not version == ".".join(map(str, numbers)) == found(r'^#define STREAMMAP_VERSION "(.*)"$', header):
    problems.append(f"{header} does not say {version}")
# Before 1.0 a minor version may break the interface of C, and so has another name.
binary = "0." + numbers[1] if numbers[0] == "0" else numbers[0]
for name, pattern in [
    ("Package.swift", r'"-soname=libstreammap\.so\.([0-9.]+)"'), (header, r"SONAME has it: libstreammap\.so\.([0-9.]+)\."),
    ("Sources/StreamMapC/streammap.map", r"^STREAMMAP_([0-9.]+) \{"),
]:
    if (named := found(pattern, name)) != binary:
        problems.append(f"{name} names the interface of C {named}, not {binary}")

oldest = found(r"\A// swift-tools-version: (\d+\.\d+)$", "Package.swift")
if found(r"\A// swift-tools-version: (\d+\.\d+)$", "Fuzzing/Package.swift") != oldest:
    problems.append(f"Fuzzing/Package.swift: another tools version than Package.swift, {oldest}")
for name, pattern in {
    "README.md": r"Swift (\d+\.\d+) or newer",
    "CHANGELOG.md": r"Needs Swift (\d+\.\d+)\.",
    ".github/workflows/test.yml": r'"(\d+\.\d+)"  # the oldest',
}.items():
    if (named := found(pattern, name)) != oldest:
        problems.append(f"{name} names Swift {named}, Package.swift {oldest}")

# All that is built with the newest Swift in the workflows is built with the same one.
newest = max(re.findall(r'"(\d+\.\d+)"', text(".github/workflows/test.yml")), key=lambda version: [int(part) for part in version.split(".")])
for name in [".github/workflows/test.yml", ".github/workflows/nightly.yml", ".github/workflows/release.yml"]:
    for named in re.findall(r"swift:(\d+\.\d+)-", text(name)):
        if named != newest:
            problems.append(f"{name} takes Swift {named}, test.yml tests with {newest}")

finish("versions", f"{version}, Swift {oldest} or newer", problems)
