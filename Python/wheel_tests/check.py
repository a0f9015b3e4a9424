"""Looks at a wheel: check.py WHEEL. What PyPI and a system without compilers ask of it, and what else it promises."""

import pathlib
import re
import subprocess
import sys
import tempfile
import zipfile

from packaging.metadata import Metadata
from packaging.utils import parse_wheel_filename
from packaging.version import Version

ROOT = pathlib.Path(__file__).resolve().parents[2]
MOST_BYTES = 12_000_000
# What every system has that a manylinux tag names.
SYSTEM = re.compile(r"(libc|libm|libdl|libpthread|librt|libgcc_s|libstdc\+\+|ld-linux.*)\.so\.\d+")
# Swift's runtime is under one licence.
RUNTIME = re.compile(r"lib(swift|Foundation|_Foundation|dispatch|BlocksRuntime).*")
problems = []


def printed(*command):
    return subprocess.run([*map(str, command)], capture_output=True, text=True, check=True).stdout


def check(holds, problem):
    if not holds:
        problems.append(problem)


def newest(symbols, library):
    """The newest version of the C library that it asks for."""
    return max((Version(found) for found in re.findall(r"GLIBC_([0-9.]+)", symbols)), default=Version("2.0")), library


def check_library(path, libraries):
    name = path.name
    dynamic = printed("readelf", "-d", path)
    paths = re.findall(r"\((?:RUNPATH|RPATH)\).*\[(.*)\]", dynamic)
    check(paths in ([], ["$ORIGIN"]), f"{name} looks for libraries in {paths}")
    for needed in re.findall(r"\(NEEDED\).*\[(.*)\]", dynamic):
        check(needed in libraries or SYSTEM.fullmatch(needed), f"{name} needs {needed}, which is neither in the wheel nor in every system")
    # What debuggers read is no use there, and it is large.
    sections = re.findall(r"\s(\.(?:debug_\w+|symtab|swift_ast))\s", printed("readelf", "-SW", path))
    check(not sections, f"{name} has {', '.join(sections)}")


def check_tags(wheel, text, paths):
    name, version, _, tags = parse_wheel_filename(wheel.name)
    platforms = {tag.platform for tag in tags}
    check({(tag.interpreter, tag.abi) for tag in tags} == {("py3", "none")}, f"it is not for any Python 3: {wheel.name}")
    check(sorted(re.findall(r"^Tag: (.*)$", text, re.M)) == sorted(map(str, tags)), "its name and its own file have other tags")
    check("Root-Is-Purelib: false" in text, "it says that it is of no system")
    for platform in platforms:
        match = re.fullmatch(r"manylinux_(\d+)_(\d+)_(x86_64|aarch64)", platform)
        check(match, f"PyPI takes no tag {platform}")
        oldest = Version(f"{match[1]}.{match[2]}") if match else Version("0")
        asked, by = max(newest(printed("objdump", "-T", path) + printed("readelf", "-V", path), path.name) for path in paths)
        # Relocations that are packed need a loader of glibc 2.36.
        if any("(RELR)" in printed("readelf", "-d", path) for path in paths):
            asked, by = max((asked, by), (Version("2.36"), "packed relocations"))
        check(asked <= oldest, f"{by} asks for glibc {asked}, and the tag says {oldest}")
    return name, version


def check_metadata(text, name, version):
    metadata = Metadata.from_email(text, validate=True)
    told = re.search(r'"(.*)"', (ROOT / "Python/src/streammap/_version.py").read_text())[1]
    check((metadata.name, str(metadata.version), name, str(version)) == ("streammap", told, "streammap", told), "its version is another one")
    check(str(metadata.requires_python) == ">=3.9", f"it is for Python {metadata.requires_python}")
    check(metadata.license_expression == "MIT", f"its licence is {metadata.license_expression}")
    check(any(str(one).startswith("pyarrow") for one in metadata.requires_dist or []), "it does not ask for pyarrow")
    check({"Homepage", "Changelog"} <= set(metadata.project_urls or {}), "it does not say where the project is")
    # Its page on PyPI stands by itself.
    for link in re.findall(r"\]\(([^)#]+)", metadata.description or ""):
        check(link.startswith("https://"), f"the description has a link to {link}, which leads nowhere from PyPI")
        inside = re.fullmatch(r"https://.*/(?:blob|tree)/main/(.*)", link)
        check(not inside or (ROOT / inside[1]).exists(), f"the description has a link to {link}, which does not exist")


def main():
    wheel = pathlib.Path(sys.argv[1])
    size = wheel.stat().st_size
    check(size <= MOST_BYTES, f"it has {size / 1e6:.1f} MB, at most {MOST_BYTES / 1e6:.0f}")
    with tempfile.TemporaryDirectory() as folder, zipfile.ZipFile(wheel) as archive:
        archive.extractall(folder)
        root = pathlib.Path(folder)
        (info,) = root.glob("*.dist-info")
        paths = sorted((root / "streammap/lib").iterdir())
        libraries = [path.name for path in paths]
        for path in paths:
            check_library(path, libraries)
        header = (ROOT / "Sources/CStreamMap/include/streammap.h").read_text()
        shown = printed("nm", "-Dg", "--defined-only", root / "streammap/lib/libstreammap.so")
        names = {line.split()[2].split("@")[0] for line in shown.splitlines() if line.split()[1] != "A"}
        check(names == set(re.findall(r"(streammap_[a-z_]*)\(", header)), f"the library shows other functions than its header: {names}")
        name, version = check_tags(wheel, (info / "WHEEL").read_text(), paths)
        check_metadata((info / "METADATA").read_bytes(), name, version)
        licences = [path.stem.replace("-", "") for path in info.rglob("licenses/*.txt") if path.stat().st_size > 500]
        for library in {"swift" if RUNTIME.match(name) else re.match(r"lib([a-z]+2?)", name)[1] for name in libraries}:
            # Debian calls zlib so, too.
            check(any(library in licence or f"{library}lib" in licence for licence in licences), f"there is no licence of {library}")
        modules = {path.relative_to(root).as_posix() for path in root.glob("streammap/*.py")}
        source = {f"streammap/{path.name}" for path in (ROOT / "Python/src/streammap").glob("*.py")}
        check(modules == source and (root / "streammap/py.typed").exists(), f"its modules are others than those of the source: {modules ^ source}")
    for problem in problems:
        print(f"{wheel.name}: {problem}", file=sys.stderr)
    print(f"{wheel.name}: {size / 1e6:.1f} MB, {len(libraries)} libraries, {len(problems)} problems")
    sys.exit(bool(problems))


main()
