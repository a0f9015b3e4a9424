"""Sources: feeds and what becomes of them, to be read any number of times."""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING, Any, AsyncIterator, BinaryIO, Callable, Dict, Iterable, Iterator, List, Optional, Union

from . import _rejects
from ._errors import Problem
from ._feed import Summary
from ._mapping import Mapping, MappingSource, compiled
from ._options import Options
from ._parts import Part
from ._places import File, Remote, Sources, places
from ._reader import Reader, Run
from ._rows import rows
from ._write import Form, write

if TYPE_CHECKING:
    import os

    import pandas
    import polars
    import pyarrow
    from typing_extensions import Unpack


class Source:
    """Feeds and a mapping: `open` makes one. Nothing is read before something is taken, and each reading begins at the beginning.

    It is taken wherever a stream of Arrow is (`__arrow_c_stream__`): by polars, DuckDB, pandas, pyarrow. It may be pickled and shared
    by threads, if it can be opened again: if it is of paths, addresses, bytes, or functions that can be pickled.
    """

    def __init__(self, run: Run) -> None:
        self._run = run
        self._last: Optional[Reader] = None

    def __repr__(self) -> str:
        feeds = [repr(place) for place in self._run.places[:3]]
        if len(self._run.places) > 3:
            feeds.append(f"... {len(self._run.places) - 3} more")
        columns = "" if self._run.columns is None else f".select({self._run.columns!r})"
        return f"streammap.open({', '.join(feeds)}, {self._run.mapping!r}){columns}"

    def __getstate__(self) -> Dict[str, Any]:
        return {"_run": self._run, "_last": None}

    def __copy__(self) -> "Source":
        return Source(self._run)

    # --- What it is.

    @property
    def mapping(self) -> Mapping:
        """What becomes of the records."""
        return self._run.mapping

    @property
    def feeds(self) -> List[str]:
        """The names of the feeds, in the order in which they are read; those in memory have none."""
        return [place.name or "" for place in self._run.places]

    @property
    def schema(self) -> pyarrow.Schema:
        """The schema of the columns."""
        return self._run.schema

    @property
    def summary(self) -> Summary:
        """What was read by the newest reading: how many records were mapped, rejected and dropped, and what was not found."""
        return Summary() if self._last is None else self._last.summary

    def select(self, columns: Iterable[str]) -> "Source":
        """The same source with some of its columns. All fields are mapped: which records there are, and which are rejected, is the same.
        The option `fields` maps fewer.

        Raises `KeyError` where there is no such column.
        """
        names, schema = list(columns), self.schema
        for name in names:
            if schema.get_field_index(name) < 0:
                raise KeyError(f"there is no column {name!r}; there are {', '.join(schema.names)}")
        return Source(dataclasses.replace(self._run, columns=names))

    # --- What is read.

    def reader(self) -> Reader:
        """Begins a reading: its batches, to be taken one by one.

        >>> with source.reader() as reader:
        ...     first = reader.read_next_batch()
        """
        self._last = Reader(self._run)
        return self._last

    def __iter__(self) -> Iterator[pyarrow.RecordBatch]:
        """The record batches, as they come."""
        with self.reader() as reader:
            yield from reader

    async def __aiter__(self) -> AsyncIterator[pyarrow.RecordBatch]:
        """The record batches, as they come; another thread waits for them."""
        import asyncio

        with self.reader() as reader:
            while (batch := await asyncio.to_thread(next, reader, None)) is not None:
                yield batch

    def records(self) -> Iterator[Dict[str, Any]]:
        """The records, one by one, as dictionaries.

        Dates are `datetime`, decimals `Decimal`, dictionaries `dict`; what has no type in the mapping is what `json.loads` makes of it.
        """
        make = rows(self.schema)
        for batch in self:
            yield from make(batch)

    def read_all(self) -> pyarrow.Table:
        """All of it, as a table in memory."""
        return self.reader().read_all()

    def to_pandas(self, **options: Any) -> "pandas.DataFrame":
        """All of it, as a frame of pandas.

        The columns have Arrow's types, so that no value changes: pandas' own would turn whole numbers that may be null into floating
        point. `options` are those of `pyarrow.Table.to_pandas`: `types_mapper=None` makes pandas' own types.
        """
        import pandas
        import pyarrow

        def types(type: pyarrow.DataType) -> Optional[pandas.ArrowDtype]:
            # A dictionary becomes a category, which has no other values.
            return None if pyarrow.types.is_dictionary(type) else pandas.ArrowDtype(type)

        return self.read_all().to_pandas(**{"types_mapper": types, **options})

    def to_polars(self) -> "polars.LazyFrame":
        """A lazy frame of polars, which reads the source each time it is collected: batch by batch, and no more rows or columns
        than are asked for.

        Where the first record that cannot be mapped ends the reading (`errors="fail"`), fields that no column needs are not mapped."""
        import polars
        import pyarrow
        from polars.io.plugins import register_io_source

        def batches(
            columns: Optional[List[str]], predicate: Optional["polars.Expr"], count: Optional[int], _: Optional[int]
        ) -> Iterator["polars.DataFrame"]:
            left = count
            run = self._run
            if columns is not None:
                run = dataclasses.replace(run, mapping=run.mapping.for_columns(columns), columns=columns)
            self._last = Reader(run)
            with self._last as reader:
                for batch in reader:
                    frame = polars.DataFrame(batch)
                    if left is not None:
                        frame = frame.head(left)
                        left -= frame.height
                    yield frame if predicate is None else frame.filter(predicate)
                    if left == 0:
                        return

        empty = pyarrow.RecordBatchReader.from_batches(self.schema, [])
        return register_io_source(batches, schema=polars.DataFrame(empty).schema)

    def rejects(self) -> pyarrow.RecordBatchReader:
        """Reads the source for the records that cannot be mapped: a row each, with its place, its errors and its text.

        The columns are those of `streammap.REJECTS`. Memory stays flat. What ends the reading, such as a feed that is cut off, is raised
        after the rejects before it.
        """
        import pyarrow

        mapping = self._run.mapping.with_options(errors="reject", raw=True)
        run = dataclasses.replace(self._run, mapping=mapping, rejects=None, columns=None)

        def read(on_reject: Callable[[Problem], None]) -> Iterator[pyarrow.RecordBatch]:
            with Reader(dataclasses.replace(run, on_reject=on_reject)) as reader:
                yield from reader

        return pyarrow.RecordBatchReader.from_batches(_rejects.schema(), _rejects.batches(_rejects.problems(read)))

    def write(self, target: Union[str, "os.PathLike[str]", BinaryIO], form: Optional[Form] = None, **options: Any) -> Summary:
        """Writes the records, with flat memory, and tells how many there were.

        `target` is a path, an address of fsspec's, or a file that is open for bytes. `form` is `ndjson` (a JSON object a line), `parquet`
        or `arrow` (Arrow's file format); else the ending of the path says it, as `.ndjson`, `.jsonl`, `.parquet`, `.arrow`. Lines are
        compressed by a further ending: `.gz`, `.zst`, `.bz2`. `options` are those of `pyarrow.parquet.ParquetWriter`.

        A path has the whole result or what it had before: if the reading fails, nothing is replaced.
        """
        with self.reader() as reader:
            write(reader, target, form, options)
        return reader.summary

    def __arrow_c_schema__(self) -> Any:
        return self.schema.__arrow_c_schema__()

    def __arrow_c_stream__(self, requested_schema: Any = None) -> Any:
        return self.reader().__arrow_c_stream__(requested_schema)


def open(
    source: Sources,
    mapping: MappingSource,
    *,
    part: Optional[Part] = None,
    rejects: Union[None, str, "os.PathLike[str]"] = None,
    on_reject: Optional[Callable[[Problem], Any]] = None,
    on_progress: Optional[Callable[[Summary], Any]] = None,
    storage_options: Optional[Dict[str, Any]] = None,
    **options: "Unpack[Options]",
) -> Source:
    """Feeds that are mapped into Arrow columns, or into records of another shape: nothing is read yet.

    `source` is one of these, or a list of them, which are read one after the other:

    - the path of a file; a folder, whose files are read, but not hidden ones; a pattern such as `orders/*.ndjson`
    - an address that fsspec knows, such as `s3://bucket/orders/*.ndjson`; `storage_options` are for it
    - bytes
    - a file that is open in binary mode, or an iterator of bytes, such as the body of an HTTP response: read once, unless it can be rewound
    - a function without arguments that gives one of these: called for each reading

    What is compressed by gzip, Zstandard, xz or bzip2 is decompressed. `mapping` and `options` are those of `Mapping`: see
    `streammap.Options`.

    - `rejects`: a file in which each reading puts the records that cannot be mapped, a JSON object a line, with their errors and
      texts. Then `errors` is `reject`.
    - `on_reject`: is called for each of them, where `errors` is `skip` or `reject`; what it raises ends the reading.
    - `on_progress`: is called with a `Summary` for each piece of a feed (256 KiB at most) that is read; what it raises ends the reading.
    - `part`: one of `parts(feed, mapping, …)`: only its records are read.

    >>> table = streammap.open("orders.ndjson", "orders.map.yaml").read_all()

    Raises `MappingError`, and `FeedNotFoundError` where there is no feed, at once; while something is taken, `FeedError` with the address,
    or what the feed raises. Batches that were mapped before an error come out before it. Fields that found nothing in any feed are
    an `UnfoundWarning` at the end; paths of records that did not occur in a feed are a `FeedError` (`unseenPath`), unless
    `unseen_paths="ignore"`.
    """
    found = places(source, storage_options)
    if part is not None and not (len(found) == 1 and isinstance(found[0], (File, Remote))):
        raise TypeError("a part is of a file: give its path or address")
    if rejects is not None:
        if isinstance(mapping, Mapping):
            mapping = mapping.with_options(errors="reject", raw=True)
        else:
            if options.setdefault("errors", "reject") == "fail":
                raise ValueError("with errors='fail' the first reject ends the feed: leave rejects or errors out")
            options.setdefault("raw", True)
    made = compiled(mapping, options)
    return Source(Run(found, made, part, on_reject, on_progress, rejects))
