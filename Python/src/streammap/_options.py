"""What may be said of a mapping besides the mapping itself: each option stands here once."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Dict, Iterable, Literal, Mapping as Dictionary, Optional, TypedDict, Union

if TYPE_CHECKING:
    from .keys import Condition

Format = Literal["auto", "json", "ndjson", "concat", "seq"]
Errors = Literal["fail", "skip", "reject"]
UnseenPaths = Literal["fail", "ignore"]
Limit = Literal[
    "depth", "string", "number", "key", "members", "elements", "errors", "captured", "replayed", "record",
]  # fmt: skip


class Options(TypedDict, total=False):
    """The options of `Mapping`, and so of all functions that take a mapping. What is left out, the mapping file says, or the
    defaults hold."""

    arguments: Dictionary[str, str]
    """The values of the mapping's `args`."""
    format: Format
    """How records follow each other."""
    records: Union[str, Iterable[str]]
    """Where the records are in each document, as `$.items[*]`: one path, or several."""
    unseen_paths: UnseenPaths
    """What it is that one of `records` does not occur in a whole feed: `fail` (an error at its end) or `ignore`."""
    errors: Errors
    """`fail` (the first record that cannot be mapped ends the feed), `skip` or `reject`."""
    jobs: int
    """How many threads map, 1 to 64 (1)."""
    batch_rows: int
    """Records of a batch at most (65536)."""
    batch_bytes: int
    """Bytes of values at which a batch ends (16777216)."""
    decimal_scale: Optional[int]
    """Digits after the point of decimals, 0 to 38 (10); None makes them texts."""
    timestamp_unit: Literal["us", "ns"]
    """What columns of times count: microseconds (`us`), or nanoseconds (`ns`), in which a time before 1677 or after 2262 is an error of its
    record. Finer digits are cut off."""
    binary: Iterable[str]
    """Names or paths (`a.b`) of text columns that are base64, which become bytes."""
    dictionary: Iterable[str]
    """Names of columns of texts, not of those inside others, which become dictionaries of Arrow's: for texts that come again and again.
    In pandas they are categories."""
    fields: Iterable[str]
    """Names of the record's fields that are mapped. The others are not: their values are no errors, and they are no columns. A mapping that needs all its fields is a `MappingError`: one with a rule for unknown keys, or with `rest`, or that makes
    rows of an array."""
    where: "Condition"
    """A condition as mapping files have it, `{"from": "state", "equals": "open"}` or `{"field": "id", "min": 7}`: records for which it does not
    hold are left out, besides those that the mapping's own `where` leaves out."""
    limits: Dictionary[Limit, int]
    """What a feed may demand, as in mapping files, in whole numbers."""
    raw: bool
    """Whether rejects have the texts of their records, of 64 KiB at most (False). A mapping that redacts something gives none."""
    timezone: Optional[Literal["UTC"]]
    """The time zone that the type of a timestamp names ("UTC"). With None it names none: the values are the same, those of UTC."""


# What the package does with the columns that the library makes.
_OWN = ("dictionary", "timezone")


def checked(options: Options) -> Dict[str, Any]:
    """The options as plain values, which may be pickled.

    Raises `TypeError` where there is no such option.
    """
    names = list(Options.__annotations__)
    given: Dict[str, Any] = {}
    for name, value in options.items():
        if name not in names:
            import difflib

            near = difflib.get_close_matches(name, names, 1)
            raise TypeError(f"there is no option {name!r}" + (f"; did you mean {near[0]!r}?" if near else ""))
        if name in ("records", "binary", "dictionary", "fields"):
            value = [value] if isinstance(value, str) else list(value)  # type: ignore[call-overload]
        elif isinstance(value, Dictionary):
            value = dict(value)
        given[name] = value
    if given.get("timezone", "UTC") not in ("UTC", None):
        raise ValueError(f"timezone is 'UTC' or None, not {given['timezone']!r}")
    return given


def encoded(options: Dict[str, Any]) -> bytes:
    """The options that the library knows."""
    return json.dumps({name: value for name, value in options.items() if name not in _OWN}).encode()
