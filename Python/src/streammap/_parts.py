"""Parts of a feed, for other processes and machines."""

from __future__ import annotations

import dataclasses
import json
import os
from typing import TYPE_CHECKING, Any, Dict, Optional, Union

from . import _library
from ._blob import Blob, Cut
from ._errors import call_with_path
from ._mapping import Mapping, MappingSource, compiled
from ._options import Options
from ._places import File, Remote, is_address, places

if TYPE_CHECKING:
    from typing_extensions import Unpack

FeedPath = Union[str, "os.PathLike[str]"]


@dataclasses.dataclass(frozen=True)
class Part:
    """Some of the bytes of a feed, between two records: the records that begin there. Small, and may be pickled."""

    number: int
    """From 1."""
    count: int
    """How many parts there are."""
    start: int
    """Its first byte in the feed."""
    end: int
    """The byte after its last one."""
    tells_numbers: bool
    """Whether the numbers and lines of its records are known: with an index, or where it is the whole feed."""
    text: str = dataclasses.field(repr=False)
    """All of it, as JSON, to be sent to another process."""

    @classmethod
    def of(cls, text: str) -> "Part":
        """A part by its `text`."""
        part = json.loads(text)
        start, end = part["bytes"]
        return cls(part["number"], part["count"], start, end, part["tellsNumbers"], text)

    @property
    def is_empty(self) -> bool:
        """Whether there is nothing in it: there were fewer places to cut than parts."""
        return self.start == self.end


def index(
    feed: FeedPath, mapping: MappingSource, *, every: int = 64 << 20, storage_options: Optional[Dict[str, Any]] = None,
    **options: "Unpack[Options]",
) -> str:  # fmt: skip
    """Reads a feed once and tells where it can be cut, as `stream-map index` writes it.

    `feed` is the path of a file that is not compressed, or an address that fsspec knows, which `storage_options` are for; `every` is how
    many bytes lie between two places. `mapping` and `options` are those of `open`: the index holds for the same record paths, format and
    context values.

    Raises `FeedError` where the feed is malformed so that nothing can be read after it, and (`io`) where it is compressed.
    """
    return index_of(_place(feed, storage_options), compiled(mapping, options), every)


def parts(
    feed: FeedPath, mapping: MappingSource, count: int, *, index: Optional[str] = None,
    storage_options: Optional[Dict[str, Any]] = None, **options: "Unpack[Options]",
) -> list[Part]:  # fmt: skip
    """Cuts a feed into parts, which together are exactly the feed: `open(feed, mapping, part=part)` is one.

    `feed` is as that of `index`: of a feed of a store, each part reads its own bytes. A feed of lines needs no index; the numbers of
    its records are then unknown. Any other feed needs one.

    Raises `FeedError` (`invalidDefinition`) where an index is needed, or is of another feed or for other paths, and (`io`) where
    the feed is compressed.
    """
    return parts_of(_place(feed, storage_options), compiled(mapping, options), count, index)


def index_of(place: Cut, mapping: Mapping, every: int) -> str:
    return _library.taken(_call("streammap_index", place, mapping, every))


def parts_of(place: Cut, mapping: Mapping, count: int, index: Optional[str]) -> list[Part]:
    encoded = None if index is None else _library.text(index)
    text = _library.taken(_call("streammap_parts", place, mapping, count, encoded))
    return [Part.of(json.dumps(part)) for part in json.loads(text)]


def _place(feed: FeedPath, storage_options: Optional[Dict[str, Any]]) -> Cut:
    if not is_address(feed):
        if storage_options:
            raise ValueError("storage_options are for addresses such as s3://bucket/feed.ndjson")
        return File(feed)
    found = places(feed, storage_options)
    if len(found) != 1 or not isinstance(found[0], Remote):
        raise ValueError(f"{feed!r} is {len(found)} feeds: cut one at a time")
    return found[0]


def _call(name: str, place: Cut, mapping: Mapping, *arguments: Any) -> Any:
    """Calls a function of the library that reads a feed at any place."""
    if isinstance(place, File):
        return call_with_path(getattr(_library.library, name), mapping._handle, place.path, *arguments)
    blob = Blob(place)
    try:
        return blob.call(getattr(_library.library, name + "_blob"), mapping._handle, *arguments)
    finally:
        blob.close()
