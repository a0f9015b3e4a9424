"""The keys of mapping files, for type checkers: a mapping that is written as a dictionary is a `MappingFile`.

    from streammap.keys import MappingFile

    mapping: MappingFile = {"streammap": 1, "record": {"id": {"from": "order_id", "type": "int64"}}}

The guide "The mapping file" explains them. This file is made by Python/keys.py.
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any, List, Literal, Mapping, TypedDict, Union

if sys.version_info >= (3, 11):
    from typing import Required
elif TYPE_CHECKING:
    from typing_extensions import Required

PartName = Literal[
    "any", "string", "bool", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64", "number",
    "float", "double", "decimal", "url", "uuid", "date", "json", "int", "str", "boolean", "datetime", "float32",
    "float64", "any?", "string?", "bool?", "int8?", "int16?", "int32?", "int64?", "uint8?", "uint16?", "uint32?",
    "uint64?", "number?", "float?", "double?", "decimal?", "url?", "uuid?", "date?", "json?", "int?", "str?",
    "boolean?", "datetime?", "float32?", "float64?",
]  # fmt: skip
StepName = Literal[
    "trim", "lower", "upper", "squeeze", "base64_encode", "base64_decode", "hex_encode", "hex_decode", "url_encode",
    "url_decode",
]  # fmt: skip
ListStepName = Literal[
    "first", "last", "count", "sum", "mean", "min", "max", "sort", "unique", "reverse", "flatten", "numbers", "utf8",
]  # fmt: skip
Type = Literal[
    "any", "string", "bool", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64", "number",
    "float", "double", "decimal", "url", "uuid", "date", "json", "enum", "int", "str", "boolean", "datetime", "float32",
    "float64", "any?", "string?", "bool?", "int8?", "int16?", "int32?", "int64?", "uint8?", "uint16?", "uint32?",
    "uint64?", "number?", "float?", "double?", "decimal?", "url?", "uuid?", "date?", "json?", "enum?", "int?", "str?",
    "boolean?", "datetime?", "float32?", "float64?",
]  # fmt: skip
ArgumentType = Literal[
    "any", "string", "bool", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64", "number",
    "float", "double", "decimal", "url", "uuid", "date", "json", "enum", "int", "str", "boolean", "datetime", "float32",
    "float64",
]  # fmt: skip
Format = Literal[
    "ndjson", "json", "pretty", "csv", "tsv", "text", "pgcopy", "sqlite", "parquet", "arrow",
]  # fmt: skip
Args = Literal[
    "any", "string", "bool", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64", "number",
    "float", "double", "decimal", "url", "uuid", "date", "int", "str", "boolean", "datetime", "float32", "float64",
]  # fmt: skip
Path = str
Fields = Mapping[str, Union[Path, "Field"]]
Part = Union[PartName, "Element"]
Coercion = Literal["string", "number", "bool"]
Step = Union[StepName, "Change"]
ListStep = Union[ListStepName, "ListChange"]
Condition = Union["Combination", "Comparison"]


class Input(TypedDict, total=False):
    """The keys of a mapping file where its schema says `input`."""

    format: Literal["auto", "json", "ndjson", "concat", "seq"]  # How the records follow each other.
    records: Union[str, List[str]]  # Where the records of a document are, as $.items[*]; several are merged.
    duplicate_keys: Literal["last", "first", "fail", "report"]  # What becomes of a key that occurs again.
    unknown: str  # What becomes of keys that nothing in the mapping reads: ignore, report, fail, or collect:name into a field.
    limits: Limits  # What a feed may demand.


class Limits(TypedDict, total=False):
    """The keys of a mapping file where its schema says `limits`."""

    depth: Union[int, str]  # The most levels of nesting.
    string: Union[int, str]  # The most bytes in a mapped string.
    number: Union[int, str]  # The most characters in a number.
    key: Union[int, str]  # The most bytes in a key.
    members: Union[int, str]  # The most members in a mapped object.
    elements: Union[int, str]  # The most elements in a mapped array.
    errors: Union[int, str]  # The most errors kept of a record.
    captured: Union[int, str]  # The most bytes in a part mapped as a whole.
    replayed: Union[int, str]  # The most bytes of a record read again for alternatives and for fields that share a source.
    record: Union[int, str]  # The most bytes in a record.


_Context = TypedDict("_Context", {
    "from": "Required[Path]",  # The path of the value, as user.name, tags[0], ['a.b'] or /a/b; $ is the whole.
    "with": "str",  # What stands between the joined texts.
    "as": "str",  # The form that a date is written in: rfc3339, rfc822, dotnet, unix_s, unix_ms, unix_us, unix_ns, unix_min, unix_h, days, or a pattern by Unicode; default: rfc3339.
}, total=False)  # fmt: skip


class Context(_Context, total=False):
    """The keys of a mapping file where its schema says `context`."""

    first_of: List[Union[Path, Element]]  # The first of these paths, or of these values, that is there and fits.
    join: List[Path]  # The texts at these paths as one text.
    template: str  # One text with the values at paths in braces, as '{name}{? ({unit})}'; what is in {? } vanishes where one of its values is absent.
    type: Type  # What the value is; null, too, with a question mark, as in int64?.
    object: Fields  # A nested record.
    each: Part  # An array: what each element becomes.
    map: Part  # An object with any keys: what each value becomes.
    use: str  # The record of another file, by its name under the file's use; record is that of this file itself.
    dispatch: Dispatch  # One of several, chosen by what is there.
    schemes: Union[str, List[str]]  # The schemes of a URL.
    format: Union[str, List[str]]  # The format of a date, or several, tried in their order: rfc3339, rfc822, dotnet, unix_s, unix_ms, unix_us, unix_ns, unix_min, unix_h, days, or a pattern by Unicode.
    zone: str  # The time zone of dates whose text has none, as Europe/Berlin or +02:00.
    values: Union[Mapping[str, Union[str, float, bool, None]], List[str]]  # The texts of an enum and what they stand for, or a list of texts.
    coerce: Union[Coercion, List[Coercion]]  # What of another kind becomes the type, too.
    on_item_error: Literal["drop", "fail"]  # What becomes of an array with an element that does not fit.
    validate: Rules  # What the value has to be.
    redact: bool  # Whether errors and rejected records must not show it: see the guide Errors.
    rest: Literal["drop", "keep"]  # Whether members that no field takes come after the fields, as they stand.
    drop: Union[Path, List[Path]]  # With rest: keep, the paths of what is left out of them, from the object on, as password or audit.*.
    where: Condition  # The elements that are kept; paths are relative to the element.
    late: Literal["fail", "null", None]  # What becomes of a value that comes after records: it is an error (fail, the default), or they have null, or the default.
    nullable: bool  # Null if it is absent or null.
    required: bool  # Whether it has to be there; the default.
    default: Any  # Its value if it is absent or null.
    optionally: Any  # Its value if it is absent, null or wrong; an issue.
    text: Union[Step, List[Step]]  # What is done with a text before it is read: a step, or a list of steps in their order.
    extract: str  # A pattern (RE2): its first group, or the whole match, is taken; with object, the groups with names.
    lookup: Lookup  # A table from a CSV file: what stands for the text.
    otherwise: Union[str, float, bool, None]  # What stands for texts that values or lookup do not have.
    units: Mapping[str, float]  # What may stand after a number in a text, as { m: 0.001, Ki: 1024 }, and what it multiplies the number by.
    scale: float  # What a number is multiplied by, exactly.
    round: int  # How many places after the point a number is rounded to, or the result of calc; a half goes away from zero.
    as_zone: str  # The time zone of dates that are written by a pattern, as Europe/Berlin.
    split: str  # The text between the parts of a text, which becomes an array.
    parse: Literal["json", "query"]  # What is in a string.
    entries: List[str]  # An object as a list of its members: what their key and their value are called.
    list: Union[ListStep, List[ListStep]]  # What is done with the elements of an array: a step, or a list of steps in their order; the last may make one value of them.
    unwrap: Union[Mapping[str, Literal["value", "number", "null", "members", None]], List[str]]  # The keys of objects of one member that wrap a value, as { S: value, N: number, M: members }, at any depth; what they hold is mapped.
    from_entries: List[str]  # A list of entries as an object: what their key and their value are called.
    joined: str  # The text between the elements of an array, which becomes one text.
    count: Literal[True]  # The number of elements or members.
    meta: Literal["key", "index"]  # The key or the index, at the path, of what the record is in.


class Argument(TypedDict, total=False):
    """The keys of a mapping file where its schema says `argument`."""

    type: ArgumentType  # What the value is.
    schemes: Union[str, List[str]]  # The schemes of a URL.
    format: Union[str, List[str]]  # The format of a date, or several, tried in their order: rfc3339, rfc822, dotnet, unix_s, unix_ms, unix_us, unix_ns, unix_min, unix_h, days, or a pattern by Unicode.
    zone: str  # The time zone of dates whose text has none, as Europe/Berlin or +02:00.
    values: Union[Mapping[str, Union[str, float, bool, None]], List[str]]  # The texts of an enum and what they stand for, or a list of texts.
    validate: Rules  # What the value has to be.
    redact: bool  # Whether it is a secret: nothing shows it, and only key of hmac takes it.
    default: Union[str, float, bool, None]  # Its value if it is absent or null.


_Element = TypedDict("_Element", {
    "from": "Path",  # The path of the value, as user.name, tags[0], ['a.b'] or /a/b; $ is the whole.
    "with": "str",  # What stands between the joined texts.
    "as": "str",  # The form that a date is written in: rfc3339, rfc822, dotnet, unix_s, unix_ms, unix_us, unix_ns, unix_min, unix_h, days, or a pattern by Unicode; default: rfc3339.
}, total=False)  # fmt: skip


class Element(_Element, total=False):
    """The keys of a mapping file where its schema says `element`."""

    first_of: List[Union[Path, Element]]  # The first of these paths, or of these values, that is there and fits.
    join: List[Path]  # The texts at these paths as one text.
    template: str  # One text with the values at paths in braces, as '{name}{? ({unit})}'; what is in {? } vanishes where one of its values is absent.
    zip: Union[Path, Fields]  # Several lists as one list of objects, each with an element of each list; their names and paths, or the path of an object that has them.
    calc: Union[str, float, bool, None]  # A formula: paths, literals, + - * / %, == != < <= > >=, and or not, ??, round floor abs min max length number, and $name for an argument.
    cases: List[Case]  # Several values, each under a condition: the first whose condition holds.
    type: Type  # What the value is; null, too, with a question mark, as in int64?.
    object: Fields  # A nested record.
    each: Part  # An array: what each element becomes.
    map: Part  # An object with any keys: what each value becomes.
    use: str  # The record of another file, by its name under the file's use; record is that of this file itself.
    dispatch: Dispatch  # One of several, chosen by what is there.
    nullable: bool  # Null if it is absent or null.
    required: bool  # Whether it has to be there; the default.
    default: Any  # Its value if it is absent or null.
    optionally: Any  # Its value if it is absent, null or wrong; an issue.
    by: Path  # With zip: what elements that belong together have in common; without it their position.
    schemes: Union[str, List[str]]  # The schemes of a URL.
    format: Union[str, List[str]]  # The format of a date, or several, tried in their order: rfc3339, rfc822, dotnet, unix_s, unix_ms, unix_us, unix_ns, unix_min, unix_h, days, or a pattern by Unicode.
    zone: str  # The time zone of dates whose text has none, as Europe/Berlin or +02:00.
    values: Union[Mapping[str, Union[str, float, bool, None]], List[str]]  # The texts of an enum and what they stand for, or a list of texts.
    coerce: Union[Coercion, List[Coercion]]  # What of another kind becomes the type, too.
    on_item_error: Literal["drop", "fail"]  # What becomes of an array with an element that does not fit.
    validate: Rules  # What the value has to be.
    redact: bool  # Whether errors and rejected records must not show it: see the guide Errors.
    rest: Literal["drop", "keep"]  # Whether members that no field takes come after the fields, as they stand.
    drop: Union[Path, List[Path]]  # With rest: keep, the paths of what is left out of them, from the object on, as password or audit.*.
    where: Condition  # The elements that are kept; paths are relative to the element.
    text: Union[Step, List[Step]]  # What is done with a text before it is read: a step, or a list of steps in their order.
    extract: str  # A pattern (RE2): its first group, or the whole match, is taken; with object, the groups with names.
    lookup: Lookup  # A table from a CSV file: what stands for the text.
    otherwise: Union[Union[str, float, bool, None], List[Any], Field]  # What stands for texts that values or lookup do not have, a scalar; with cases what the value is where no case holds, a scalar or a map as a field's.
    units: Mapping[str, float]  # What may stand after a number in a text, as { m: 0.001, Ki: 1024 }, and what it multiplies the number by.
    scale: float  # What a number is multiplied by, exactly.
    round: int  # How many places after the point a number is rounded to, or the result of calc; a half goes away from zero.
    as_zone: str  # The time zone of dates that are written by a pattern, as Europe/Berlin.
    split: str  # The text between the parts of a text, which becomes an array.
    parse: Literal["json", "query"]  # What is in a string.
    entries: List[str]  # An object as a list of its members: what their key and their value are called.
    list: Union[ListStep, List[ListStep]]  # What is done with the elements of an array: a step, or a list of steps in their order; the last may make one value of them.
    unwrap: Union[Mapping[str, Literal["value", "number", "null", "members", None]], List[str]]  # The keys of objects of one member that wrap a value, as { S: value, N: number, M: members }, at any depth; what they hold is mapped.
    from_entries: List[str]  # A list of entries as an object: what their key and their value are called.
    joined: str  # The text between the elements of an array, which becomes one text.
    count: Literal[True]  # The number of elements or members.


class Change(TypedDict, total=False):
    """The keys of a mapping file where its schema says `change`."""

    replace: List[str]  # A text, and the one that takes its place.
    prefix: str  # What is put before the text.
    suffix: str  # What is put after the text.
    strip_prefix: str  # What is taken away before the text, if it is there.
    strip_suffix: str  # What is taken away after the text, if it is there.
    slice: List[int]  # From one character up to another, or to the end; negative ones count from the end.
    split: str  # What is between the parts; at chooses one of them.
    pad: List[Union[int, str]]  # A length, and the character that is put before the text for it.
    pad_end: List[Union[int, str]]  # A length, and the character that is put after the text for it.
    replace_pattern: List[Union[str, Lookup]]  # A pattern (RE2), and what takes the place of each match: a text, in which $0 is the match, $1, ${1} or ${name} a group and $$ a dollar sign; or a table, by the first group or the match.
    number_format: str  # How the text of a number looks: 0, 0.00, #,##0 or #,##0.00, with any signs between groups and before the fraction.
    url: Literal["scheme", "user", "host", "port", "path", "query", "fragment"]  # A part of a URL, which has to have it.
    mask: int  # How many characters stay at the end, or at the start if it is negative; * stands for each of the others.
    hash: Literal["sha256"]  # The hash of the text, as hexadecimal digits.
    hmac: Literal["sha256"]  # The hash of the text with a key (HMAC), as hexadecimal digits.
    at: int  # The part, from 0; a negative one counts from the end.
    key: Secret  # The key of hmac.


class Secret(TypedDict, total=False):
    """The keys of a mapping file where its schema says `secret`."""

    arg: str  # The name of an argument with redact: true.
    file: str  # A file, relative to this one; a line end at its end is no part of the key.


_ListChange = TypedDict("_ListChange", {
    "from": "Path",  # What is at the path in each element; one without it is left out.
}, total=False)  # fmt: skip


class ListChange(_ListChange, total=False):
    """The keys of a mapping file where its schema says `listChange`."""

    where: Condition  # The elements for which the condition holds.
    sort: Path  # In the order of the numbers or texts at the path; what has none is at the end.
    unique: Path  # The first of the elements with equal values at the path.
    slice: List[int]  # From one element up to another, or to the end; negative ones count from the end.
    nth: int  # One element, from 0; a negative one counts from the end.
    any: Condition  # Whether the condition holds for one element.
    all: Condition  # Whether the condition holds for each element.


class Lookup(TypedDict, total=False):
    """The keys of a mapping file where its schema says `lookup`."""

    file: Required[str]  # The file, relative to this one: CSV with a header, or objects (.ndjson).
    key: Required[Union[str, List[str]]]  # The column with the texts; or several, for the texts of join.
    value: Required[Union[str, List[str]]]  # The column with what stands for them; of several, an object.


class Dispatch(TypedDict, total=False):
    """The keys of a mapping file where its schema says `dispatch`."""

    on: Path  # The path of keys to the text that chooses; without it the kind of the value does.
    cases: Required[Mapping[str, Part]]  # What becomes of each text, or kind (null, boolean, number, string, object, array).
    otherwise: Part  # What becomes of all others.


_Rules = TypedDict("_Rules", {
    "not": "Rules",  # None of these together.
}, total=False)  # fmt: skip


class Rules(_Rules, total=False):
    """The keys of a mapping file where its schema says `rules`."""

    min: Union[float, str]  # At least.
    max: Union[float, str]  # At most.
    range: List[Union[float, str]]  # From one to the other.
    greater_than: Union[float, str]  # More than.
    greater_than_or_equal_to: Union[float, str]  # This or more.
    less_than: Union[float, str]  # Less than.
    less_than_or_equal_to: Union[float, str]  # This or less.
    multiple_of: float  # A multiple of this number.
    equal_to: Union[str, float, bool, List[Any], Mapping[str, Any]]  # This value.
    one_of: List[Union[str, float, bool, List[Any], Mapping[str, Any]]]  # One of these values.
    matches: str  # A text that matches the pattern (RE2) as a whole.
    matches_anywhere: str  # A text with a match of the pattern (RE2) in it.
    length: int  # So many characters (Unicode scalars).
    min_length: int  # At least so many characters.
    max_length: int  # At most so many characters.
    length_range: List[int]  # From so many characters to so many.
    count: int  # So many elements.
    min_count: int  # At least so many elements.
    max_count: int  # At most so many elements.
    count_range: List[int]  # From so many elements to so many.
    unique: Literal[True]  # No two elements are equal.
    either: List[Rules]  # At least one of these.
    all: List[Rules]  # All of these.


_Combination = TypedDict("_Combination", {
    "not": "Condition",  # This does not hold.
}, total=False)  # fmt: skip


class Combination(_Combination, total=False):
    """The keys of a mapping file where its schema says `combination`."""

    all: List[Condition]  # All of these hold.
    any: List[Condition]  # One of these holds.


_Comparison = TypedDict("_Comparison", {
    "from": "Path",  # A path in the source, relative to the record or the element.
}, total=False)  # fmt: skip


class Comparison(_Comparison, total=False):
    """The keys of a mapping file where its schema says `comparison`."""

    field: Path  # A member of the mapped record.
    calc: Union[str, float, bool, None]  # A formula: alone, it has to be true; else its value is compared.
    context: str  # A value from outside the record, by its name under the file's context.
    meta: Literal["record_number", "byte_offset", "line", "file", "key", "index"]  # What the record tells of itself.
    exists: bool  # Whether it is there and not null.
    equals: Union[str, float, bool, List[Any], Mapping[str, Any]]  # It is this value.
    kind: Literal["boolean", "number", "string", "object", "array"]  # It is a value of this kind.
    min: Union[float, str]  # At least.
    max: Union[float, str]  # At most.
    range: List[Union[float, str]]  # From one to the other.
    greater_than: Union[float, str]  # More than.
    greater_than_or_equal_to: Union[float, str]  # This or more.
    less_than: Union[float, str]  # Less than.
    less_than_or_equal_to: Union[float, str]  # This or less.
    multiple_of: float  # A multiple of this number.
    one_of: List[Union[str, float, bool, List[Any], Mapping[str, Any]]]  # One of these values.
    matches: str  # A text that matches the pattern (RE2) as a whole.
    matches_anywhere: str  # A text with a match of the pattern (RE2) in it.
    length: int  # So many characters (Unicode scalars).
    min_length: int  # At least so many characters.
    max_length: int  # At most so many characters.
    length_range: List[int]  # From so many characters to so many.
    count: int  # So many elements.
    min_count: int  # At least so many elements.
    max_count: int  # At most so many elements.
    count_range: List[int]  # From so many elements to so many.
    unique: Literal[True]  # No two elements are equal.


class Errors(TypedDict, total=False):
    """The keys of a mapping file where its schema says `errors`."""

    mode: Literal["fail", "skip", "reject"]  # Whether a record that cannot be mapped ends the run, is left out, or is written to the rejects.
    rejects: str  # The file of rejected records; - is standard output.
    resync: bool  # Whether a malformed record inside a document costs only itself: reading continues at the next one.
    max: int  # The run ends when more records than this were rejected.
    max_ratio: float  # The run ends when more than this share of the records was rejected.


class Output(TypedDict, total=False):
    """The keys of a mapping file where its schema says `output`."""

    format: Format  # The form of the output.
    nulls: Literal["keep", "omit"]  # Whether members that are null are written.
    header: bool  # Whether the names of the columns come first (csv, tsv); default: true.
    nested: str  # What stands between the names of a column in an object inside (csv, tsv, pgcopy); default: a dot. With json, such an object is one column of JSON.
    arrays: Union[Literal["json", "explode"], Arrays]  # What becomes of arrays, in every form: they stay (default), become texts of their elements, or have a row for each element of the only array.
    safe: bool  # Whether a text that a spreadsheet would take for a formula begins with an apostrophe (csv, tsv); default: false.
    file: str  # The database that rows are written to (sqlite); -o names another.
    table: str  # The table that rows are for (sqlite, and the statement of ddl); default: the mapping's name, or records.
    key: Union[str, List[str]]  # The columns that tell rows apart: the primary key of a table that is made.
    mode: Literal["insert", "replace", "upsert"]  # What becomes of a row whose key is there already (sqlite): an error (default), the row is replaced, or it gets the new values.


class Arrays(TypedDict, total=False):
    """The keys of a mapping file where its schema says `arrays`."""

    explode: str  # The array whose elements have a row each, by the names that lead to it: lines, or lines.taxes for those in each line.
    joined: str  # What stands between the elements of other arrays, which become texts.


class OneMapping(TypedDict, total=False):
    """The keys of a mapping file where its schema says `oneMapping`."""

    name: str  # What the mapping is called.
    input: Input  # The feed.
    context: Mapping[str, Union[Path, Context]]  # Values from outside the records, each captured once in a document.
    args: Mapping[str, Union[Args, Argument]]  # What the mapping is given for each run, by --set name=value: a type, or a map.
    record: Union[Literal["$"], Fields]  # What becomes of each record: a field for each member; or $, the record as it stands.
    rest: Literal["drop", "keep"]  # Whether members that no field takes come after the fields, as they stand.
    drop: Union[Path, List[Path]]  # With rest: keep, the paths of what is left out of them, from the object on, as password or audit.*.
    value: Part  # Instead of a record of fields: what else becomes of each record, a type's name or any element.
    where: Condition  # The records that are kept.
    use: Mapping[str, str]  # Other mapping files, relative to this one, by the names that fields use them by.
    errors: Errors  # What becomes of records that cannot be mapped.
    output: Output  # What is written.


class MappingFile(TypedDict, total=False):
    """A mapping file."""

    streammap: Required[Literal[1]]  # The version of the format.
    name: str  # What the mapping is called.
    input: Input  # The feed.
    context: Mapping[str, Union[Path, Context]]  # Values from outside the records, each captured once in a document.
    args: Mapping[str, Union[Args, Argument]]  # What the mapping is given for each run, by --set name=value: a type, or a map.
    record: Union[Literal["$"], Fields]  # What becomes of each record: a field for each member; or $, the record as it stands.
    rest: Literal["drop", "keep"]  # Whether members that no field takes come after the fields, as they stand.
    drop: Union[Path, List[Path]]  # With rest: keep, the paths of what is left out of them, from the object on, as password or audit.*.
    value: Part  # Instead of a record of fields: what else becomes of each record, a type's name or any element.
    where: Condition  # The records that are kept.
    use: Mapping[str, str]  # Other mapping files, relative to this one, by the names that fields use them by.
    errors: Errors  # What becomes of records that cannot be mapped.
    output: Output  # What is written.
    mappings: Mapping[str, OneMapping]  # Several mappings of one feed, by their names, each with an output (-o NAME=FILE). What stands beside them is said for each that does not say it itself.


class Field(Element, total=False):
    """The keys of a mapping file where its schema says `field`."""

    const: Any  # A fixed value.
    meta: Literal["record_number", "byte_offset", "line", "file", "key", "index"]  # What the record tells of itself.
    context: str  # A value from outside the record, by its name under the file's context.
    arg: str  # The value of an argument, by its name under the file's args.


class Case(Element, total=False):
    """The keys of a mapping file where its schema says `case`."""

    when: Required[Condition]  # The condition of the case; it looks at the source.
    const: Any  # A fixed value.
    meta: Literal["record_number", "byte_offset", "line", "file", "key", "index"]  # What the record tells of itself.
    context: str  # A value from outside the record, by its name under the file's context.
    arg: str  # The value of an argument, by its name under the file's args.
