#!/usr/bin/env python3
"""Holds `stream-map infer` to its word: the mapping of a feed takes every record of that feed.

Draws odd feeds. For each, `infer` writes a mapping and a JSON Schema. The mapping has to pass `check`, and a run with it rejects
nothing. The schema has to take every record. A mapping that is inferred from one half of the records rejects of the other half only what
is new in kind. Prints what went wrong, with the feed.
"""
import argparse
import json
import os
import random
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../scripts"))
import halves  # noqa: E402
from common import COMMAND  # noqa: E402

KEYS = [
    "a", "b", "id", "created_at", "day", "", " ", "$", "a.b", "['x']", "it's", 'q"q', "back\\slash", "true", "null", "1", "- x", "# x", "x: y",
    "{", "*", "&a", "@", "%", "!t", "~", "é", "e\u0301", "K", "\u212a", "\ufeff", "\ufeffid", "x\ufeff", "\u0000", "\u001b[31m", "line\nfeed",
    "\u0085", "\u2028", "\u202e", "\uffff", "\ufffe", "\U0001f600", "\U0001ffff", "\ue000", "tab\t", "A" * 300, "k" * 1100, "é" * 700,
]
TEXTS = [
    "", "x", "é", "e\u0301", "\ufeffx", "\u0000", "\uffff", "2026-09-21", "21.09.2026", "2026-02-30", "0000-01-01", "2026-09-21T10:00:00Z",
    "2026-09-21T10:00:60Z", "2026-09-21T10:00:00+0100", "2026-09-21t10:00:00.5z", "2026-09-21T10:00:00.123", "01/02/2026", "2026-09-21 10:00:00", "Mon, 21 Sep 2026 10:00:00 GMT", "09/21/2026", "21/09/2026", "https://a.example/x", "https://",
    "HTTP://A", "ftp://a", "123e4567-e89b-12d3-a456-426614174000", "1", "true", "null", "a: b", "\n", "\u2028",
]
NUMBERS = [
    "0", "-0", "1", "-1", "7.0", "7e0", "1.5", "-0.0", "1e400", "-1e400", "1e-400", "9223372036854775807", "9223372036854775808", "-9223372036854775809",
    "18446744073709551615", "18446744073709551616", "123456789012345678901234567890123456789", "0." + "1" * 45, "1e38", "1e-39", "1.7976931348623157e308",
    "1.7976931348623159e308", "4.9e-324", "1790000015", "1790000015123", "1790000015.5", "1" * 500,
]


class Number:
    """A number as its text."""

    def __init__(self, text):
        self.text = text


class Drawn:
    """Draws feeds."""

    def __init__(self, seed):
        self.random = random.Random(seed)
        # Few keys and kinds of a feed, so that they come again.
        self.keys = self.random.sample(KEYS, self.random.randint(1, 6))
        if self.random.random() < 0.2:
            self.keys += self.random.choice([["é", "e\u0301"], ["K", "\u212a"], ["id", "\ufeffid"]])
        self.keys = list(dict.fromkeys(self.keys))
        self.kinds = self.random.sample(["null", "bool", "number", "text", "array", "object", "date", "case"], self.random.randint(1, 5))
        self.texts = self.random.sample(TEXTS, self.random.randint(1, 4))
        self.numbers = self.random.sample(NUMBERS, self.random.randint(1, 4))

    def value(self, depth, kinds=None):
        kind = self.random.choice(kinds or self.kinds)
        if depth == 0 and kind in ("array", "object"):
            kind = "number"
        if kind == "null":
            return None
        if kind == "bool":
            return self.random.random() < 0.5
        if kind == "number":
            return Number(self.random.choice(self.numbers))
        if kind == "text":
            return self.random.choice(self.texts)
        if kind == "date":
            return self.random.choice(["2026-09-%02d", "2026-09-%02dT10:00:00Z"]) % self.random.randint(1, 31)
        if kind == "case":
            return self.random.choice(["on", "off"])
        if kind == "array":
            return [self.value(depth - 1) for _ in range(self.random.randint(0, 3))]
        return self.object(depth)

    def object(self, depth):
        count = self.random.randint(0, len(self.keys))
        members = [(key, self.value(depth - 1)) for key in self.random.sample(self.keys, count)]
        if members and self.random.random() < 0.1:
            members.append((members[0][0], self.value(depth - 1)))
        return dict_of(members)

    def feed(self):
        form = self.random.choice(["lines", "lines", "lines", "array", "members", "one", "deep", "wide", "repeated", "long", "empty"])
        count = self.random.choice([1, 2, 5, 60])
        if form == "deep":
            value, depth = Number("1"), self.random.choice([40, 63, 64, 65, 200, 480])
            for _ in range(depth):
                value = [value] if self.random.random() < 0.5 else dict_of([(self.keys[0], value)])
            return text(value) + "\n"
        if form == "wide":
            return text(dict_of([(f"{self.keys[0]}{n}", self.value(1)) for n in range(400)])) + "\n"
        if form == "long":
            return text(dict_of([("x", "y" * 100_000), ("z" * 60_000, None)])) + "\n"
        if form == "empty":
            return self.random.choice(["[]\n", "{}\n", "[[]]", "{}{}", '{"a":[]}', "null", '""', "0"])
        if form == "repeated":
            value = self.object(2)
            return (text(value) + "\n") * 60
        mixed = self.random.random() < 0.4
        records = [self.value(3) if mixed else self.object(3) for _ in range(count)]
        if form == "lines":
            return "".join(text(record) + "\n" for record in records)
        if form == "array":
            return text(records)
        if form == "one":
            return text(dict_of([(self.keys[0], records), ("n", Number("1"))]))
        return text(dict_of([(self.keys[0], dict_of([(f"m{n}", record) for n, record in enumerate(records)]))]))


class Members(list):
    """The members of an object; some may have the same key."""


def dict_of(members):
    return Members(members)


def text(value):
    if isinstance(value, Number):
        return value.text
    if isinstance(value, Members):
        return "{" + ",".join(f"{text(key)}:{text(one)}" for key, one in value) + "}"
    if isinstance(value, list):
        return "[" + ",".join(text(one) for one in value) + "]"
    return json.dumps(value, ensure_ascii=isinstance(value, str) and "\u0000" in value)


# The schema

def takes(schema, value):
    """Whether a JSON Schema takes a value; numbers are their texts."""
    if "enum" in schema and value not in schema["enum"]:
        return False
    if "type" in schema:
        types = schema["type"] if isinstance(schema["type"], list) else [schema["type"]]
        if not any(is_of(value, name) for name in types):
            return False
    if isinstance(value, dict):
        if any(key not in value for key in schema.get("required", [])):
            return False
        other = schema.get("additionalProperties", {})
        return all(takes(schema.get("properties", {}).get(key, other), one) for key, one in value.items())
    if isinstance(value, list):
        return all(takes(schema.get("items", {}), one) for one in value)
    return True


def is_of(value, name):
    if name == "null":
        return value is None
    if name == "boolean":
        return isinstance(value, bool)
    if name == "number":
        return isinstance(value, Number)
    if name == "integer":
        return isinstance(value, Number) and value.text.lstrip("-").isdigit()
    return isinstance(value, {"string": str, "array": list, "object": dict}[name])


def read(line):
    return json.loads(line, parse_int=Number, parse_float=Number)


# The command

class Check:
    def __init__(self, command, folder):
        self.command = command
        self.folder = folder

    def run(self, *arguments):
        result = subprocess.run([self.command, *arguments], cwd=self.folder, capture_output=True, timeout=120)
        return result.returncode, result.stdout.decode("utf-8", "replace"), result.stderr.decode("utf-8", "replace")

    def write(self, name, contents):
        with open(os.path.join(self.folder, name), "w", encoding="utf-8", newline="") as file:
            file.write(contents)

    def problem(self, feed):
        """What is wrong with the mapping or the schema of a feed; None if nothing is."""
        self.write("feed", feed)
        status, mapping, errors = self.run("infer", "feed")
        if status == 8:
            return None if "no records" in errors else f"infer: {errors}"
        if status or errors:
            return f"infer has status {status}: {errors}"
        self.write("m.yaml", mapping)
        status, _, errors = self.run("check", "m.yaml")
        if status:
            return f"the mapping is refused: {errors}\n{mapping}"
        status, output, errors = self.run("run", "-m", "m.yaml", "feed")
        if status or errors:
            return f"the run has status {status}: {errors}\n{mapping}"
        status, schema, errors = self.run("infer", "--schema", "feed")
        if status:
            return f"infer --schema has status {status}: {errors}"
        # The records as they are in the feed: by the mapping's place, copied.
        place = [line for line in mapping.split("\n") if line.startswith(("input:", "  records:"))]
        self.write("copy.yaml", "\n".join(["streammap: 1", *place, "record: $", ""]))
        status, records, errors = self.run("run", "-m", "copy.yaml", "feed")
        lines = records.split("\n")[:-1]
        if status or len(lines) != len(output.split("\n")[:-1]):
            return f"of {len(lines)} records {output.count(chr(10))} came out: {errors}\n{mapping}"
        schema = json.loads(schema)
        for line in lines:
            if not takes(schema, read(line)):
                return f"the schema does not take {line[:200]}\n{json.dumps(schema, indent=1)}"
        return self.problem_of_halves(lines)

    def problem_of_halves(self, lines):
        """What the mapping of each second record rejects of the others, although it is not new in kind; None if there is nothing."""
        half, others = lines[::2], lines[1::2]
        if not others:
            return None
        self.write("half", "\n".join(half) + "\n")
        self.write("others", "\n".join(others) + "\n")
        status, mapping, errors = self.run("infer", "--from", "ndjson", "half")
        if status == 8 and "no records" in errors:
            return None
        if status:
            return f"infer of a half has status {status}: {errors}"
        self.write("m.yaml", mapping)
        status, _, errors = self.run("-m", "m.yaml", "--from", "ndjson", "--errors", "reject", "--rejects", "rejects", "-o", "out", "others")
        if status not in (0, 1):
            return f"the run over the other half has status {status}: {errors}\n{mapping}"
        half = [read(line) for line in half]
        with open(os.path.join(self.folder, "rejects"), encoding="utf-8") as rejects:
            for reject in map(json.loads, rejects):
                record = read(reject["raw"])
                for error in reject["errors"]:
                    if not halves.is_new(half, record, error["path"], lambda number: number.text):
                        return f"of the other half {error} of {reject['raw'][:200]} is not new in kind\n{mapping}"
        return None


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--command", default=COMMAND, help="the built command (.build/debug/stream-map)")
    parser.add_argument("--feeds", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--first", type=int, default=0, help="the number of the first feed")
    options = parser.parse_args()
    sys.setrecursionlimit(5000)
    found = 0
    with tempfile.TemporaryDirectory() as folder:
        check = Check(os.path.abspath(options.command), folder)
        for number in range(options.first, options.first + options.feeds):
            feed = Drawn(f"{options.seed} {number}").feed()
            problem = check.problem(feed)
            if problem:
                found += 1
                if found <= 10:
                    print(f"feed {number} of seed {options.seed}: {problem[:1500]}\nfeed: {feed[:600]}\n")
    print(f"infer: {options.feeds} feeds, {found} with records that their mapping, that of their other half or their schema does not take")
    sys.exit(1 if found else 0)


if __name__ == "__main__":
    main()
