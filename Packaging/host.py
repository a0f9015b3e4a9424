#!/usr/bin/env python3
"""Puts where the project is hosted into all files that name it: scripts/release --host ADDRESS --owners ACCOUNTS --contact ADDRESS.

`.github/host` has the values of now. Each place that has one of them gets the new one, this file included; what says that nothing is hosted
yet goes. It may be run again with other values.
"""
import argparse
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
FILE = ROOT / ".github/host"
# Paragraphs that say that nothing is hosted yet.
UNTIL = {"README.md": r"^\*Not hosted yet:\*.*?\n\n", ".github/host": r"^# Nothing is hosted yet.*?\n"}
# The form of each value.
FORMS = {
    "address": r"https://[a-z0-9.-]+(?:/[\w.-]+)+",
    "owners": r"@[\w-]+(?:/[\w-]+)?(?: @[\w-]+(?:/[\w-]+)?)*",
    "contact": r"[\w.+-]+@[\w-]+(?:\.[\w-]+)+",
}
EXAMPLES = {"address": "https://github.com/acme/streammap", "owners": "'@acme/feeds @ann'", "contact": "feeds@acme.example"}


def values():
    return dict(re.findall(r"^(\w+)=(.*)$", FILE.read_text(), re.M))


def put(new):
    """Replaces the values; gives the names of the files that changed."""
    old = values()
    names = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=True).stdout.split("\0")
    changed = []
    for name in filter(None, names):
        path = ROOT / name
        try:
            text = path.read_text()
        except (UnicodeDecodeError, OSError):
            continue
        # All at once: a new value may contain an old one of another kind.
        pattern = "|".join(re.escape(value) for value in sorted(old.values(), key=len, reverse=True))
        by_value = {value: key for key, value in old.items()}
        result = re.sub(pattern, lambda match: new[by_value[match[0]]], text)
        if name in UNTIL:
            result = re.sub(UNTIL[name], "", result, flags=re.M | re.S)
        if result != text:
            path.write_text(result)
            changed.append(name)
    return changed


def main():
    parser = argparse.ArgumentParser(prog="scripts/release --host", add_help=False, usage="%(prog)s ADDRESS --owners ACCOUNTS --contact ADDRESS")
    parser.add_argument("address")
    parser.add_argument("--owners", required=True)
    parser.add_argument("--contact", required=True)
    new = vars(parser.parse_args())
    new["address"] = new["address"].rstrip("/")
    for key, value in new.items():
        if not re.fullmatch(FORMS[key], value):
            sys.exit(f"host: {key}: '{value}' is not one such as {EXAMPLES[key]}")
    for name in put(new):
        print(name)


if __name__ == "__main__":
    main()
