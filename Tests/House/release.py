#!/usr/bin/env python3
"""What a release has besides the command: the image and the list of its parts. They are made of the debug build, and the image is run.

A second run has to make the same files: that is tried with a small program, which takes a second.
"""
import hashlib
import json
import os
import pathlib
import platform
import shutil
import subprocess
import sys
import tarfile
import tempfile

from house import ROOT, finish, skipped

sys.path.insert(0, str(ROOT / "scripts"))
from common import COMMAND  # noqa: E402

SMALL = shutil.which("true")
problems = []


def run(*arguments):
    answer = subprocess.run([sys.executable, *map(str, arguments)], cwd=ROOT, capture_output=True, text=True,
                            env=os.environ | {"SOURCE_DATE_EPOCH": "1000000000"})
    if answer.returncode != 0:
        problems.append(f"{' '.join(map(str, arguments))}: {answer.stderr.strip()}")
    return answer.returncode == 0


def blob(image, of):
    """What a descriptor stands for, if its digest and its size are right."""
    data = image.extractfile("blobs/sha256/" + of["digest"].removeprefix("sha256:")).read()
    if "sha256:" + hashlib.sha256(data).hexdigest() != of["digest"] or len(data) != of["size"]:
        problems.append(f"image: {of} is not what its digest says")
    return data


def look_at(path):
    with tarfile.open(path) as image:
        index = json.load(image.extractfile("index.json"))
        manifest = json.loads(blob(image, index["manifests"][0]))
        config = json.loads(blob(image, manifest["config"]))
        for layer, plain in zip(manifest["layers"], config["rootfs"]["diff_ids"]):
            with tempfile.NamedTemporaryFile() as file:
                file.write(blob(image, layer))
                file.flush()
                with tarfile.open(file.name) as files:
                    names = files.getnames()
                if subprocess.run(f"gzip -dc {file.name} | sha256sum", shell=True, capture_output=True, text=True).stdout[:64] != plain[7:]:
                    problems.append("image: the layer is not what the configuration says")
            problems.extend(f"image: {name} is not a place in a root" for name in names if name.startswith("/") or ".." in name.split("/"))
            if "usr/bin/stream-map" not in names:
                problems.append("image: there is no command in it")
        # What docker reads names the same.
        old = json.load(image.extractfile("manifest.json"))[0]
        if old["Layers"] != ["blobs/sha256/" + layer["digest"][7:] for layer in manifest["layers"]]:
            problems.append("image: manifest.json and index.json name different layers")


def look_at_parts(path):
    document = json.loads(path.read_text())
    names = [package["SPDXID"] for package in document["packages"]]
    if len(set(names)) != len(names):
        problems.append(f"SBOM: a part is there twice: {names}")
    for relation in document["relationships"]:
        if not {relation["spdxElementId"], relation["relatedSpdxElement"]} <= {*names, "SPDXRef-DOCUMENT"}:
            problems.append(f"SBOM: {relation} is about no part")
    own = document["packages"][0]["checksums"][0]["checksumValue"]
    if own != hashlib.sha256(COMMAND.read_bytes()).hexdigest():
        problems.append("SBOM: the checksum is not that of the command")


if platform.system() != "Linux" or not COMMAND.exists() or not (ROOT / ".build/archives").exists():
    skipped("what a release has", "it needs Linux, a debug build and the archives of scripts/build")
    sys.exit()
with tempfile.TemporaryDirectory() as folder:
    folder = pathlib.Path(folder)
    made = []
    for number, program in enumerate([SMALL, SMALL, COMMAND]):
        sbom, licences, image = (folder / f"{number}.{kind}" for kind in ("spdx.json", "txt", "tar"))
        if run("Packaging/sbom.py", program, "0.0.0", sbom, licences) and run("Packaging/image.py", program, licences, "0.0.0", image):
            made.append([hashlib.sha256(path.read_bytes()).hexdigest() for path in (sbom, licences, image)])
    if len(made) == 3:
        look_at(image)
        look_at_parts(sbom)
        if made[0] != made[1]:
            problems.append("release: a second run makes other files")
        if os.geteuid() != 0 or not shutil.which("unshare"):
            skipped("the container image", "only root can change into it")
        else:
            run("Packaging/image.py", "--try", image)

finish("release", f"{len(made)} runs", problems)
