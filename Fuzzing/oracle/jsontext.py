"""JSON that keeps what a mapping may see: the text of each number, and every member of an object, in its order.

A value is None, a bool, a str, a Number, a list or an Object.
"""
import json
import re
import sys

MAX_DEPTH = 512
sys.setrecursionlimit(20_000)


class Number(str):
    """A number as it is written."""

    __slots__ = ()


class Object:
    """The members of an object, and the one of each key that counts."""

    __slots__ = ("pairs", "last", "_first")

    def __init__(self, pairs):
        self.pairs = pairs
        self.last = dict(pairs)
        self._first = None

    @property
    def has_duplicates(self):
        return len(self.last) != len(self.pairs)

    @property
    def first(self):
        if self._first is None:
            # In the order of the keys, as dict(pairs) is.
            self._first = {**self.last, **dict(reversed(self.pairs))} if self.has_duplicates else self.last
        return self._first


class Malformed(Exception):
    """The text is no JSON, or is deeper than a feed may be."""


def _refuse(name):
    raise Malformed(name)


_decoder = json.JSONDecoder(
    object_pairs_hook=Object, parse_int=Number, parse_float=Number, parse_constant=_refuse)
_surrogate = re.compile(r"\\u[dD][89a-fA-F]")


def parse(text):
    """The value that a text is; Malformed where it is none."""
    try:
        value = _decoder.decode(text)
    except (ValueError, RecursionError) as error:
        raise Malformed(str(error)) from None
    if text.count("[") + text.count("{") > MAX_DEPTH and _depth(value) > MAX_DEPTH:
        raise Malformed("too deep")
    # A lone surrogate is no character: Python reads it, and cannot write it.
    if _surrogate.search(text):
        try:
            write(value).encode()
        except UnicodeEncodeError as error:
            raise Malformed(str(error)) from None
    return value


def _depth(value):
    depth, level = 0, [value]
    while level := [
        inner for value in level
        for inner in (value if type(value) is list else [v for _, v in value.pairs] if type(value) is Object else ())
    ]:
        depth += 1
    return depth + (type(value) in (list, Object) and depth == 0)


_escape = re.compile(r'[\x00-\x1f"\\]')
_escapes = {'"': '\\"', "\\": "\\\\", "\b": "\\b", "\f": "\\f", "\n": "\\n", "\r": "\\r", "\t": "\\t"}


def escaped(match):
    character = match.group()
    return _escapes.get(character) or f"\\u{ord(character):04x}"


def quoted(text):
    """A string of JSON, with only the escapes that RFC 8259 requires, in their short forms."""
    return f'"{_escape.sub(escaped, text)}"' if _escape.search(text) else f'"{text}"'


def write(value):
    """The text of a value, without white space."""
    kind = type(value)
    if kind is Number:
        return str(value)
    if kind is str:
        return quoted(value)
    if value is None:
        return "null"
    if kind is bool:
        return "true" if value else "false"
    if kind is list:
        return f"[{','.join([write(element) for element in value])}]"
    return "{" + ",".join([f"{quoted(key)}:{write(member)}" for key, member in value.pairs]) + "}"
