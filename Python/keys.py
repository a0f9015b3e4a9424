#!/usr/bin/env python3
"""Writes src/streammap/keys.py, the types of mapping files, of their JSON Schema: python3 Python/keys.py"""

import json
import keyword
import pathlib
import re
import textwrap

ROOT = pathlib.Path(__file__).resolve().parents[1]
SCHEMA = ROOT / "Schemas/mapping-file.schema.json"
RESULT = ROOT / "Python/src/streammap/keys.py"

# A map that has all keys of another one, and more: only what is more is written.
BASES = {"Field": "Element", "Case": "Element"}
KINDS = {
    "string": "str", "integer": "int", "number": "float", "boolean": "bool", "null": "None",
    "array": "List[Any]", "object": "Mapping[str, Any]",
}  # fmt: skip
# A list of texts that is longer than this has a name of its own.
SHORT = 8

HEAD = '''"""The keys of mapping files, for type checkers: a mapping that is written as a dictionary is a `MappingFile`.

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
'''


class Module:
    """The types, in the order in which they can stand in a module: what has keys may name anything, other types what is above them."""

    def __init__(self, schema):
        self.maps = {capital(name): part for name, part in schema["$defs"].items()} | {"MappingFile": schema}
        self.lists = {}
        """The names of long lists of texts, by what is written."""

    def text(self):
        others = [f"{name} = {self.kind(part, [name + 'Name'], True)}" for name, part in self.maps.items() if "properties" not in part]
        maps = {name: part for name, part in self.maps.items() if "properties" in part}
        # A base stands above what has it.
        names = sorted(maps, key=lambda name: len(self.bases(name)))
        classes = [self.map(name, maps[name], maps.get(BASES.get(name, ""), {})) for name in names]
        lists = [f"{name} = Literal[\n{wrapped(texts)}\n]  # fmt: skip" for texts, name in self.lists.items()]
        return "\n".join([HEAD, *lists, *others, *classes]) + "\n"

    def bases(self, name):
        return [BASES[name], *self.bases(BASES[name])] if name in BASES else []

    def map(self, name, part, base):
        """A map: each key with its type and what it means. A key that is a word of Python's cannot stand in a class."""
        keys = {key: value for key, value in part["properties"].items() if value != base.get("properties", {}).get(key)}
        words, above = [key for key in keys if keyword.iskeyword(key)], BASES.get(name, "TypedDict")
        lines = []
        if words:
            above = f"_{name}"
            lines = ["", "", f'{above} = TypedDict("{above}", {{']
            lines += [f'    "{key}": "{self.key(name, part, key)}",  # {keys[key]["description"]}' for key in words]
            lines += ["}, total=False)  # fmt: skip"]
        lines += ["", "", f"class {name}({above}, total=False):", f'    """{self.said(name)}"""', ""]
        lines += [f"    {key}: {self.key(name, part, key)}  # {keys[key]['description']}" for key in keys if key not in words]
        return "\n".join(lines)

    def said(self, name):
        if name == "MappingFile":
            return "A mapping file."
        return f"The keys of a mapping file where its schema says `{name[0].lower()}{name[1:]}`."

    def key(self, name, part, key):
        kind = self.kind(part["properties"][key], [capital(key), name + capital(key)])
        return f"Required[{kind}]" if key in part.get("required", []) else kind

    def kind(self, schema, names, is_above=False):
        """The type of a value. One of `names` is for a long list of texts; what stands above the classes has their names in quotes."""
        if "$ref" in schema:
            named = capital(schema["$ref"].rsplit("/", 1)[1])
            return f'"{named}"' if is_above and "properties" in self.maps[named] else named
        if "anyOf" in schema:
            if all(part.get("type") == "array" for part in schema["anyOf"]):
                # A checker does not choose between two kinds of lists.
                items = [item for part in schema["anyOf"] for item in part["prefixItems"]]
                return self.kind({"type": "array", "prefixItems": items}, names, is_above)
            # A name of a type may have a question mark: the pattern of these is one list with the names.
            texts = [text for part in schema["anyOf"] for text in choices(part)]
            others = [self.kind(part, names, is_above) for part in schema["anyOf"] if not choices(part)]
            return union([self.literal(texts, names)] * bool(texts) + others)
        if choices(schema):
            return self.literal(choices(schema), names)
        types = schema.get("type")
        if types == "array":
            items = schema.get("prefixItems") or [schema["items"]]
            return f"List[{union(self.kind(item, names, is_above) for item in items)}]"
        if types == "object":
            return f"Mapping[str, {self.kind(schema['additionalProperties'], names, is_above)}]"
        if isinstance(types, list):
            return union(KINDS[type] for type in types)
        return KINDS[types] if types else "Any"

    def literal(self, texts, names):
        written = ", ".join(json.dumps(text) if isinstance(text, str) else repr(text) for text in texts)
        free = (name for name in names if name not in self.lists.values())
        return f"Literal[{written}]" if len(texts) <= SHORT else self.lists.get(written) or self.lists.setdefault(written, next(free))


def capital(name):
    return name[0].upper() + name[1:]


def union(kinds):
    kinds = list(dict.fromkeys(kinds))
    return kinds[0] if len(kinds) == 1 else f"Union[{', '.join(kinds)}]"


def choices(schema):
    """The values that alone may stand there; none if others may."""
    if "const" in schema:
        return [schema["const"]]
    if names := re.fullmatch(r"\^\(([a-z0-9|]+)\)\\\?\$", schema.get("pattern", "")):
        return [name + "?" for name in names[1].split("|")]
    return schema.get("enum", [])


def wrapped(texts):
    return textwrap.fill(texts + ",", 120, initial_indent="    ", subsequent_indent="    ", break_on_hyphens=False)


def text():
    """What the file has to be."""
    return Module(json.loads(SCHEMA.read_text())).text()


if __name__ == "__main__":
    RESULT.write_text(text())
