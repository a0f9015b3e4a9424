"""What a query of Spark's asks for: its options, read."""

from __future__ import annotations

import dataclasses
import functools
import json
import os
import pathlib
import re
from typing import Any, Mapping as Dictionary, Optional

from pyspark.sql import types as spark

from ._mapping import Mapping
from ._spark_feeds import Feed, columns, listed, local
from ._spark_types import field_of

REJECTS = spark.StructType(
    [
        spark.StructField("feed", spark.StringType(), False),
        spark.StructField("record", spark.LongType()),
        spark.StructField("code", spark.StringType(), False),
        spark.StructField("message", spark.StringType(), False),
        spark.StructField("path", spark.StringType()),
        spark.StructField("line", spark.LongType()),
        spark.StructField("column", spark.LongType()),
        spark.StructField("offset", spark.LongType()),
        spark.StructField("end", spark.LongType()),
        spark.StructField("details", spark.StringType(), False),
    ]
)
"""The columns of rejects, a row for each error of a record; `details` is the line that `stream-map run --rejects` writes."""

_PARTITION_BYTES = 128 << 20
_OPEN_COST_BYTES = 4 << 20
_OPTIONS = {
    "records", "format", "errors", "arguments", "unseen_paths", "limits", "batch_rows", "batch_bytes", "decimal_scale", "binary",
    "raw", "fields", "where",
}  # fmt: skip
_OWN = {
    "mapping", "path", "paths", "partition_bytes", "open_cost_bytes", "index", "rejects", "rejects_to", "mode",
    "column_name_of_corrupt_record", "column_name_of_input_file", "partition_columns", "base_path", "storage_options",
    "max_files_per_trigger", "max_file_age",
}  # fmt: skip
# Spark's modes, and what becomes of a record that cannot be mapped.
_MODES = {"FAILFAST": "fail", "DROPMALFORMED": "skip", "PERMISSIVE": "reject"}

def _made(source: str, is_path: bool, options: str) -> Mapping:
    given = json.loads(options)
    if is_path:
        return Mapping(pathlib.Path(source), **given)
    return Mapping(source if "\n" in source else source + "\n", **given)


@functools.lru_cache(maxsize=16)
def compiled(source: str, is_path: bool, options: str, digest: str) -> Mapping:
    """The mapping as the driver saw it. A worker of Python runs one task after the other: one that is edited has another digest."""
    mapping = _made(source, is_path, options)
    if mapping.digest != digest:
        files = ", ".join(mapping.files)
        raise ValueError(f"streammap: this executor has other mapping files than the driver, or they were edited meanwhile: {files}")
    return mapping


@dataclasses.dataclass(frozen=True)
class Query:
    """The options, read; pickled for the executors."""

    source: str
    is_path: bool
    options: str
    digest: str
    paths: tuple[str, ...]
    storage: dict[str, Any]
    """The settings of fsspec for addresses."""
    base: Optional[str]
    """Above the folders whose names are columns."""
    has_folders: bool
    """Whether the names of folders are columns."""
    partition_bytes: int
    open_cost_bytes: int
    index: Optional[str]
    rejects: bool
    rejects_to: Optional[str]
    corrupt: Optional[str]
    """The column of the texts of records that cannot be mapped, if they are rows."""
    feed: Optional[str]
    """The column of the names of feeds, if there is one."""
    max_files: Optional[int]
    """How many feeds a batch of a stream has at most."""
    max_file_age: int
    """How much older than the newest feed a new one of a stream may be, in milliseconds."""

    @classmethod
    def of(cls, given: Dictionary[str, str]) -> "Query":
        if _OF_TABLES & {name.lower() for name in given}:
            raise ValueError(
                "streammap: Spark tells a source in Python nothing of a table's options once it is made: "
                "write CREATE TEMPORARY VIEW … USING streammap OPTIONS (path '…', mapping '…')"
            )
        options = _named(given)
        if "mapping" not in options:
            raise ValueError("streammap: give option('mapping', a mapping file's path or text)")
        rejects = _flag(options, "rejects")
        rejects_to = options.get("rejects_to")
        corrupt: Optional[str] = None
        chosen: dict[str, Any] = {name: _value(name, options[name]) for name in _OPTIONS & set(options)}
        if rejects:
            chosen["errors"] = "reject"
        elif "mode" in options:
            if "errors" in options:
                raise ValueError("streammap: the options 'mode' and 'errors' say the same; keep one of them")
            mode = options["mode"].upper()
            if mode not in _MODES:
                raise ValueError(f"streammap: option 'mode' is {', '.join(_MODES)}, not {options['mode']!r}")
            chosen["errors"] = _MODES[mode]
            if mode == "PERMISSIVE":
                if rejects_to is not None:
                    raise ValueError("streammap: PERMISSIVE keeps the records that cannot be mapped as rows: leave rejectsTo out")
                chosen["raw"] = True
                corrupt = options.get("column_name_of_corrupt_record", "_corrupt_record")
        elif rejects_to is not None:
            chosen.setdefault("errors", "reject")
        if corrupt is None and "column_name_of_corrupt_record" in options:
            raise ValueError("streammap: columnNameOfCorruptRecord is for the mode PERMISSIVE")
        feed = options.get("column_name_of_input_file")
        if rejects and feed is not None:
            raise ValueError("streammap: rejects have a column 'feed': leave columnNameOfInputFile out")
        encoded = json.dumps(chosen, sort_keys=True)
        source, is_path = _mapping(options["mapping"], encoded)
        return cls(
            source, is_path, encoded, _made(source, is_path, encoded).digest, _paths(options),
            _storage(options), options.get("base_path"), _flag(options, "partition_columns", "true") and not rejects,
            _number(options, "partition_bytes", _PARTITION_BYTES), _number(options, "open_cost_bytes", _OPEN_COST_BYTES),
            options.get("index"), rejects, rejects_to, corrupt, feed,
            _number(options, "max_files_per_trigger", 0) or None, _age(options),
        )  # fmt: skip

    def feeds(self) -> list[Feed]:
        """The feeds as they are found now.

        Raises `FeedNotFoundError` where there is none.
        """
        return list(listed(self.paths, self.base, self.storage, self.has_folders))

    @property
    def columns(self) -> spark.StructType:
        """The columns of the mapping, and those that the options name."""
        if self.rejects:
            return REJECTS
        fields = [field_of(field) for field in self.mapping.schema]
        if self.corrupt is not None:
            # A record that cannot be mapped has nothing but its text.
            fields = [spark.StructField(field.name, field.dataType, True) for field in fields]
            self._add(fields, self.corrupt, True, "columnNameOfCorruptRecord")
        if self.feed is not None:
            self._add(fields, self.feed, False, "columnNameOfInputFile")
        return spark.StructType(fields)

    @staticmethod
    def _add(fields: list[spark.StructField], name: str, is_nullable: bool, option: str) -> None:
        if name in (field.name for field in fields):
            raise ValueError(f"streammap: there is another column {name!r}: give {option} another name")
        fields.append(spark.StructField(name, spark.StringType(), is_nullable))

    def schema(self, feeds: list[Feed]) -> spark.StructType:
        """All columns: also those that the folders of feeds name."""
        own, folders = self.columns, columns(feeds)
        for field in folders:
            if field.name in own.names:
                raise ValueError(
                    f"streammap: folders are named {field.name}=…, and there is another column {field.name!r}: give it another "
                    "name, or set partitionColumns to false"
                )
        return spark.StructType([*own.fields, *folders])

    def projected(self, names: list[str]) -> "Query":
        """The query with no more fields than some columns need, where the others do not count."""
        names = [name for name in names if name in self.mapping.schema.names]
        if self.rejects or not names or self.mapping.for_columns(names) is self.mapping:
            return self
        options = {**json.loads(self.options), "fields": names}
        return dataclasses.replace(self, options=json.dumps(options, sort_keys=True))

    @property
    def mapping(self) -> Mapping:
        return compiled(self.source, self.is_path, self.options, self.digest)


# Options that Spark gives for a table, beside others of its own.
_OF_TABLES = {"provider", "location"}


def _named(given: Dictionary[str, str]) -> dict[str, str]:
    """The options by our names: Spark's are `partitionBytes`, in any case, and it hands them on in small letters.

    Options that are none are refused.
    """
    known = {name.replace("_", ""): name for name in _OPTIONS | _OWN}
    options: dict[str, str] = {}
    for given_name, value in given.items():
        name = known.get(given_name.lower().replace("_", ""))
        if name is None:
            names = sorted(map(_camel, _OPTIONS | _OWN - {"paths"}))
            raise ValueError(f"streammap: there is no option {given_name!r}; there are {', '.join(names)}")
        if name in options:
            raise ValueError(f"streammap: option {_camel(name)!r} is given twice")
        options[name] = value
    return options


def _camel(name: str) -> str:
    first, *others = name.split("_")
    return first + "".join(map(str.capitalize, others))


def _mapping(given: str, options: str) -> tuple[str, bool]:
    """The text of a mapping, which goes to the executors; its path where it uses other files."""
    if "\n" in given or given.lstrip().startswith("{"):
        return given, False
    path = local(given)
    if len(_made(path, True, options).files) > 1:
        return os.path.abspath(path), True
    with open(path, encoding="utf-8") as file:
        return file.read(), False


def _value(name: str, text: str) -> Any:
    if name in ("batch_rows", "batch_bytes", "decimal_scale", "raw"):
        return json.loads(text)
    if name in ("arguments", "limits", "where") or text.lstrip().startswith("["):
        return json.loads(text)
    return [text] if name in ("binary", "fields") else text


def _flag(options: Dictionary[str, str], name: str, default: str = "false") -> bool:
    text = options.get(name, default).lower()
    if text not in ("true", "false"):
        raise ValueError(f"streammap: option {_camel(name)!r} is true or false, not {text!r}")
    return text == "true"


def _number(options: Dictionary[str, str], name: str, default: int) -> int:
    if name not in options:
        return default
    text = options[name]
    if not text.isdecimal() or int(text) == 0:
        raise ValueError(f"streammap: option {_camel(name)!r} is a whole number from 1, not {text!r}")
    return int(text)


_UNITS = {"ms": 1, "s": 1000, "m": 60_000, "h": 3_600_000, "d": 86_400_000}


def _age(options: Dictionary[str, str]) -> int:
    """Milliseconds of a time that is written as Spark's own option is: `7d`."""
    text = options.get("max_file_age", "7d")
    match = re.fullmatch(r"([0-9]{1,12})(ms|s|m|h|d)", text, re.ASCII)
    if match is None:
        raise ValueError(f"streammap: option 'maxFileAge' is a time such as 12h or 7d (ms, s, m, h, d), not {text!r}")
    return int(match[1]) * _UNITS[match[2]]


def _paths(options: Dictionary[str, str]) -> tuple[str, ...]:
    given = json.loads(options["paths"]) if "paths" in options else [options["path"]] if "path" in options else []
    if not given:
        raise ValueError("streammap: give load(…) the path of a feed")
    return tuple(given)


def _storage(options: Dictionary[str, str]) -> dict[str, Any]:
    try:
        given = json.loads(options.get("storage_options", "{}"))
    except ValueError:
        given = None
    if not isinstance(given, dict):
        raise ValueError("streammap: option 'storageOptions' is an object of JSON, as fsspec's storage_options")
    return given
