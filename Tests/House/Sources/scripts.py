#!/usr/bin/env python3
"""There are at most 15 scripts, all begin alike, and no text names one that does not exist.

A command in a text is one between backquotes, or in a block of code of a guide; in a script or a workflow, a line without comments.
"""
import pathlib
import re
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from house import ROOT, finish, named, project_files  # noqa: E402

MOST = 15
problems = []
files = project_files()
commands = [path for path in files if path.parent == ROOT / "scripts" and not path.suffix]
if len(commands) > MOST:
    problems.append(f"scripts: {len(commands)} commands, at most {MOST}: let one take a new part or option")


def parts(command):
    """The parts of scripts/check and scripts/test, as they name them to those who ask for help."""
    text = subprocess.run([ROOT / "scripts" / command, "--help"], capture_output=True, text=True, check=True).stdout
    return set(re.findall(r"^  ([a-z][a-z-]*) +[A-Z]", text.split("\nParts:\n")[1], re.M))


# A group of parts goes by a name, too.
known = {"check": parts("check") | {"sources"}, "test": parts("test")}


def mistake(words):
    """What is wrong with a command `scripts/…`, if anything is."""
    name, *arguments = words.split()
    if not (ROOT / name).exists():
        return f"there is no {name}"
    part = arguments[0] if arguments else "-"
    if (have := known.get(name.removeprefix("scripts/"))) and re.fullmatch(r"[a-z][a-z-]*", part) and part not in have:
        return f"{name} has no part '{part}'"


for path in files:
    try:
        text = path.read_text()
    except UnicodeDecodeError:
        continue
    shell = text.startswith("#!/usr/bin/env bash")
    # Builds are repeatable only with what common.sh sets, and --help works by it. What .ci has only calls scripts/test.
    if shell and path.parent.name != ".ci" and not re.search(r'^source "\$\(dirname "\$0"\)/(?:\.\./)*(?:scripts/)?common\.sh"$', text, re.M):
        problems.append(f"{named(path)}: does not begin with scripts/common.sh")
    if shell or path.suffix == ".yml":
        found = re.findall(r"^(?! *#).*?(?<![\w/.-])(scripts/[a-z][\w.-]*(?: [\w-]+)?)", text, re.M)
    else:
        found = re.findall(r"`(scripts/[a-z][^`\n]*)`", text)
        for block in re.findall(r"^```(?:sh|console)?\n(.*?)^```|((?:^    .*\n)+)", text, re.M | re.S) if path.suffix == ".md" else []:
            found += re.findall(r"^[ $]*(scripts/[a-z][^#\n]*)", "".join(block), re.M)
    for words in found:
        # An example that is a package has scripts of its own.
        own = any((folder / words.split()[0]).exists() for folder in path.parents if ROOT in folder.parents)
        if not own and (wrong := mistake(words)):
            problems.append(f"{named(path)}: {wrong}")

finish("scripts", f"{len(commands)} commands and {len(files)} files", problems)
