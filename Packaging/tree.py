"""Archives that come out the same each time: names sorted, no owner, one date. The date is SOURCE_DATE_EPOCH, or 1980."""
import gzip
import io
import os
import pathlib
import sys
import tarfile

EPOCH = int(os.environ.get("SOURCE_DATE_EPOCH", "315532800"))


def entry(name, mode, data=None):
    """What a tar says of a file, or of a folder if there is no data."""
    info = tarfile.TarInfo(name)
    info.mtime, info.mode = EPOCH, mode
    info.type = tarfile.DIRTYPE if data is None else tarfile.REGTYPE
    info.size = len(data or b"")
    return info, data


def tar(entries):
    """The bytes of a tar of what `entry` gave; folders above a file are made where they are not given."""
    given = {info.name: (info, data) for info, data in entries}
    for name in list(given):
        for parent in pathlib.PurePosixPath(name).parents:
            if str(parent) != "." and str(parent) not in given:
                given[str(parent)] = entry(str(parent), 0o755)
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w", format=tarfile.USTAR_FORMAT) as archive:
        for name in sorted(given):
            info, data = given[name]
            archive.addfile(info, io.BytesIO(data) if data is not None else None)
    return out.getvalue()


def compressed(data):
    out = io.BytesIO()
    with gzip.GzipFile(fileobj=out, mode="wb", compresslevel=6, mtime=EPOCH) as file:
        file.write(data)
    return out.getvalue()


def folder(path):
    """The entries of a folder, under its own name."""
    for file in sorted(path.rglob("*")):
        if file.is_file():
            yield entry(file.relative_to(path.parent).as_posix(), 0o755 if os.access(file, os.X_OK) else 0o644, file.read_bytes())


if __name__ == "__main__":
    source, target = map(pathlib.Path, sys.argv[1:])
    target.write_bytes(compressed(tar(folder(source))))
