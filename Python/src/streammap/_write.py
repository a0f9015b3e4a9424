"""What is written: lines of JSON, Parquet, Arrow's files."""

from __future__ import annotations

import builtins
import contextlib
import os
from typing import Any, BinaryIO, Dict, Iterator, Literal, Optional, Union

from ._reader import Reader

Form = Literal["ndjson", "parquet", "arrow"]
_FORMS: Dict[str, Form] = {
    ".ndjson": "ndjson", ".jsonl": "ndjson", ".parquet": "parquet", ".arrow": "arrow", ".feather": "arrow",
}  # fmt: skip
_COMPRESSIONS = {".gz": "gzip", ".zst": "zstd", ".bz2": "bz2"}


def write(reader: Reader, target: Any, form: Optional[Form], options: Dict[str, Any]) -> None:
    """Writes what a reader gives."""
    is_path = isinstance(target, (str, os.PathLike))
    name = os.fsdecode(target) if is_path else ""
    stem, compression = name, None
    for ending, kind in _COMPRESSIONS.items():
        if name.endswith(ending):
            stem, compression = name[: -len(ending)], kind
    found = form or _FORMS.get(os.path.splitext(stem)[1])
    if found not in _FORMS.values():
        what = f"{name!r} does not say" if is_path else "a file does not say"
        raise ValueError(f"{what} in which form to write: give form='ndjson', 'parquet' or 'arrow'")
    if compression is not None and found != "ndjson":
        raise ValueError(f"{name!r}: only lines of JSON are compressed as a whole; Parquet and Arrow compress inside")
    if options and found != "parquet":
        raise TypeError(f"there is no option {next(iter(options))!r} for {found}")
    with _file(target, name, is_path) as file:
        if found == "ndjson":
            with contextlib.ExitStack() as stack:
                sink: Any = file
                if compression is not None:
                    import pyarrow

                    sink = stack.enter_context(pyarrow.CompressedOutputStream(pyarrow.PythonFile(file, "w"), compression))
                while piece := reader.read_piece():
                    sink.write(piece)
        elif found == "parquet":
            from pyarrow import parquet

            with parquet.ParquetWriter(file, reader.schema, **options) as writer:
                for batch in reader:
                    writer.write_batch(batch)
        else:
            import pyarrow

            # In a file a dictionary may grow, but not be replaced.
            growing = pyarrow.ipc.IpcWriteOptions(emit_dictionary_deltas=True)
            with pyarrow.ipc.new_file(file, reader.schema, options=growing) as writer:
                for batch in reader:
                    writer.write_batch(batch)


@contextlib.contextmanager
def _file(target: Any, name: str, is_path: bool) -> Iterator[Union[BinaryIO, Any]]:
    """The file to write: what has a path has it once it is whole."""
    if not is_path:
        yield target
    elif "://" in name:
        import fsspec

        system, path = fsspec.core.url_to_fs(name)
        with system.transaction, system.open(path, "wb") as file:
            yield file
    else:
        folder, base = os.path.split(name)
        draft = os.path.join(folder, f".{base}.{os.getpid()}.{id(target):x}")
        try:
            with builtins.open(draft, "xb") as file:
                yield file
            os.replace(draft, name)
        finally:
            if os.path.exists(draft):
                os.remove(draft)
