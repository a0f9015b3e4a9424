"""Mappings: what becomes of records."""

from __future__ import annotations

import ctypes
import json
import os
from typing import TYPE_CHECKING, Any, Mapping as Dictionary, Sequence, Union

from . import _library
from ._dictionaries import encoded_schema
from ._errors import MappingError, Problem, call
from ._options import Errors, Options, checked, encoded

if TYPE_CHECKING:
    import pyarrow
    from typing_extensions import Unpack

    from .keys import MappingFile

MappingSource = Union["Mapping", str, "os.PathLike[str]", "MappingFile"]


class Mapping:
    """A compiled mapping: make one and keep it, any number of feeds and threads may share it.

    `source` is a mapping file's path (any `os.PathLike`, or a text of one line that does not begin with a brace), its text
    (YAML or JSON; several lines, or in braces), or the same as a dictionary: `{"streammap": 1, "record": {"id": "order_id"}}`, whose
    keys type checkers know (`streammap.keys`).

    `options` are those of `streammap.Options`. Raises `MappingError` with all mistakes, and `TypeError` where there is no such option.

    It never changes: a copy is the mapping itself. It may be pickled, by its source and its options. A mapping file is read
    again where it is unpickled: it, and the files that it uses, have to be there with the same bytes, or it is a `MappingError`.
    """

    def __init__(self, source: MappingSource, **options: "Unpack[Options]") -> None:
        self._handle: Any = None
        if isinstance(source, Dictionary):
            source = json.dumps(source, allow_nan=False)
        if isinstance(source, str) and ("\n" in source or source.lstrip().startswith("{")):
            self._open(source, False, checked(options))
        elif isinstance(source, (str, os.PathLike)):
            self._open(os.fspath(source), True, checked(options))
        else:
            raise TypeError(f"a mapping is a path, a text or a dictionary, not {type(source).__name__}")

    def _open(self, source: Union[str, bytes], is_path: bool, options: dict[str, Any]) -> None:
        functions = _library.library
        if is_path:
            handle = call(functions.streammap_mapping_open_file, _library.path(source), encoded(options), failed=None)
        else:
            content = source.encode() if isinstance(source, str) else source
            handle = call(functions.streammap_mapping_open, content, len(content), encoded(options), failed=None)
        self._handle = handle
        self._source, self._is_path, self._options = source, is_path, options
        made_of = json.loads(_library.taken(call(functions.streammap_mapping_files, handle, failed=None)))
        self._files: tuple[str, ...] = tuple(made_of["files"])
        self._digest: str = made_of["digest"]
        self._errors: Errors = made_of["errors"]
        if options.get("dictionary"):
            # What is wrong with it is said at once.
            encoded_schema(self._plain_schema, options["dictionary"])

    def __del__(self) -> None:
        handle, self._handle = getattr(self, "_handle", None), None
        if handle is not None:
            _library.library.streammap_mapping_close(handle)

    def __repr__(self) -> str:
        source = os.fsdecode(self._source) if self._is_path else _shortened(self._source)
        return f"Mapping({', '.join([repr(source), *(f'{name}={value!r}' for name, value in self._options.items())])})"

    def __copy__(self) -> "Mapping":
        return self

    def __deepcopy__(self, memo: Any) -> "Mapping":
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        source = os.path.abspath(self._source) if self._is_path else self._source
        return _unpickled, (source, self._is_path, self._options, self._digest)

    def with_options(self, **options: "Unpack[Options]") -> "Mapping":
        """The same mapping with other options beside its own; a file is read again, and has to be as it was."""
        return _unpickled(self._source, self._is_path, {**self._options, **checked(options)}, self._digest)

    def for_columns(self, names: Sequence[str]) -> "Mapping":
        """A mapping of the same records that maps no more than these columns need, for an engine that says which it uses.

        That is the mapping itself where the other fields count: where records that cannot be mapped are left out, all fields say which
        those are, and the rows must not depend on the columns that somebody looks at. So it is where the mapping needs all its fields.
        """
        if self._errors != "fail":
            return self
        options: Options = {"fields": names}
        if "dictionary" in self._options:
            options["dictionary"] = [name for name in self._options["dictionary"] if name in names]
        try:
            return self.with_options(**options)
        except MappingError:
            return self

    @property
    def files(self) -> tuple[str, ...]:
        """The paths of the files that it was made of: the mapping file, and those that it uses (`use`, `lookup`)."""
        return self._files

    @property
    def digest(self) -> str:
        """A text that changes when the bytes of the mapping, or of a file that it uses, do. Options are not in it."""
        return self._digest

    @property
    def schema(self) -> pyarrow.Schema:
        """The schema of the columns."""
        return encoded_schema(self._plain_schema, self._options.get("dictionary", ()))

    @property
    def _plain_schema(self) -> pyarrow.Schema:
        """The schema of the batches that the library makes."""
        import pyarrow

        memory = _library.Schema()
        address = ctypes.addressof(memory)
        call(_library.library.streammap_mapping_schema, self._handle, address, failed=-1)
        schema = pyarrow.Schema._import_from_c(address)
        if self._options.get("timezone", "UTC") is not None:
            return schema
        return pyarrow.schema([_without_zone(field) for field in schema], schema.metadata)


def _shortened(source: Union[str, bytes]) -> str:
    text = source if isinstance(source, str) else source.decode("utf-8", "replace")
    return text if len(text) <= 60 else text[:57] + "..."


def _without_zone(field: pyarrow.Field) -> pyarrow.Field:
    """A field whose timestamps, and those in it, name no time zone."""
    import pyarrow

    type = field.type
    if pyarrow.types.is_timestamp(type):
        type = pyarrow.timestamp(type.unit)
    elif pyarrow.types.is_list(type):
        type = pyarrow.list_(_without_zone(type.value_field))
    elif pyarrow.types.is_map(type):
        type = pyarrow.map_(type.key_type, _without_zone(type.item_field))
    elif pyarrow.types.is_struct(type):
        type = pyarrow.struct([_without_zone(type.field(i)) for i in range(type.num_fields)])
    return field.with_type(type)


def _unpickled(source: Union[str, bytes], is_path: bool, options: dict[str, Any], digest: str) -> Mapping:
    mapping = Mapping.__new__(Mapping)
    mapping._open(source, is_path, options)
    if mapping.digest != digest:
        name = os.fsdecode(source)
        raise MappingError(Problem("mapping", f"{name}, or a file that it uses, has changed since it was first read"))
    return mapping


def compiled(source: MappingSource, options: Options) -> Mapping:
    """A mapping that may be compiled already."""
    if not isinstance(source, Mapping):
        return Mapping(source, **options)
    if options:
        raise TypeError("a Mapping has its options already")
    return source


def check(source: MappingSource, **options: "Unpack[Options]") -> list[dict[str, Any]]:
    """All mistakes of a mapping, each with `line`, `column` and `message`; none if it is right.

    >>> streammap.check("streammap: 1\\nrecord: { id: { from: id, tpye: int64 } }")[0]["suggestion"]
    'type'
    """
    try:
        compiled(source, options)
    except MappingError as error:
        return error.mistakes
    return []
