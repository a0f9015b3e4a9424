#!/usr/bin/env python3
"""Where the project is hosted stands in .github/host, and what names it names the same; other values reach all places."""
import pathlib
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from house import ROOT, finish, named, project_files  # noqa: E402

sys.path.insert(0, str(ROOT / "Packaging"))
import host  # noqa: E402

# Files that have to name a value.
PLACES = {"address": ["README.md"], "owners": [".github/CODEOWNERS"], "contact": ["CODE_OF_CONDUCT.md"]}
OTHER = {"address": "https://git.example/acme/feeds", "owners": "@acme/feeds @ann", "contact": "feeds@acme.example"}
values = host.values()
problems = [f"{name} does not name the {key} of .github/host" for key, names in PLACES.items() for name in names
            if values[key] not in (ROOT / name).read_text()]
problems += [f".github/host: {key}={value} is not one such as {host.EXAMPLES[key]}" for key, value in values.items()
             if not host.re.fullmatch(host.FORMS[key], value)]


def texts(root, files):
    for path in files:
        try:
            yield path.relative_to(root).as_posix(), path.read_text()
        except UnicodeDecodeError:
            pass


# In a copy, another host reaches all places, and none of the old ones is left.
with tempfile.TemporaryDirectory() as folder:
    copy = pathlib.Path(folder)
    files = [copy / named(path) for path in project_files()]
    for path in files:
        path.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(ROOT / path.relative_to(copy), path)
    before = dict(texts(copy, files))
    for command in (["git", "init", "--quiet"], ["git", "add", "--all"],
                    [sys.executable, "Packaging/host.py", OTHER["address"], "--owners", OTHER["owners"], "--contact", OTHER["contact"]]):
        subprocess.run(command, cwd=copy, check=True, capture_output=True)
    for name, text in texts(copy, files):
        for key, value in values.items():
            if before[name].count(value) != text.count(OTHER[key]) - before[name].count(OTHER[key]):
                problems.append(f"{name}: scripts/release --host does not put the {key} where it was")
        if "Not hosted yet" in text and name in host.UNTIL:
            problems.append(f"{name}: scripts/release --host leaves that nothing is hosted")

finish("host", f"{len(files)} files", problems)
