#!/usr/bin/env python3
"""The command, mapping files and the library for C do without Foundation: it would bring ICU, which is larger than all the rest.

They import StreamMapPlatform, which has Foundation's smaller part where there is one. StreamMap itself says so at each import. Nor do they use
Swift's regular expressions: those of mapping files are RE2's, which take linear time, and one engine is enough.
"""
import pathlib
import re
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from house import ROOT, code, finish, named, swift_files  # noqa: E402

LEAN = ("StreamMapFiles", "StreamMapCommand", "StreamMapC", "StreamMapCompression", "stream-map")
IMPORT = re.compile(r"^ *(?:@?\w+ )*import (?:Foundation\w*|StreamMapFoundation)\b", re.M)
REGEX = re.compile(r"\bRegex\b|[(,=:] *#*/[^/* ]")
GUARDED = re.compile(r"^#if canImport\(FoundationEssentials\)\n *\S*import FoundationEssentials\n#else\n *\S*import Foundation\n#endif$", re.M)

problems = []
files = swift_files("Sources")
for path in files:
    module = path.relative_to(ROOT / "Sources").parts[0]
    text = code(path)
    if module in LEAN and IMPORT.search(text):
        problems.append(f"{named(path)}: imports Foundation: import StreamMapPlatform")
    if module in LEAN and REGEX.search(text):
        problems.append(f"{named(path)}: uses a regular expression of Swift: write a loop, or use LinearPattern")
    if module == "StreamMap" and IMPORT.search(GUARDED.sub("", text)):
        problems.append(f"{named(path)}: imports all of Foundation even where FoundationEssentials is")

finish("foundation", f"{len(files)} files", problems)
