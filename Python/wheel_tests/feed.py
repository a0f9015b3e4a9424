"""Maps a feed with the package that is installed beside, in a Python that has nothing else of the project."""

import os
import pathlib
import signal
import sys
import tempfile
import warnings


def caught() -> str:
    """The signals that the process handles, as the kernel knows them."""
    return next(line for line in pathlib.Path("/proc/self/status").read_text().splitlines() if line.startswith("SigCgt"))


warnings.simplefilter("error")
import pyarrow  # noqa: E402

import streammap  # noqa: E402

place = pathlib.Path(streammap.__file__).resolve().parent
assert place.is_relative_to(pathlib.Path(sys.prefix).resolve()), place
before = caught(), signal.getsignal(signal.SIGINT)

mapping = """
streammap: 1
record:
  id: { from: id, type: int64 }
  at: { from: at, type: date, format: yyyy-MM-dd HH:mm, zone: Europe/Berlin }
  tag: { from: tag, extract: "^[a-z]+", nullable: true }
  secret: { from: tag, text: { hash: sha256 }, nullable: true }
"""
lines = b'{"id":1,"at":"2026-07-01 12:00","tag":"abc-1"}\n{"id":"none"}\n{"id":2,"at":"2026-01-01 12:00"}\n'
source = streammap.open(lines, mapping, errors="skip")
table = source.read_all()
assert table["id"].to_pylist() == [1, 2] and source.summary.rejected == 1
assert [at.hour for at in table["at"].to_pylist()] == [10, 11]
assert table["tag"].to_pylist() == ["abc", None] and len(table["secret"][0].as_py()) == 64

with tempfile.TemporaryDirectory() as folder:
    path = os.path.join(folder, "feed.ndjson.gz")
    source.write(path)
    again = streammap.open(path, {"streammap": 1, "record": {"id": {"from": "id", "type": "int64"}}})
    again.write(os.path.join(folder, "ids.parquet"))
    import pyarrow.parquet

    assert pyarrow.parquet.read_table(os.path.join(folder, "ids.parquet")).to_pydict() == {"id": [1, 2]}

try:
    streammap.open(lines, mapping).read_all()
    raise SystemExit("a record that cannot be mapped has to be an error")
except streammap.FeedError as error:
    assert (error.record, error.line, error.path) == (2, 2, "$.id"), error

# Signals stay Python's, and of Swift only what came with the package is loaded.
assert (caught(), signal.getsignal(signal.SIGINT)) == before
loaded = {line.split()[-1] for line in pathlib.Path("/proc/self/maps").read_text().splitlines() if ".so" in line}
names = ("libstreammap", "libswift", "libFoundation", "libdispatch", "libBlocksRuntime", "libyajl", "libre2", "libyaml", "libsodium")
ours = [pathlib.Path(path) for path in loaded if os.path.basename(path).startswith(names)]
assert place / "lib/libstreammap.so" in ours and len(ours) > 5, sorted(loaded)
assert [path for path in ours if path.parent != place / "lib"] == []
print(f"Python {sys.version.split()[0]}, pyarrow {pyarrow.__version__}: the wheel of streammap {streammap.__version__} works")
