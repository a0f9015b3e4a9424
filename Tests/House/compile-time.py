#!/usr/bin/env python3
"""Hand-written mappings compile at once, and a mistake is an error at its own line.

It type-checks generated files against the built module (`swift build` first). The figures are processor seconds of the
whole compiler: they do not depend on what else the machine does.
"""
import itertools
import pathlib
import re
import resource
import subprocess
import sys
import tempfile

from house import ROOT, skipped  # noqa: E402
MODULES = ROOT / ".build/debug/Modules"
PLUGIN = f"{ROOT}/.build/debug/StreamMapMacrosPlugin-tool#StreamMapMacrosPlugin"

# The types of properties and what maps them: Optionals, arrays with defaults, conversions, rules.
MIXED = [
    ("String", ".string"),
    ("Int", ".int"),
    ("String?", ".string"),
    ("[String]", ".array(of: .string).default([])"),
    ("Double", ".double(from: .string)"),
    ("Int", ".int.default(0)"),
    ("Bool", ".bool"),
    ("URL?", '.url(schemes: ["https"])'),
    ("Int", ".int.validated(.in(0...9))"),
    ("[Int]?", ".array(of: .int)"),
]


def source(count, explicit=True, changes=(), arguments=None, separate=True):
    """A file with a mapping of so many fields; `changes` replaces lines of fields by their numbers."""
    changes = dict(changes)
    kinds = [MIXED[number % len(MIXED)] for number in range(count)]
    lines = ["import Foundation", "import StreamMap", "struct Row {"]
    lines += [f"  let p{number}: {kind}" for number, (kind, _) in enumerate(kinds)]
    lines += ["}", "let row = Mapping.object(Row.self) { field in"]
    calls = []
    for number, (_, mapping) in enumerate(kinds):
        property, mapping = changes.get(number, (f"p{number}", mapping))
        calls.append(f'field("k{number}", \\.{property}' + (f", {mapping})" if explicit else ")"))
    if separate:
        lines += [f"  let f{number} = {call}" for number, call in enumerate(calls)]
        names = [f"f{number}" for number in (arguments or range(count))]
        lines += ["  return field.make(Row.init, " + ", ".join(names) + ")", "}"]
    else:
        lines += ["  field.make(", "    Row.init,"] + [f"    {call}," for call in calls[:-1]]
        lines += [f"    {calls[-1]})", "}"]
    return "\n".join(lines) + "\n"


def check(folder, text, mode=("-swift-version", "6")):
    """Type-checks a file: its errors as (line, message), and the processor seconds. In some mode of the compiler; warnings are errors."""
    path = pathlib.Path(folder) / "main.swift"
    path.write_text(text)
    command = ["swiftc", *mode, "-warnings-as-errors", "-typecheck", str(path), "-load-plugin-executable", PLUGIN]
    includes = [MODULES, ROOT / "Sources/CYajl", ROOT / "Sources/CText/include", ROOT / "Sources/CScan/include"]
    for include in includes:
        command += ["-I", str(include)]
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    result = subprocess.run(command, capture_output=True, text=True, timeout=120)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    seconds = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    errors = re.findall(r"^\S*main\.swift:(\d+):\d+: error: (.*)$", result.stderr, re.M)
    if result.returncode and not errors:
        sys.exit(f"compile time: the compiler failed:\n{result.stderr}")
    return [(int(line), message) for line, message in errors], seconds


def pasted(guide):
    """The Swift of a guide, block after block, as somebody pastes it."""
    text = (ROOT / f"Sources/StreamMap/StreamMap.docc/{guide}.md").read_text()
    return "\n".join(re.findall(r"^```swift\n(.*?)^```$", text, re.M | re.S))


# The modes in which packages and apps compile; Xcode's new apps are isolated to the main actor.
MODES = [("-swift-version", version, "-default-isolation", isolation)
         for version in ("5", "6") for isolation in ("nonisolated", "MainActor")]


def line_of(text, part):
    return next(number for number, line in enumerate(text.splitlines(), 1) if part in line)


FIELDS = 30
SWAPPED = list(range(FIELDS))
SWAPPED[10], SWAPPED[11] = 11, 10
# What is written, the part of the line that its error belongs to (none: it compiles), the bar in seconds.
CASES = [
    ("30 fields, mixed mappings", source(FIELDS), None, 1.0),
    ("60 fields, mixed mappings", source(60), None, 2.0),
    ("30 fields without mappings", source(FIELDS, explicit=False), None, 0.5),
    ("10 fields inside make", source(10, separate=False), None, 1.0),
    ("a wrong mapping", source(FIELDS, changes={10: ("p10", ".int")}), "let f10 ", 5.0),
    ("a misspelt property", source(FIELDS, changes={11: ("q11", ".int")}), "let f11 ", 5.0),
    ("a rule of another type",
     source(FIELDS, changes={18: ("p18", '.int.validated(.matches("a"))')}), "let f18 ", 5.0),
    ("a missing field", source(FIELDS, arguments=[n for n in range(FIELDS) if n != 13]),
     "field.make", 5.0),
    ("swapped fields", source(FIELDS, arguments=SWAPPED), "field.make", 5.0),
]


# First mistakes, and words that the compiler's message has.
MISTAKES = [
    ("a conversion without its way back",
     'import StreamMap\nlet m: Mapping<Int> = .converted(from: .string) { $0.count }\n', ".oneWay(from:)"),
    ("a dictionary in place of JSON",
     'import StreamMap\nprint(try Mapper([String: Int].self).decode(["a": 1]))\n', "decode(foundationObject:)"),
]


def main():
    if not MODULES.is_dir():
        skipped("compile time", "there is no debug build: swift build")
        return
    problems = 0
    with tempfile.TemporaryDirectory() as folder:
        check(folder, source(1))  # Reads the module and Foundation once, so that they are in the disk's cache.
        for name, text, place, bar in CASES:
            errors, seconds = check(folder, text)
            if place is None:
                fault = f"does not compile: {errors[0][1]}" if errors else None
            elif not errors:
                fault = "compiles"
            else:
                wanted = line_of(text, place)
                lines = {line for line, _ in errors}
                fault = None if lines == {wanted} else f"errors at lines {sorted(lines)}, not {wanted}"
            if fault is None and seconds > bar:
                fault = f"more than {bar} s"
            print(f"compile time: {name}: {seconds:.2f} s" + (f": {fault}" if fault else ""))
            problems += fault is not None
        for name, text, words in MISTAKES:
            errors, _ = check(folder, text)
            fault = None if any(words in message for _, message in errors) else f"no error has {words}: {errors}"
            print(f"compile time: {name}" + (f": {fault}" if fault else ""))
            problems += fault is not None
        for guide, mode in itertools.product(["GettingStarted", "ComingFromCodable"], MODES):
            errors, _ = check(folder, pasted(guide), mode)
            fault = f": does not compile: line {errors[0][0]}: {errors[0][1]}" if errors else ""
            print(f"compile time: the guide {guide} as it is pasted, {' '.join(mode)}{fault}")
            problems += bool(errors)
    sys.exit(1 if problems else 0)


main()
