"""The feeds of a query, and the columns that the names of their folders are."""

from __future__ import annotations

import dataclasses
import datetime
import glob
import itertools
import os
import re
import urllib.parse
from typing import Any, Iterable, Iterator, Mapping as Dictionary, Optional

import pyarrow
from pyspark.sql import types as spark

from ._places import File, Place, Remote, is_address, places

_NO_VALUE = "__HIVE_DEFAULT_PARTITION__"
_Values = dict[str, Optional[str]]


@dataclasses.dataclass(frozen=True)
class Feed:
    """A feed that is not open: small, and may be pickled."""

    place: Place
    folders: _Values
    """What the names of its folders say: `day=2026-11-24/` is a value of the column `day`."""

    @property
    def name(self) -> str:
        return str(self.place.name)

    def constant(self, column: str, type: pyarrow.DataType) -> pyarrow.Scalar:
        """Its value of a column that its folders name.

        Raises `ValueError` where they do not name it, or the value is of another type.
        """
        if column not in self.folders:
            raise ValueError(f"streammap: no folder of {self.name} is named {column}=…, as the schema asks for")
        try:
            return pyarrow.scalar(self.folders[column], pyarrow.string()).cast(type)
        except (pyarrow.ArrowInvalid, pyarrow.ArrowNotImplementedError):
            text = f"{column}={self.folders[column]}"
            raise ValueError(f"streammap: a folder of {self.name} is named {text}, which is no {type}") from None


def listed(paths: Iterable[str], base: Optional[str], storage: dict[str, Any], has_columns: bool) -> Iterator[Feed]:
    """The feeds at paths, at addresses, of folders, and of patterns.

    A folder below the path that is given, or below `base`, gives a value. The folders of a pattern count from its first wildcard on.
    Raises `FeedNotFoundError` where there is none.
    """
    for path in paths:
        is_remote = is_address(path)
        found = places(path, storage if is_remote else None)
        root = _path(base or plain(path), storage) if has_columns else None
        for place in found:
            if isinstance(place, File):
                place = File(os.path.abspath(place.path))
            yield Feed(place, {} if root is None else _values(place, root, base))


def local(path: str) -> str:
    """The path of a file of this machine, which may be written as `file:`.

    Raises `ValueError` for any other address.
    """
    parsed = urllib.parse.urlsplit(path)
    if parsed.scheme == "file":
        return urllib.parse.unquote(parsed.path)
    if parsed.scheme and "://" in path:
        raise ValueError(f"streammap: {path} has to be a path that is mounted: only feeds may be addresses")
    return path


def plain(path: str) -> str:
    """A path, up to its first wildcard."""
    if not is_address(path) and os.path.lexists(local(path)):
        return path
    names = path.split("/")
    return "/".join(itertools.takewhile(lambda name: not glob.has_magic(name), names))


def _path(path: str, storage: dict[str, Any]) -> str:
    """A path as places have it, without a `/` at its end."""
    if is_address(path):
        import fsspec

        return str(fsspec.core.url_to_fs(path, **storage)[1]).rstrip("/")
    return os.path.abspath(local(path)).rstrip("/")


def _values(place: Place, root: str, base: Optional[str]) -> _Values:
    path = place.path if isinstance(place, (File, Remote)) else ""
    if path == root:
        return {}
    if not path.startswith(root + "/"):
        raise ValueError(f"streammap: {place.name} is not below the basePath {base}")
    values: _Values = {}
    for folder in path[len(root) + 1 :].split("/")[:-1]:
        name, sign, text = folder.partition("=")
        name = urllib.parse.unquote(name)
        if not (name and sign):
            continue
        if name in values:
            raise ValueError(f"streammap: two folders of {place.name} are named {name}=…")
        values[name] = None if text == _NO_VALUE else urllib.parse.unquote(text)
    return values


# --- Their columns.


def columns(feeds: Iterable[Feed]) -> list[spark.StructField]:
    """The columns that the folders of all feeds name, by the types of Spark's own readers.

    Raises `ValueError` where feeds have other names than the first one.
    """
    first: Optional[Feed] = None
    texts: dict[str, set[str]] = {}
    for feed in feeds:
        if first is None:
            first, texts = feed, {name: set() for name in feed.folders}
        if list(feed.folders) != list(first.folders):
            raise ValueError(
                f"streammap: folders name the columns {_listed(first.folders)} of {first.name}, and {_listed(feed.folders)} of "
                f"{feed.name}: put the feeds into like folders, or set partitionColumns to false"
            )
        for name, text in feed.folders.items():
            if text is not None:
                texts[name].add(text)
    return [spark.StructField(name, _type(values), True) for name, values in texts.items()]


def _listed(names: Dictionary[str, Any]) -> str:
    return ", ".join(names) or "none"


def _type(texts: set[str]) -> spark.DataType:
    """The narrowest type that all values have; text where they have none in common."""
    if not texts:
        return spark.StringType()
    if all(re.fullmatch(r"-?[0-9]{1,19}", text, re.ASCII) for text in texts):
        largest = max(abs(int(text) * 2 + 1) for text in texts)
        if largest < 1 << 64:
            return spark.LongType() if largest >= 1 << 32 else spark.IntegerType()
    if all(re.fullmatch(r"-?[0-9]{1,15}(\.[0-9]{1,15})?", text, re.ASCII) for text in texts):
        return spark.DoubleType()
    return spark.DateType() if all(map(_is_date, texts)) else spark.StringType()


def _is_date(text: str) -> bool:
    try:
        return re.fullmatch(r"[0-9]{4}-[0-9]{2}-[0-9]{2}", text, re.ASCII) is not None and bool(datetime.date.fromisoformat(text))
    except ValueError:
        return False
