#!/usr/bin/env python3
"""Copies objects and archives without what a program for use has no need of: slim.py OBJECTS FOLDER ARCHIVES.

OBJECTS is a file with the path of an object a line. FOLDER gets copies of them, `objects`, which lists these, and `swift`, which stands in for the
compiler's folder of archives; `archives` has copies of those in the folder ARCHIVES. Two things are left out:

- The mark "keep" of code and constants. The compiler sets it for all that is public, since a library shows that to others. A program shows nothing, so
  the linker may leave out what nothing calls. The records by which the runtime finds types keep theirs.
- The tables of stack frames (`.eh_frame`), by which exceptions of C++ find their way, but for those of C++. Nothing is thrown through Swift, whose
  errors are results, or through C.
"""
import json
import pathlib
import shutil
import struct
import subprocess
import sys

KEEP = 0x200000  # SHF_GNU_RETAIN
UNUSED = 0  # SHT_NULL
OF_CPP = {"libre2.a", "libstdc++.a"}
OF_FRAMES = {".eh_frame", ".rela.eh_frame"}
CODE = (".text", ".rodata", ".data")
# The name, where it begins in a section header, and how it is packed.
HEADER = struct.Struct("<IIQ")


def slim_object(data, start):
    """Changes the object that begins there, if it is one for 64 bits in this byte order."""
    if data[start:start + 6] != b"\x7fELF\x02\x01":
        return
    table, = struct.unpack_from("<Q", data, start + 40)
    size, count, names = struct.unpack_from("<HHH", data, start + 58)
    # Objects with many sections have the numbers in the first header.
    if count == 0:
        count, = struct.unpack_from("<Q", data, start + table + 32)
    if names == 0xffff:
        names, = struct.unpack_from("<I", data, start + table + 40)
    texts, = struct.unpack_from("<Q", data, start + table + names * size + 24)
    sections = []
    for at in range(start + table, start + table + count * size, size):
        name, _, flags = HEADER.unpack_from(data, at)
        begin = start + texts + name
        sections.append((at, data[begin:data.index(0, begin)].decode(), flags))
    # An object of C++ that handles exceptions.
    if any(name.startswith(".gcc_except_table") for _, name, _ in sections):
        return
    for at, name, flags in sections:
        if name in OF_FRAMES:
            struct.pack_into("<I", data, at + 4, UNUSED)
        elif name.startswith(CODE):
            struct.pack_into("<Q", data, at + 8, flags & ~KEEP)


def slim(source, target):
    data = bytearray(source.read_bytes())
    if data.startswith(b"!<arch>\n"):
        at = 8
        while at < len(data):
            size = int(data[at + 48:at + 58])
            slim_object(data, at + 60)
            at += 60 + size + size % 2
    else:
        slim_object(data, 0)
    target.write_bytes(data)


def main():
    objects, folder, archives = map(pathlib.Path, sys.argv[1:])
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    copies = []
    for number, line in enumerate(objects.read_text().split("\n")):
        if line:
            copies.append(folder / f"{number}.o")
            slim(pathlib.Path(line.strip("'")), copies[-1])
    (folder / "objects").write_text("".join(f"{copy}\n" for copy in copies))
    compiler = json.loads(subprocess.run(["swiftc", "-static-stdlib", "-print-target-info"], capture_output=True, check=True).stdout)
    of_swift = pathlib.Path(compiler["paths"]["runtimeResourcePath"])
    shutil.copytree(of_swift, folder / "swift", symlinks=True, copy_function=lambda place, copy: pathlib.Path(copy).symlink_to(place))
    for copy in (folder / "swift" / "linux").glob("*.a"):
        place = copy.resolve()
        copy.unlink()
        slim(place, copy)
    (folder / "archives").mkdir()
    for archive in archives.glob("*.a"):
        if archive.name not in OF_CPP:
            slim(archive, folder / "archives" / archive.name)


main()
