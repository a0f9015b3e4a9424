"""What the Python programs of the project share with its shell scripts (common.sh). It is imported, never run."""
import os
import pathlib
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
# The command of the debug build.
COMMAND = ROOT / ".build/debug/stream-map"


def skipped(what, why):
    """Says that something is not checked, and writes it down for the list that scripts/test ends with."""
    program = pathlib.Path(sys.argv[0]).resolve().relative_to(ROOT)
    print(f"{program}: {what} SKIPPED: {why}", file=sys.stderr)
    if path := os.environ.get("STREAMMAP_SKIPPED"):
        with open(path, "a") as file:
            print(f"{what}: {why}", file=file)
