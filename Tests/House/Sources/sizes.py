#!/usr/bin/env python3
"""A file has at most 500 lines: one concept, one file."""
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from house import finish, named, project_files  # noqa: E402

LONGEST = 500
KINDS = {".swift", ".c", ".h", ".py", ".sh"}


def is_program(path):
    with open(path, "rb") as file:
        return path.suffix in KINDS or (path.suffix == "" and file.read(2) == b"#!")


files = [path for path in project_files() if is_program(path)]
problems = []
for path in files:
    count = len(path.read_text().splitlines())
    if count > LONGEST:
        problems.append(f"{named(path)}: {count} lines, at most {LONGEST}")

finish("sizes", f"{len(files)} files", problems)
