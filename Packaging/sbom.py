#!/usr/bin/env python3
"""Says what is in the command: sbom.py BINARY VERSION SBOM LICENCES. SBOM is SPDX 2.3 as JSON, LICENCES the texts of all licences.

What is inside are Swift's own libraries, the packages of Package.resolved that the command uses, and the libraries whose archives
scripts/build found (.build/archives). What it is only linked to is in the SBOM, too. It fails where a text is not found: a
release without it may not be given away. The libraries that it is linked to go into the image, so LICENCES has their texts as well.
"""
import datetime
import hashlib
import json
import pathlib
import re
import shutil
import subprocess
import sys

from host import values
from tree import EPOCH

ROOT = pathlib.Path(__file__).resolve().parent.parent
# The archives by the names of scripts/build: what each is, and its licence as SPDX names it.
LIBRARIES = {
    "yajl": ("yajl", "ISC"),
    "yaml": ("libyaml", "MIT"),
    "sodium": ("libsodium", "ISC"),
    "re2": ("RE2", "BSD-3-Clause"),
    "z": ("zlib", "Zlib"),
    "zstd": ("zstd", "BSD-3-Clause OR GPL-2.0-only"),
    "lzma": ("liblzma", "LicenseRef-public-domain"),
    "bz2": ("bzip2", "bzip2-1.0.6"),
    "sqlite3": ("SQLite", "blessing"),
    "stdc++": ("libstdc++", "GPL-3.0-or-later WITH GCC-exception-3.1"),
}
# The packages that are compiled into the command; others in Package.resolved belong to other products.
PACKAGES = {"swift-argument-parser": "Apache-2.0 WITH Swift-exception"}
PUBLIC_DOMAIN = "The authors have put this into the public domain."


def output(*arguments):
    return subprocess.run(arguments, capture_output=True, text=True, check=True).stdout.strip()


def owner(path):
    """The package of the system that a file belongs to, with its version; nothing where dpkg does not know."""
    if not shutil.which("dpkg-query"):
        return None, "NOASSERTION"
    for name in {str(path), str(path.resolve()), re.sub("^/usr/lib/", "/lib/", str(path.resolve()))}:
        found = subprocess.run(["dpkg-query", "-S", name], capture_output=True, text=True).stdout
        if package := found.split(": ")[0]:
            return package, output("dpkg-query", "-W", "-f", "${Version}", package)
    return None, "NOASSERTION"


def text_of(package):
    """The licence of a package of the system."""
    path = pathlib.Path("/usr/share/doc") / (package or "").split(":")[0] / "copyright"
    return path.read_text() if package and path.exists() else None


def swift():
    """Swift's own libraries: the version, and the licence beside the compiler."""
    version = re.search(r"Swift version (\S+)", output("swift", "--version"))[1]
    usr = pathlib.Path(shutil.which("swift")).resolve().parents[1]
    text = next((path.read_text() for path in usr.glob("share/**/LICENSE.txt") if "swift" in str(path)), None)
    return "Swift", version, "Apache-2.0 WITH Swift-exception", text


def inside():
    """What is in the command besides the project: name, version, licence and its text."""
    # On macOS they are part of the system.
    if sys.platform != "darwin":
        yield swift()
    pins = json.loads((ROOT / "Package.resolved").read_text())["pins"]
    for pin in pins:
        if licence := PACKAGES.get(pin["identity"]):
            path = ROOT / ".build/checkouts" / pin["identity"] / "LICENSE.txt"
            yield pin["identity"], pin["state"]["version"], licence, path.read_text() if path.exists() else None
    for path in sorted((ROOT / ".build/archives").glob("lib*.a")):
        name, licence = LIBRARIES[path.name.removeprefix("lib").removesuffix(".a")]
        package, version = owner(path.resolve())
        yield name, version, licence, text_of(package)


def linked(binary):
    """The shared libraries that the command is linked to, by the packages that they belong to."""
    found = {}
    for path in re.findall(r"=> (/\S+) \(0x", output("ldd", binary)) if shutil.which("ldd") else []:
        package, version = owner(pathlib.Path(path))
        found[(package or pathlib.Path(path).name).split(":")[0]] = version
    return sorted(found.items())


def identifier(name):
    return "SPDXRef-" + re.sub(r"[^A-Za-z0-9.]+", "-", name)


def package(name, version, licence):
    return {"SPDXID": identifier(name), "name": name, "versionInfo": version, "downloadLocation": "NOASSERTION", "filesAnalyzed": False,
            "licenseConcluded": licence, "licenseDeclared": licence, "copyrightText": "NOASSERTION"}


def main(binary, version, sbom, licences):
    parts = list(inside())
    if missing := [name for name, _, _, text in parts if not text]:
        sys.exit(f"sbom: no text of the licence of {', '.join(missing)}")
    digest = hashlib.sha256(pathlib.Path(binary).read_bytes()).hexdigest()
    own = package("stream-map", version, "MIT") | {
        "downloadLocation": values()["address"], "checksums": [{"algorithm": "SHA256", "checksumValue": digest}]}
    shared = linked(binary)
    relations = [("SPDXRef-DOCUMENT", "DESCRIBES", "stream-map")]
    relations += [("SPDXRef-stream-map", "CONTAINS", name) for name, *_ in parts]
    relations += [("SPDXRef-stream-map", "DYNAMIC_LINK", name) for name, _ in shared]
    document = {
        "spdxVersion": "SPDX-2.3", "dataLicense": "CC0-1.0", "SPDXID": "SPDXRef-DOCUMENT", "name": f"stream-map-{version}",
        "documentNamespace": f"{values()['address']}/spdx/stream-map-{version}-{digest[:16]}",
        "creationInfo": {
            "created": datetime.datetime.fromtimestamp(EPOCH, datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ"),
            "creators": ["Tool: Packaging/sbom.py"]},
        "packages": [own, *(package(*part[:3]) for part in parts), *(package(name, at, "NOASSERTION") for name, at in shared)],
        "relationships": [
            {"spdxElementId": of, "relationshipType": kind, "relatedSpdxElement": identifier(to)} for of, kind, to in relations],
        "hasExtractedLicensingInfos": [{"licenseId": "LicenseRef-public-domain", "extractedText": PUBLIC_DOMAIN, "name": "Public domain"}],
    }
    pathlib.Path(sbom).write_text(json.dumps(document, indent=2) + "\n")
    own_text = (ROOT / "LICENSE").read_text()
    texts = [("stream-map", version, "MIT", own_text), *parts]
    texts += [(f"{name}, which it is linked to", at, "see below", text) for name, at in shared if (text := text_of(name))]
    rule = "=" * 100
    pathlib.Path(licences).write_text("\n".join(
        f"{rule}\n{name} {at}: {licence}\n{rule}\n\n{text.strip()}\n" for name, at, licence, text in texts))
    return len(parts), len(shared)


if __name__ == "__main__":
    inside_count, linked_count = main(*sys.argv[1:])
    print(f"sbom: {inside_count} parts inside, linked to {linked_count}", file=sys.stderr)
