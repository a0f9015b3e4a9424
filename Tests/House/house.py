"""What the checks of the house share."""
import pathlib
import re
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "scripts"))
from common import ROOT, skipped  # noqa: E402, F401


def named(path):
    """A path as messages name it."""
    return path.relative_to(ROOT).as_posix()


def swift_files(*folders):
    return sorted(path for folder in folders for path in (ROOT / folder).rglob("*.swift"))


def code(path):
    """A Swift file without comments and string literals."""
    text = path.read_text()
    text = re.sub(r'"""(?:.|\n)*?"""', '""', text)
    text = re.sub(r'"(?:\\.|[^"\\\n])*"', '""', text)
    return re.sub(r"//[^\n]*", "", text)


def project_files():
    """The files that git has, or would take: no builds, and nothing that is fetched."""
    names = subprocess.run(["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
                           cwd=ROOT, capture_output=True, text=True, check=True).stdout.split("\0")
    return sorted(path for name in set(names) if name and (path := ROOT / name).is_file())


def module_flags(build):
    """What the compiler needs to find the modules of a build."""
    places = [build / "Modules", *(path.parent for path in (ROOT / "Sources").glob("*/module.modulemap")),
              *(ROOT / "Sources").glob("*/include")]
    flags = [f"-I{place}" for place in places]
    # Modules of C that have no map of their own have one that the build made.
    for made in build.glob("C*.build/module.modulemap"):
        flags += ["-Xcc", f"-fmodule-map-file={made}"]
    return flags


def finish(title, figures, problems):
    """Names the problems on standard error, sums up, and ends the check."""
    for problem in problems:
        print(problem, file=sys.stderr)
    print(f"{title}: {figures}, {len(problems)} problems", flush=True)
    sys.exit(1 if problems else 0)
