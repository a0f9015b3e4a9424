#!/usr/bin/env python3
"""The command opens, writes, names and removes files in a few places alone, each for one purpose."""
import pathlib
import re
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from house import code, finish, named, swift_files  # noqa: E402

# What opens, writes, names or removes files, and the files of the command that alone may do so.
CALL = r"(?<!func )(?:(?<![\w.`])|(?<=StreamMapPlatform\.)|(?<=Glibc\.)|(?<=Darwin\.)|(?<=Swift\.))"
WAYS = [
    # A method of one's own that is called 'write' is called by 'try', or has a receiver.
    (CALL + r"(?<!try )(?:write|pwrite|writev|send|sendto|sendfile)\(",
     {"WriteGate.swift", "StandardError.swift", "Interruption.swift", "Decompression.swift"}),
    (CALL + r"(?:open|openat|creat|fopen|freopen|fdopen|mkstemp|mkostemp|shm_open)\(",
     {"FilePlace.swift", "FolderTree.swift", "FileReading.swift", "StandardStreams.swift"}),
    (CALL + r"(?:rename|renameat|unlink|unlinkat|remove|link|linkat|symlink|symlinkat)\((?!\w+:)",
     {"FilePlace.swift"}),
    (CALL + r"(?:mkdir|mkdirat|mkfifo|mkfifoat|mknod|mknodat)\(", {"FolderTree.swift"}),
    (CALL + r"(?:ftruncate|truncate|fallocate|posix_fallocate|copy_file_range)\(", {"WriteGate.swift"}),
    (CALL + r"(?:print|debugPrint|dump|puts|fputs|putc|fputc|putchar|fwrite|printf|vprintf|fprintf|vfprintf|dprintf|perror)\(",
     set()),
    (r"\b(?:FileHandle|FileManager|OutputStream|stdout|stderr|STDOUT_FILENO)\b|\.write\(to(?:File)?:",
     {"OutputFile.swift", "PathTarget.swift", "FileIdentity.swift", "ProgressReport.swift", "StandardStreams.swift"}),
]
problems = []
files = swift_files("Sources/StreamMapCommand")
for path in files:
    for call in (match.group() for way, rooms in WAYS if path.name not in rooms for match in re.finditer(way, code(path))):
        problems.append(
            f"{named(path)}: {call.rstrip('(')} is not called here: files are written by OutputFile, text by StandardOutput"
            " and StandardError")

finish("writing", f"{len(files)} files of the command", problems)
