#!/usr/bin/env python3
"""Compares a built command with what mapping files mean to a program of its own.

    scripts/test oracle [--command PATH] [--records N] [--seed S] [--jobs 2]

Draws random mapping files and feeds that are mostly valid for them, runs the command on each, and computes every record again.
Prints the first differences, made small, and what was drawn. The status is 1 after a difference.
"""
import argparse
import json
import multiprocessing
import os
import random
import re
import subprocess
import sys
import tempfile
import time
import traceback
from collections import Counter

FOLDER = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [FOLDER, os.path.join(FOLDER, "../../scripts")]

import feed_meaning
import jsontext
from common import COMMAND
from feed_meaning import DROPPED, MAPPED, REJECTED, Document, Mapping
from feeds import Feed
from mappings import Maker
from scalars import Maybe

DOCUMENTS = 400
ERRORS_KEPT = 100


class Case:
    """A mapping file with those that it uses, documents, and options of the command."""

    def __init__(self, spec, files, documents, options, arguments, framing):
        self.spec = spec
        # Mapping files that it uses, and tables, by their names.
        self.files = files
        self.documents = documents
        self.options = options
        # What `--set` gives.
        self.arguments = arguments
        # How the documents follow each other; on several lines, all are well-formed.
        self.framing = framing

    def with_documents(self, documents):
        return Case(self.spec, self.files, documents, self.options, self.arguments, self.framing)

    # MARK: What is right

    def expected(self):
        def read(spec):
            return jsontext.parse(json.dumps(spec))
        used = {name: read(json.loads(self.files[f"{name}.map.json"])) for name in self.spec.get("use", {})}
        mapping = Mapping(read(self.spec), used, "feed.ndjson", self.arguments)
        documents, offset, line = [], 0, 1
        for text in self.documents:
            documents.append(Document(text, line, offset + len(text) - len(text.lstrip(" \t"))))
            offset += len(text.encode()) + 1
            line += text.count("\n") + 1
        return mapping.outcomes(documents)

    # MARK: What the command does

    def write(self, folder):
        feed = "".join(text + "\n" for text in self.documents)
        for name, text in {**self.files, "m.map.json": json.dumps(self.spec), "feed.ndjson": feed}.items():
            with open(f"{folder}/{name}", "wb") as file:
                file.write(text.encode())

    def run(self, command, folder):
        """The status, the lines of the output, the rejects and what was said."""
        self.write(folder)
        rejects = f"{folder}/rejects.ndjson"
        if os.path.exists(rejects):
            os.remove(rejects)
        result = subprocess.run(
            [command, "-m", "m.map.json", "--from", self.framing, "--errors", "reject", "--rejects", "rejects.ndjson", "--no-raw",
             *self.options, *[part for name, text in self.arguments.items() for part in ("--set", f"{name}={text}")],
             "feed.ndjson"], cwd=folder, capture_output=True)
        told = []
        if os.path.exists(rejects):
            with open(rejects, "rb") as file:
                told = [json.loads(line) for line in file]
        return result.returncode, result.stdout.decode().split("\n")[:-1], told, result.stderr.decode(errors="replace")

    # MARK: The difference

    def difference(self, command, folder, tally=None):
        """What is not as it has to be, as a text; None if all is right. Throws Invalid where the command refuses the file."""
        status, output, rejects, said = self.run(command, folder)
        if status == 3:
            raise Invalid(said)
        if status not in (0, 1, 8):
            return f"status {status}: {said[:500]}"
        output, rejects, number = iter(output), iter(rejects), 0
        for outcome, value, is_record in self.expected():
            number += is_record
            if tally is not None:
                tally[outcome] += 1
            if outcome == MAPPED:
                rows = value.split("\n")
                found = "\n".join(row for row in (next(output, None) for _ in rows) if row is not None)
                if found != value:
                    return f"record {number}\nexpected {value}\nfound    {found}"
            elif outcome == REJECTED:
                reject = next(rejects, None)
                told = reject and sorted({(error.get("path"), error["code"]) for error in reject["errors"]})
                if reject is None or is_record and reject.get("record") != number:
                    return f"record {number} is not rejected: {value}\nrejected next: {reject}"
                if value is feed_meaning.TEXT_CODES:
                    if not set(code for _, code in told) <= value:
                        return f"record {number}\nexpected a malformed text\nfound    {told}"
                elif len(value) <= ERRORS_KEPT:
                    # Several errors may have one path and code. So more than are kept may be few different ones.
                    sure = set() if reject.get("omitted") else {error for error in value if type(error) is not Maybe}
                    if not sure <= set(told) <= set(value):
                        more = sorted(set(value) - sure)
                        return (f"record {number}\nexpected {sorted(sure)}" + (f", and of {more}" if more else "")
                                + f"\nfound    {told}")
        left = next(output, None) or next(rejects, None)
        return f"more than was expected: {left}" if left is not None else None


class Invalid(Exception):
    """The command refuses the mapping file."""


# MARK: Small differences

def smaller_values(value):
    """Values that have less than a value of JSON."""
    if isinstance(value, dict):
        for key in value:
            yield {other: inner for other, inner in value.items() if other != key}
        for key in value:
            for inner in smaller_values(value[key]):
                yield {**value, key: inner}
    elif isinstance(value, list):
        for i in range(len(value)):
            yield value[:i] + value[i + 1:]
        for i in range(len(value)):
            for inner in smaller_values(value[i]):
                yield value[:i] + [inner] + value[i + 1:]


def smaller_texts(text):
    """Texts of JSON that have less than one."""
    try:
        value = jsontext.parse(text)
    except jsontext.Malformed:
        return

    def less(value):
        if type(value) is jsontext.Object:
            for i, (key, member) in enumerate(value.pairs):
                yield jsontext.Object(value.pairs[:i] + value.pairs[i + 1:])
            for i, (key, member) in enumerate(value.pairs):
                for inner in less(member):
                    yield jsontext.Object(value.pairs[:i] + [(key, inner)] + value.pairs[i + 1:])
        elif type(value) is list:
            for i in range(len(value)):
                yield value[:i] + value[i + 1:]
            for i in range(len(value)):
                for inner in less(value[i]):
                    yield value[:i] + [inner] + value[i + 1:]
    for inner in less(value):
        yield jsontext.write(inner)


def differs(case, command, folder):
    if case.framing != "ndjson" and not all(map(is_good, case.documents)):
        return None
    try:
        return case.difference(command, folder)
    except Exception:
        # A smaller mapping file that is none.
        return None


def is_good(text):
    try:
        jsontext.parse(text)
    except jsontext.Malformed:
        return False
    return True


def on_lines(text, rng):
    """The text with line breaks where white space may be."""
    share = rng.choice([0.1, 0.5, 1, 1])
    spaces = rng.choice(["", "  ", "\t", "        "])
    parts = []
    for part in re.split(r'("(?:[^"\\]|\\.)*"|[\[\]{},:])', text):
        parts.append(part)
        if part.strip() and rng.random() < share:
            parts.append("\n" + spaces)
    return "".join(parts).strip()


def made_small(case, command, folder, seconds=8):
    """The same kind of difference with fewer documents, keys and members."""
    end = time.monotonic() + seconds
    documents = case.documents
    # A part of the documents, by halves, as long as there is one that differs.
    while len(documents) > 1 and time.monotonic() < end:
        half = len(documents) // 2
        part = next((part for part in (documents[:half], documents[half:])
                     if differs(case.with_documents(part), command, folder)), None)
        if part is None:
            break
        documents = part
    case = case.with_documents(documents)
    changed = True
    while changed and time.monotonic() < end:
        changed = False
        candidates = [Case(spec, case.files, case.documents, case.options, case.arguments, case.framing)
                  for spec in smaller_values(case.spec)
                      if spec.get("streammap") and spec.get("record")]
        candidates += [case.with_documents(documents) for documents in smaller_values(case.documents) if documents]
        candidates += [case.with_documents([text]) for text in (
            smaller_texts(case.documents[0]) if len(case.documents) == 1 else ())]
        for candidate in candidates:
            if time.monotonic() > end:
                break
            if differs(candidate, command, folder):
                case, changed = candidate, True
                break
    return case


# MARK: The run

def drawn(seed, number):
    """The case of a number, and what was drawn for it."""
    rng = random.Random(f"{seed} {number}")
    maker = Maker(rng)
    spec = maker.mapping()
    feed = Feed(maker, rng)
    count = DOCUMENTS if maker.documents is None else DOCUMENTS // 2
    options = rng.choice([[], [], ["--jobs", "2"], ["--parser", "index"], ["--parser", "yajl"]])
    files = {f"{name}.map.json": json.dumps(used) for name, (used, _) in maker.uses.items()}
    documents, framing = feed.documents(count), "ndjson"
    if rng.random() < 0.3:
        # A document on several lines is no line, and a malformed one would end the feed.
        documents, framing = [on_lines(text, rng) for text in documents if is_good(text)], "concat"
        maker.tally["on several lines"] += 1
    return Case(spec, {**files, **maker.tables}, documents, options, maker.arguments, framing), maker.tally


def work(arguments):
    command, seed, number = arguments
    case, keys = drawn(seed, number)
    tally = Counter()
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        try:
            found = case.difference(command, folder, tally)
        except Invalid as refused:
            return number, Counter(), tally, "refused", str(refused)
        except Exception:
            return number, keys, tally, "differs", json.dumps(case.spec) + "\n" + traceback.format_exc(limit=-3)
        if found:
            small = made_small(case, command, folder)
            texts = [json.dumps(small.spec, ensure_ascii=False)]
            texts += [f"{name}: {text}" for name, text in small.files.items()
                      if f'"{name}"' in texts[0] or f'"./{name}"' in texts[0]]
            texts.append(" ".join(small.options + [f"--set {name}={text}" for name, text in small.arguments.items()]))
            texts += small.documents[:5] + [differs(small, command, folder) or found]
            return number, keys, tally, "differs", "\n".join(texts)
    return number, keys, tally, None, ""


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--command", default=COMMAND, help="the built command (.build/debug/stream-map)")
    parser.add_argument("--records", type=int, default=100_000, help="how many records, at least (100,000)")
    parser.add_argument("--seconds", type=float, help="instead of a number of records")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=1, choices=(1, 2), help="processes")
    parser.add_argument("--first", type=int, default=0, help="the number of the first mapping, to see one again")
    parser.add_argument("--differences", type=int, default=5, help="stop after so many (5)")
    given = parser.parse_args()
    command = os.path.abspath(given.command)
    started = time.monotonic()
    keys, tally, mappings, refused, differing = Counter(), Counter(), 0, 0, 0

    def numbers():
        number = given.first
        while True:
            yield command, given.seed, number
            number += 1
    with multiprocessing.Pool(given.jobs) as pool:
        for number, drawn_keys, outcomes, verdict, text in pool.imap(work, bounded(numbers(), pool, given)):
            mappings += 1
            keys += drawn_keys
            tally += outcomes
            if verdict == "refused":
                refused += 1
                if refused <= given.differences:
                    print(f"oracle: the command refuses mapping {number} of seed {given.seed}:\n{text[:500]}",
                          file=sys.stderr)
            if verdict == "differs":
                differing += 1
                print(f"oracle: mapping {number} of seed {given.seed} differs:\n{text}\n", flush=True)
            spent = time.monotonic() - started > given.seconds if given.seconds else sum(tally.values()) >= given.records
            if spent or differing >= given.differences:
                pool.terminate()
                break
    total = sum(tally.values())
    print("oracle: keys drawn: " + ", ".join(f"{key} {count}" for key, count in sorted(keys.items())))
    print(f"oracle: {total} records by {mappings} mappings in {time.monotonic() - started:.0f} s, seed {given.seed}: "
          f"{tally[MAPPED]} mapped, {tally[REJECTED]} rejected, {tally[DROPPED]} dropped; {refused} mappings refused, "
          f"{differing} differ")
    return 1 if differing or refused else 0


def bounded(numbers, pool, given):
    """As many as are asked for; the pool would take all numbers there are."""
    for _, number in zip(range(given.records // 200 + 1 if not given.seconds else 10 ** 6), numbers):
        yield number


if __name__ == "__main__":
    sys.exit(main())
