#!/usr/bin/env python3
"""Makes a container image of the command without a daemon: image.py BINARY LICENCES VERSION OUTPUT; image.py --try IMAGE.

The image has one layer: the command, the shared libraries that it is linked to, the time zones of this system, the licences, and an empty
/data, where it starts. It has no shell. OUTPUT is an OCI layout in a tar, which `docker load`, `podman load` and `skopeo` take.
--try runs it as a container would: in its own root, by the user without rights. Only root can.
"""
import datetime
import hashlib
import io
import json
import os
import pathlib
import platform
import re
import subprocess
import sys
import tarfile
import tempfile

from host import values
from tree import EPOCH, compressed, entry, tar

ZONES = pathlib.Path("/usr/share/zoneinfo")
ARCHITECTURES = {"x86_64": "amd64", "aarch64": "arm64"}


def libraries(binary):
    """The shared libraries that the loader takes for a program, the loader itself included, where it looks for them."""
    listed = subprocess.run(["ldd", binary], capture_output=True, text=True, check=True).stdout
    if "not found" in listed:
        sys.exit(f"image: a library is missing:\n{listed}")
    return sorted(set(re.findall(r"(?:=> |^\s+)(/\S+) \(0x", listed, re.M)))


def files(binary, licences):
    yield entry("usr/bin/stream-map", 0o755, binary.read_bytes())
    for path in libraries(binary):
        yield entry(path.lstrip("/"), 0o755, pathlib.Path(path).read_bytes())
    for path in sorted(ZONES.rglob("*")):
        # Copies of all zones for other uses.
        if path.is_file() and path.relative_to(ZONES).parts[0] not in ("posix", "right"):
            yield entry(str(path).lstrip("/"), 0o644, path.read_bytes())
    yield entry("usr/share/doc/stream-map/licences.txt", 0o644, licences.read_bytes())
    yield entry("data", 0o777)
    yield entry("tmp", 0o1777)


def image(binary, licences, version):
    """The entries of the tar."""
    blobs = {}

    def blob(kind, data):
        name = hashlib.sha256(data).hexdigest()
        blobs[name] = data
        return {"mediaType": f"application/vnd.oci.image.{kind}", "digest": f"sha256:{name}", "size": len(data)}

    layer = tar(files(binary, licences))
    packed = blob("layer.v1.tar+gzip", compressed(layer))
    config = blob("config.v1+json", json.dumps({
        "created": datetime.datetime.fromtimestamp(EPOCH, datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ"),
        "architecture": ARCHITECTURES[platform.machine()],
        "os": "linux",
        "config": {
            "User": "65534:65534",
            "Entrypoint": ["/usr/bin/stream-map"],
            "WorkingDir": "/data",
            "Labels": {
                "org.opencontainers.image.title": "stream-map",
                "org.opencontainers.image.version": version,
                "org.opencontainers.image.source": values()["address"],
                "org.opencontainers.image.licenses": "MIT",
            },
        },
        "rootfs": {"type": "layers", "diff_ids": ["sha256:" + hashlib.sha256(layer).hexdigest()]},
        "history": [{"created_by": "Packaging/image.py"}],
    }).encode())
    manifest = blob("manifest.v1+json", json.dumps({
        "schemaVersion": 2, "mediaType": "application/vnd.oci.image.manifest.v1+json", "config": config, "layers": [packed]}).encode())
    manifest["annotations"] = {
        "io.containerd.image.name": f"docker.io/library/stream-map:{version}", "org.opencontainers.image.ref.name": version}

    def path(of):
        return "blobs/sha256/" + of["digest"].split(":")[1]

    # Versions of docker before 25 read manifest.json, all others index.json.
    texts = {
        "oci-layout": {"imageLayoutVersion": "1.0.0"},
        "index.json": {"schemaVersion": 2, "mediaType": "application/vnd.oci.image.index.v1+json", "manifests": [manifest]},
        "manifest.json": [{"Config": path(config), "RepoTags": [f"stream-map:{version}"], "Layers": [path(packed)]}],
    }
    yield from (entry(name, 0o644, json.dumps(value).encode()) for name, value in texts.items())
    yield from (entry(f"blobs/sha256/{name}", 0o644, data) for name, data in blobs.items())


def unpack(path, folder):
    with tarfile.open(path) as outer:
        manifest = json.load(outer.extractfile("manifest.json"))[0]
        for name in manifest["Layers"]:
            with tarfile.open(fileobj=io.BytesIO(outer.extractfile(name).read())) as layer:
                layer.extractall(folder)


def trial(path):
    feed, expected = '{"id":7,"tag":"x-1"}', '{"tag":"x-1"}\n'
    with tempfile.TemporaryDirectory() as folder:
        os.chmod(folder, 0o755)
        unpack(path, folder)
        (pathlib.Path(folder) / "proc").mkdir()
        # A program reads its arguments in /proc.
        inside = 'mount -t proc proc "$0/proc" && exec chroot --userspec=65534:65534 "$0" /usr/bin/stream-map --field tag'
        printed = subprocess.run(["unshare", "--mount", "sh", "-c", inside, folder], input=feed, capture_output=True, text=True)
    if printed.stdout != expected:
        sys.exit(f"image: {path} prints {printed.stdout!r}, and {printed.stderr!r}")
    print(f"image: {path} works by itself", file=sys.stderr)


if __name__ == "__main__":
    if sys.argv[1] == "--try":
        trial(sys.argv[2])
        sys.exit()
    binary, licences, version, output = sys.argv[1:]
    pathlib.Path(output).write_bytes(tar(image(pathlib.Path(binary), pathlib.Path(licences), version)))
