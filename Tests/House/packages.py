#!/usr/bin/env python3
"""The packages that depend on this one still compile: fuzzers and examples, which the gate does not build.

It type-checks each of their targets against the modules of the build (`swift build` first), by the manifest of the package. A target that
imports what is not in this build, such as a server, is left to `scripts/test package --all` and `scripts/test service`.
--build FOLDER looks at another build than `.build/debug`.
"""
import argparse
import pathlib
import re
import shutil
import subprocess
import tempfile

from house import ROOT, finish, module_flags, named, project_files, skipped  # noqa: E402
PLUGIN = "StreamMapMacrosPlugin"


def c_modules(sources, folder):
    """Flags for the targets in C of a package: each gets a map, as SwiftPM makes it."""
    flags = []
    for headers in sorted(sources.glob("*/include")):
        name = headers.parent.name
        place = folder / f"{name}.modulemap"
        place.write_text(f'module {name} {{ umbrella "{headers}" export * }}\n', encoding="utf-8")
        flags += ["-Xcc", f"-fmodule-map-file={place}", "-Xcc", f"-I{headers}"]
    return flags


def checked(target, flags, tool):
    """What the compiler says about the target; nothing if it compiles. None if it needs modules that are not in this build."""
    files = sorted(str(path) for path in target.rglob("*.swift"))
    alone = [] if any(pathlib.Path(name).name == "main.swift" for name in files) else ["-parse-as-library"]
    run = subprocess.run(["swiftc", "-typecheck", "-swift-version", "6", "-module-name", re.sub(r"\W", "_", target.name), *alone, *flags,
                          "-load-plugin-executable", f"{tool}#{PLUGIN}", *files], capture_output=True, text=True, check=False)
    if run.returncode == 0:
        return []
    missing = set(re.findall(r"error: no such module '(\w+)'", run.stderr))
    ours = {path.name for path in (ROOT / "Sources").iterdir()}
    if missing and not missing & ours:
        return None
    return [line for line in run.stderr.splitlines() if re.match(r"\S+:\d+:\d+: error:", line)] or [f"{named(target)}: {run.stderr.strip()}"]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=pathlib.Path, metavar="FOLDER", default=ROOT / ".build/debug")
    build = parser.parse_args().build
    if shutil.which("swiftc") is None or not (build / "Modules").is_dir():
        skipped("packages beside this one", f"swiftc is not on the path, or there is no build in {build}")
        return
    problems, good, left = [], 0, []
    for manifest in project_files():
        sources = manifest.parent / "Sources"
        if manifest.name != "Package.swift" or manifest.parent == ROOT:
            continue
        with tempfile.TemporaryDirectory() as folder:
            flags = module_flags(build) + c_modules(sources, pathlib.Path(folder))
            for target in sorted(path for path in sources.iterdir() if any(path.rglob("*.swift"))):
                found = checked(target, flags, build / f"{PLUGIN}-tool")
                if found is None:
                    left.append(target.name)
                else:
                    good += not found
                    problems += found
    if good == 0 and not problems:
        problems.append("no target could be checked")
    figures = f"{good} targets compile" + (f", {', '.join(left)} need more packages" if left else "")
    finish("packages beside this one", figures, problems)


if __name__ == "__main__":
    main()
