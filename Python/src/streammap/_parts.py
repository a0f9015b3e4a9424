"""Parts of a feed, for other processes and machines."""

from __future__ import annotations

import dataclasses
import json
import os
from typing import TYPE_CHECKING, Optional, Union

from . import _library
from ._errors import call_with_path
from ._mapping import MappingSource, compiled
from ._options import Options

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


def index(feed: FeedPath, mapping: MappingSource, *, every: int = 64 << 20, **options: "Unpack[Options]") -> str:
    """Reads a feed once and tells where it can be cut, as `stream-map index` writes it.

    `feed` is the path of a file that is not compressed; `every` is how many bytes lie between two places. `mapping` and `options`
    are those of `open`: the index holds for the same record paths, format and context values.

    Raises `FeedError` where the feed is malformed so that nothing can be read after it, and (`io`) where it is compressed.
    """
    made = compiled(mapping, options)
    function = _library.library.streammap_index
    return _library.taken(call_with_path(function, made._handle, feed, every))


def parts(
    feed: FeedPath, mapping: MappingSource, count: int, *, index: Optional[str] = None, **options: "Unpack[Options]"
) -> list[Part]:
    """Cuts a feed into parts, which together are exactly the feed: `open(feed, mapping, part=part)` is one.

    A feed of lines needs no index; the numbers of its records are then unknown. Any other feed needs one.

    Raises `FeedError` (`invalidDefinition`) where an index is needed, or is of another feed or for other paths, and (`io`) where
    the feed is compressed.
    """
    made = compiled(mapping, options)
    function = _library.library.streammap_parts
    encoded = None if index is None else _library.text(index)
    text = _library.taken(call_with_path(function, made._handle, feed, count, encoded))
    return [Part.of(json.dumps(part)) for part in json.loads(text)]
