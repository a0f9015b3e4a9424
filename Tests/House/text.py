#!/usr/bin/env python3
"""Text is compared by code points: nothing in the debug build compares or hashes Strings in Swift's way.

There "é" of one code point is that of two, and K the Kelvin sign. It asks what the compiler made: every function of the debug build that
refers to how the standard library compares or hashes Strings, whether it is written out, in a dictionary, or in code that the compiler
writes for `Equatable`. Text is compared by the operators of `Sources/StreamMap/Text`, which a file has that imports StreamMap, and is a key
of dictionaries as `ExactText`. Optimised code hides what it calls, and the scripts have some modules optimised: they are compiled here again.
--build FOLDER looks at another build than `.build/debug`.
"""
import argparse
import bisect
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

from house import ROOT, finish, module_flags, named, skipped  # noqa: E402
# Not the macros: what they compare are names of the program that is compiled.
MODULES = ["StreamMap", "StreamMapFoundation", "StreamMapFiles", "StreamMapC", "StreamMapCommand", "StreamMapCompression",
           "StreamMapNIO", "StreamMapObservation"]
# Those that Package.swift has optimised.
OPTIMISED = ["StreamMap", "StreamMapFiles"]
# Of String and Substring: ==, <, hash, hasPrefix, hasSuffix, and the tables of Equatable, Hashable and Comparable, also those of
# Optionals, arrays and dictionaries of them.
COMPARES = re.compile(
    r"\$s(?:SS2eeoiySbSS_SStFZ|SS1loiySbSS_SStFZ|SS4hash4into\w+|SS9has(?:Prefix|Suffix)\w+"
    r"|(?:SS|Ss)S[HQL]sWP|Sy(?:sE)?\w*(?:2eeoi|9hasPrefix|9hasSuffix)\w+"
    r"|(?:Say(?:SS|Ss)G|(?:SS|Ss)Sg|SDySS\w+G)\w*S[HQL]s\w*W[lL])$")
# Code that is not ours, or that only hashes: what is the same has the same hash in either way.
HARMLESS = re.compile(
    r"^(?:lazy protocol witness table accessor"
    r"|.*\.hash\(into:\)$"
    # The words of an enumeration, and keys of Codable: no feed and no mapping has them.
    r"|protocol witness for .* in conformance |.*CodingKeys\.init\(stringValue:\)$"
    # What optimised modules hand to others, specialised: it is looked at where these modules are compiled again.
    r"|specialized __RawDictionaryStorage\.find<"
    # [:], before it is made exact.
    r"|(?:closure #\d+ in )?default argument |variable initialization expression of FeedOptions\.labels$)")
# Where it is meant, by file: functions, and why.
MEANT = [
    ("CollectionMappings", "dictionary", "[String: V] is the program's own type"),
    ("CollectionOperations", "Dictionary", "[String: V] is the program's own type; two keys that it takes for one are reported"),
    ("Machine+Keys", "isFirstString", "finds the keys that such a dictionary takes for one"),
    ("ExactText", "keys", "a dictionary that a program gave"),
    ("ExactValue", "isCanonicallySame", "finds what Swift takes for one"),
    ("Mapping+Conversions", "enumeration", "hands Strings to a table, which compares by ExactValue"),
    ("ScalarSpec", "table", "hands Strings to a table, which compares by ExactValue"),
    ("ScalarReader", "values", "hands Strings to a table, which compares by ExactValue"),
    ("FoundationBuilder", "", "[String: Any] is Foundation's type; two keys that it takes for one are an error"),
    ("FoundationSource", "", "[String: Any] is Foundation's type"),
    ("LoggingObserver", "metadata", "the type of swift-log"),
    ("FormatArguments", "allValueDescriptions", "the type of swift-argument-parser"),
    ("FieldArgument", "FieldArgument", "types by their names, which are words of this program"),
    ("FeedObserver", "FeedIdentity", "labels are words of the program"),
    ("FeedOptions", "", "labels are words of the program"),
    ("MetricsObserver", "metrics", "labels are words of the program"),
    ("TracingObserver", "feedBegan", "labels are words of the program"),
]


def lines(*command):
    return subprocess.run(command, capture_output=True, text=True, errors="replace", check=True).stdout.splitlines()


def uses(object_file):
    """Pairs of a function and what it refers to, mangled."""
    numbers, functions, found, section = {}, {}, [], None
    for line in lines("readelf", "-SrsW", str(object_file)):
        if match := re.match(r"\s*\[\s*(\d+)\] (\S+)", line):
            numbers[match[2]] = int(match[1])
        elif match := re.match(r"Relocation section '\.rela(\S+)'", line):
            section = numbers.get(match[1])
        elif match := re.match(r"([0-9a-f]{16})  [0-9a-f]{16} \S+\s+[0-9a-f]+ (\S+)", line):
            if COMPARES.match(match[2]):
                found.append((section, int(match[1], 16), match[2]))
        elif match := re.match(r"\s*\d+: ([0-9a-f]{16})\s+\d+ FUNC .* (\d+) (\S+)$", line):
            functions.setdefault(int(match[2]), []).append((int(match[1], 16), match[3]))
    for section, offset, name in found:
        inside = sorted(functions.get(section, []))
        index = bisect.bisect_right(inside, (offset, "\U0010ffff")) - 1
        if index >= 0:
            yield inside[index][1], name


def package(build):
    """What the build calls this package: modules see what is `package` in others only by that name."""
    for line in build.with_suffix(".yaml").read_text(encoding="utf-8").splitlines():
        if '"-module-name","StreamMap"' in line and (match := re.search(r'"-package-name","([^"]+)"', line)):
            return match[1]
    return "streammap"


def unoptimised(module, build, folder):
    """Compiles a module without optimisation; its objects are in the folder, one for each file."""
    sources = sorted(str(path) for path in (ROOT / "Sources" / module).rglob("*.swift"))
    folder = pathlib.Path(folder) / module
    folder.mkdir()
    subprocess.run(
        ["swiftc", "-c", "-Onone", "-swift-version", "6", "-parse-as-library", "-package-name", package(build), "-module-name", module,
         "-whole-module-optimization", "-num-threads", "2", "-suppress-warnings", *module_flags(build), *sources], cwd=folder, check=True)
    return sorted(folder.glob("*.o"))


def main(folder):
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=pathlib.Path, metavar="FOLDER")
    options = parser.parse_args()
    if shutil.which("readelf") is None or shutil.which("swift") is None:
        skipped("comparisons of text", "readelf or swift is not on the path")
        return
    build = options.build or ROOT / ".build/debug"
    found, count = set(), 0
    for module in MODULES:
        sources = {path.name: path for path in (ROOT / "Sources" / module).rglob("*.swift")}
        if module in OPTIMISED and options.build is None:
            objects = unoptimised(module, build, folder)
        else:
            objects = [path for path in sorted((build / f"{module}.build").glob("*.swift.o")) if path.stem in sources]
        if not objects:
            skipped(f"comparisons of text in {module}", f"it is not built in {build}")
        count += len(objects)
        for path in objects:
            source = sources[path.stem.removesuffix(".swift") + ".swift"]
            found |= {(source, function, name) for function, name in uses(path)}
    found = sorted(found)
    names = subprocess.run(
        ["swift", "demangle", "--simplified", "--compact"], capture_output=True, text=True, check=True,
        input="".join(f"{function}\n{name}\n" for _, function, name in found)).stdout.splitlines()
    problems, needed = [], set()
    for (path, _, _), function, name in zip(found, names[::2], names[1::2]):
        if HARMLESS.match(function):
            continue
        reason = next((entry for entry in MEANT if entry[0] == path.stem and entry[1] in function), None)
        if reason:
            needed.add(reason)
        else:
            problems.append(f"{named(path)}: {function} compares text in Swift's way: {name}")
    if options.build is None:
        problems += [f"Tests/House/text.py: nothing in {file} needs '{part}' any more" for file, part, _ in MEANT
                     if not any(entry[:2] == (file, part) for entry in needed)]
    finish("text", f"{count} files of the build", sorted(set(problems)))


with tempfile.TemporaryDirectory() as place:
    main(place)
