#!/usr/bin/env python3
"""No file lies in the project by mistake: beside the folders are only known files, nothing is what a tool fetched or built, and nothing is a link,
which some systems and archives do not keep."""
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from house import finish, named, project_files  # noqa: E402

TOP = set(""".editorconfig .gitignore .spi.yml .swift-format ARCHITECTURE.md CHANGELOG.md CODE_OF_CONDUCT.md CONTRIBUTING.md DECISIONS.md LICENSE
    Package.swift README.md SECURITY.md""".split())
MADE = {".deb", ".whl", ".o", ".a", ".so", ".dylib", ".out", ".orig", ".rej"}

files = project_files()
problems = []
for path in files:
    name = named(path)
    if "/" not in name and name not in TOP:
        problems.append(f"{name}: a new file beside the folders belongs in TOP of {named(pathlib.Path(__file__).resolve())}, or is a mistake")
    elif path.is_symlink():
        problems.append(f"{name}: a symbolic link: name the file itself where it is used")
    elif path.suffix in MADE:
        problems.append(f"{name}: made or fetched by a tool")
finish("strays", f"{len(files)} files", problems)
