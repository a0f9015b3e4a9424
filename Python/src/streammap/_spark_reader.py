"""How Spark reads feeds: the driver cuts them, and tasks on executors read their parts."""

from __future__ import annotations

import dataclasses
import hashlib
import json
import os
import threading
from typing import Any, Iterator, Optional

import pyarrow
from pyspark.sql import types as spark
from pyspark.sql.datasource import DataSourceReader, InputPartition
from pyspark.sql.pandas.types import to_arrow_schema

from ._errors import FeedError, Problem
from ._parts import Part, index_of, parts_of
from ._places import File, Remote
from ._reader import Run
from ._rejects import problems
from ._source import Source
from ._spark_feeds import Feed, local
from ._spark_query import REJECTS, Query
from ._spark_types import fitted

_COMPRESSED = (".gz", ".gzip", ".zst", ".zstd", ".xz", ".bz2")


@dataclasses.dataclass
class Stretch:
    """A feed, or a part of it."""

    feed: Feed
    number: int
    count: int
    part: Optional[str]


@dataclasses.dataclass
class Task(InputPartition):
    """What a task reads, one after the other."""

    stretches: tuple[Stretch, ...]


class StreamMapReader(DataSourceReader):
    """Cuts feeds on the driver, and reads their parts on executors."""

    def __init__(self, query: Query, schema: spark.StructType) -> None:
        self._tasks = Tasks(query, schema)

    def partitions(self) -> list[InputPartition]:
        return self._tasks.of(self._tasks.query.feeds())

    def read(self, partition: InputPartition) -> Iterator[pyarrow.RecordBatch]:
        return self._tasks.read(partition)


class Tasks:
    """What the tasks of a query read, and how."""

    def __init__(self, query: Query, schema: spark.StructType) -> None:
        self.query = query
        self._schema = schema
        own = query.columns.names
        self._folders = [name for name in schema.names if name not in own]

    def of(self, feeds: list[Feed]) -> list[InputPartition]:
        """Tasks for feeds: those of this machine are cut, where they are large."""
        target = to_arrow_schema(self._schema, timezone="UTC")
        made: list[InputPartition] = []
        # Whole feeds, as many as make one task of the size that is asked for; each costs something to open.
        packed: list[Stretch] = []
        size = 0
        for feed in feeds:
            for name in self._folders:
                feed.constant(name, target.field(name).type)
            cut = [part for part in self._parts(feed) if not part.is_empty]
            if cut:
                made += [Task((Stretch(feed, part.number, part.count, part.text),)) for part in cut]
                continue
            cost = feed.place.size() + self.query.open_cost_bytes
            if packed and size + cost > self.query.partition_bytes:
                made.append(Task(tuple(packed)))
                packed, size = [], 0
            packed.append(Stretch(feed, 1, 1, None))
            size += cost
        return [*made, Task(tuple(packed))] if packed else made

    def _parts(self, feed: Feed) -> list[Part]:
        query, place = self.query, feed.place
        if not isinstance(place, (File, Remote)) or feed.name.lower().endswith(_COMPRESSED):
            return []
        count = -(-place.size() // query.partition_bytes)
        if count <= 1:
            return []
        given = self._index(feed.name)
        if given is None and query.index != "always":
            try:
                return parts_of(place, query.mapping, count, None)
            except FeedError as error:
                if error.code != "invalidDefinition":
                    raise
        if given is None:
            try:
                given = index_of(place, query.mapping, max(query.partition_bytes // 4, 1))
            except FeedError as error:
                if error.code == "io":
                    raise
                # It is malformed: one task reads what comes before that, and says so.
                return []
        return parts_of(place, query.mapping, count, given)

    def _index(self, feed: str) -> Optional[str]:
        path = self.query.index
        if path is None or path == "always":
            return None
        path = local(path)
        if os.path.isdir(path):
            path = os.path.join(path, os.path.basename(feed) + ".smx")
        with open(path, encoding="utf-8") as file:
            return file.read()

    def read(self, partition: InputPartition) -> Iterator[pyarrow.RecordBatch]:
        if not isinstance(partition, Task):
            return
        target = to_arrow_schema(self._schema, timezone="UTC")
        for stretch in partition.stretches:
            given = {name: stretch.feed.constant(name, target.field(name).type) for name in self._folders}
            if self.query.feed is not None and self.query.feed in target.names:
                given[self.query.feed] = pyarrow.scalar(stretch.feed.name, pyarrow.string())
            if self.query.corrupt is not None:
                yield from self._permissive(stretch, target, given)
                continue
            for batch in self._rejects(stretch) if self.query.rejects else self._records(stretch):
                yield fitted(batch, target, given)

    def _permissive(
        self, stretch: Stretch, target: pyarrow.Schema, given: dict[str, pyarrow.Scalar]
    ) -> Iterator[pyarrow.RecordBatch]:
        """The records, and a row for each that cannot be mapped: its text, and nulls."""

        def read(put: Any) -> Iterator[None]:
            for batch in self._open(stretch, put):
                put(batch)
                yield

        texts: list[Optional[str]] = []

        def rows() -> Iterator[pyarrow.RecordBatch]:
            if texts:
                known = pyarrow.RecordBatch.from_pydict({str(self.query.corrupt): pyarrow.array(texts, pyarrow.string())})
                texts.clear()
                yield fitted(known, target, given)

        for item in problems(read):
            if isinstance(item, Problem):
                texts.append(item.raw)
                if len(texts) >= 1000:
                    yield from rows()
            else:
                yield from rows()
                yield fitted(item, target, given)
        yield from rows()

    def _open(self, stretch: Stretch, on_reject: Any) -> Iterator[pyarrow.RecordBatch]:
        part = None if stretch.part is None else Part.of(stretch.part)
        yield from Source(Run([stretch.feed.place], self.query.mapping, part, on_reject))

    def _records(self, stretch: Stretch) -> Iterator[pyarrow.RecordBatch]:
        folder = self.query.rejects_to
        if folder is None:
            yield from self._open(stretch, None)
            return
        folder = local(folder)
        os.makedirs(folder, exist_ok=True)
        # Feeds of several folders may have one name.
        digest = hashlib.sha256(stretch.feed.name.encode("utf-8", "surrogateescape")).hexdigest()[:8]
        name = f"{os.path.basename(stretch.feed.name)}-{digest}-{stretch.number:05d}-of-{stretch.count:05d}.ndjson"
        # A task that runs twice writes the same file.
        draft = os.path.join(folder, f".{name}.{os.getpid()}.{threading.get_ident()}")
        try:
            with open(draft, "w", encoding="utf-8") as file:

                def write(problem: Problem) -> None:
                    json.dump(problem.details, file, ensure_ascii=False)
                    file.write("\n")

                yield from self._open(stretch, write)
            os.replace(draft, os.path.join(folder, name))
        finally:
            if os.path.exists(draft):
                os.remove(draft)

    def _rejects(self, stretch: Stretch) -> Iterator[pyarrow.RecordBatch]:
        """The rejects, some at a time."""
        schema = to_arrow_schema(REJECTS, timezone="UTC")
        rows: list[dict[str, Any]] = []
        for problem in problems(lambda put: self._open(stretch, put)):
            common = {"feed": stretch.feed.name, "details": json.dumps(problem.details, ensure_ascii=False)}
            for error in problem.errors:
                rows.append({name: common.get(name) or getattr(error, name) for name in schema.names})
            if len(rows) >= 1000:
                yield pyarrow.RecordBatch.from_pylist(rows, schema=schema)
                rows = []
        if rows:
            yield pyarrow.RecordBatch.from_pylist(rows, schema=schema)
