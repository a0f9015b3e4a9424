#!/usr/bin/env python3
"""The cases of five Objective-C systems are covered, or different on purpose; --list prints each of them.

The cases are those of conformance/five-systems.jsonl in the folder that STREAMMAP_SHARED names. A test of a case is a
function whose name ends with its id, as in `a text becomes a number (HYD-017)`, in a folder FiveSystems of Tests; where what it holds is not what the old system did, its
comment begins with "Otherwise:" and says why. Each of those has a row in the migration guide. Fails where a case has no
test, or the guide and the tests differ.
"""
import json
import os
import pathlib
import re
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from house import ROOT, finish, skipped  # noqa: E402
GUIDE = ROOT / "Sources/StreamMap/StreamMap.docc/Migrating.md"
CASE = re.compile(r"(?P<comment>(?:[ \t]*///[^\n]*\n)*)(?:[ \t]*@Test[^\n]*\n)?"
                  r"[^\n]*\bfunc `[^`\n]*\((?P<id>(?:HYD|OHM|KZ|IC|EF)-\d+)\)`")
TEST_LIST = re.compile(r"@Test\(arguments: \[\n.*?\n  \]\)\n", re.S)


def tests():
    """The tests by the ids of their cases: the reason where they differ, else None."""
    found = {}
    for path in sorted(ROOT.glob("Tests/**/FiveSystems/*.swift")):
        # Lists of arguments stand between a test's comment and its function.
        text = TEST_LIST.sub("@Test\n", path.read_text())
        for match in CASE.finditer(text):
            comment = " ".join(" ".join(line.strip()[3:] for line in match["comment"].splitlines()).split())
            reason = comment.split("Otherwise:", 1)[1].strip() if "Otherwise:" in comment else None
            found[match["id"]] = reason
    return found


def cases():
    """The ids of the cases in their order; None if there is no shared data."""
    folder = os.environ.get("STREAMMAP_SHARED")
    if not folder:
        return None
    path = pathlib.Path(folder) / "conformance/five-systems.jsonl"
    if not path.exists():
        sys.exit(f"five-systems: {path} does not exist: STREAMMAP_SHARED names the wrong folder")
    return [json.loads(line)["id"] for line in path.read_text().splitlines() if line.strip()]


found = tests()
listed = set(re.findall(r"^\| `((?:HYD|OHM|KZ|IC|EF)-\d+)`", GUIDE.read_text(), re.M))
different = {case for case, reason in found.items() if reason}
problems = []
for case in sorted(different - listed):
    problems.append(f"{case} is different on purpose, but has no row in {GUIDE.name}")
for case in sorted(listed - different):
    problems.append(f"{case} has a row in {GUIDE.name}, but its test says no 'Otherwise:'")

ids = cases()
if ids is None:
    skipped("the list of the five systems' cases", "STREAMMAP_SHARED is not set: only the tests and the guide are compared")
    ids = sorted(found)
missing = [case for case in ids if case not in found]
for case in ids if "--list" in sys.argv[1:] else []:
    if case in missing:
        print(f"{case}  MISSING")
    elif found[case]:
        print(f"{case}  different: {found[case]}")
    else:
        print(f"{case}  covered")
problems += [f"{case} has no test" for case in missing]
count = len(different & set(ids))
finish("five systems", f"{len(ids)} cases, {len(ids) - count - len(missing)} covered and {count} different on purpose", problems)
