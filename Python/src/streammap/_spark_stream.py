"""New feeds of a folder, as batches of a streaming query: each once."""

from __future__ import annotations

import dataclasses
import os
from typing import Any, Iterator, Optional, cast

import pyarrow
from pyspark.sql import types as spark
from pyspark.sql.datasource import DataSourceStreamReader, InputPartition
from pyspark.sql.streaming.datasource import ReadAllAvailable, ReadLimit, ReadMaxFiles, SupportsTriggerAvailableNow

from ._errors import FeedNotFoundError
from ._places import is_address
from ._spark_feeds import Feed, local, plain
from ._spark_query import Query
from ._spark_reader import Tasks

_Seen = dict[str, dict[str, int]]


class StreamMapStreamReader(DataSourceStreamReader, SupportsTriggerAvailableNow):
    """Feeds that were not there before. Spark keeps the offsets in its checkpoint: all that this source knows is in them.

    An offset is the feeds that were seen, each with its time (milliseconds) and bytes. A batch is what the offset at its end has and
    the one at its beginning has not: so a batch that runs again has the same feeds. What is older than the newest feed that was seen,
    by more than `maxFileAge`, is forgotten, and left out where it is new: so an offset has the feeds of that time, and of its batch.
    """

    def __init__(self, query: Query, schema: spark.StructType) -> None:
        self._tasks = Tasks(query, schema)
        self._last: Optional[_Seen] = None

    def initialOffset(self) -> dict[str, Any]:
        return {"seen": {}}

    def getDefaultReadLimit(self) -> ReadLimit:
        count = self._tasks.query.max_files
        return ReadAllAvailable() if count is None else ReadMaxFiles(count)

    def prepareForTriggerAvailableNow(self) -> None:
        self._last = {name: _known(feed) for name, feed in self._feeds().items()}

    def latestOffset(self, start: dict[str, Any], limit: ReadLimit) -> dict[str, Any]:
        seen: _Seen = start["seen"]
        found = self._last if self._last is not None else {name: _known(feed) for name, feed in self._feeds().items()}
        age = self._tasks.query.max_file_age
        # In the first batch no feed is too old. The oldest come first, so that none becomes too old while it waits.
        oldest = max((known["time"] for known in seen.values()), default=age) - age
        new = sorted(
            (name for name, known in found.items() if name not in seen and known["time"] >= oldest),
            key=lambda name: (found[name]["time"], name),
        )
        if isinstance(limit, ReadMaxFiles):
            new = new[: limit.max_files]
        if not new:
            return start
        # What is forgotten is too old to be taken again.
        newest = max([*(known["time"] for known in seen.values()), *(found[name]["time"] for name in new)])
        kept = {name: known for name, known in seen.items() if known["time"] >= newest - age}
        return {"seen": {**kept, **{name: found[name] for name in new}}}

    def partitions(self, start: dict[str, Any], end: dict[str, Any]) -> list[InputPartition]:
        new = {name: known for name, known in cast(_Seen, end["seen"]).items() if name not in start["seen"]}
        if not new:
            return []
        feeds = self._feeds()
        chosen: list[Feed] = []
        for name, known in new.items():
            feed = feeds.get(name)
            if feed is None:
                raise ValueError(f"streammap: {name} is gone, and its batch is not complete: put it back, or begin with another checkpoint")
            if _known(feed) != known:
                raise ValueError(f"streammap: {name} has changed since its batch began: give each feed a name of its own")
            chosen.append(feed)
        return self._tasks.of(chosen)

    def read(self, partition: InputPartition) -> Iterator[pyarrow.RecordBatch]:
        return self._tasks.read(partition)

    def _feeds(self) -> dict[str, Feed]:
        """What is there now: a folder may be empty, but has to exist."""
        feeds: dict[str, Feed] = {}
        for path in self._tasks.query.paths:
            try:
                found = dataclasses.replace(self._tasks.query, paths=(path,)).feeds()
            except FeedNotFoundError:
                if not (is_address(path) or os.path.isdir(local(plain(path)) or ".")):
                    raise
                continue
            feeds.update((feed.name, feed) for feed in found)
        return feeds


def _known(feed: Feed) -> dict[str, int]:
    return {"time": int(feed.place.modified().timestamp() * 1000), "bytes": feed.place.size()}
