#!/usr/bin/env python3
"""Other readers of YAML read the example mapping files and the blocks of the guides, too: PyYAML does."""
import os
import pathlib
import re
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from house import ROOT, finish, named, project_files, skipped  # noqa: E402

try:
    import yaml
except ImportError:
    # Where scripts/setup --checks put the modules that tests need.
    own = ROOT / ".build-python/bin/python"
    if own.exists() and not os.environ.get("STREAMMAP_OWN_PYTHON"):
        os.environ["STREAMMAP_OWN_PYTHON"] = "1"
        os.execv(own, [str(own), __file__])
    skipped("YAML", "PyYAML is not there: scripts/setup --checks installs it")
    sys.exit(0)

FOLDERS = ("Examples/", "Tests/CommandLineTests/Mappings/")
problems = []
count = 0


def read(text, place, line=0):
    global count
    count += 1
    try:
        list(yaml.safe_load_all(text))
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        at = line + mark.line + 1 if mark else line + 1
        problems.append(f"{place}:{at}: PyYAML cannot read this ({getattr(error, 'problem', error)}); quote what has a sign of YAML in it")


for path in project_files():
    name = named(path)
    if name.startswith(FOLDERS) and path.suffix in (".yaml", ".yml"):
        read(path.read_text(), name)
    elif path.suffix == ".md":
        text = path.read_text()
        for block in re.finditer(r"^```yaml\n(.*?)^```", text, re.M | re.S):
            read(block[1], name, text[: block.start(1)].count("\n"))

finish("yaml", f"{count} files and blocks", problems)
