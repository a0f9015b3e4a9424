#!/usr/bin/env python3
"""A Date is made where a program asks for one, and nowhere else: dates of feeds are instants.

A Date is a Double of seconds, so what goes through one is rounded.
"""
import pathlib
import re
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from house import ROOT, code, finish, named, swift_files  # noqa: E402

# The files that alone may look into a Date, and the modules that may not know any.
ROUNDED = {"Conversions/Instant+Date.swift", "Conversions/Conversion+DateNumbers.swift"}
EXACT = ("StreamMapFiles", "StreamMapCommand", "StreamMapC")

problems = []
files = swift_files("Sources")
for path in files:
    module, *rest = path.relative_to(ROOT / "Sources").parts
    text = code(path)
    if re.search(r"\b[tT]imeInterval", text) and "/".join(rest) not in ROUNDED:
        problems.append(f"{named(path)}: looks into a Date, which is rounded: use Instant")
    if module in EXACT and re.search(r"\bDate\b", text):
        problems.append(f"{named(path)}: has a Date, which is rounded: use Instant")

finish("dates", f"{len(files)} files", problems)
