"""Columns held against the lines of the same records: random feeds, read by pyarrow and by the json of Python."""

import datetime
import decimal
import fractions
import json
import random

import pytest
from support import lines

import streammap

MAPPING = """
streammap: 1
input: { format: ndjson }
errors: { mode: skip }
record:
  i8: { from: i, type: int8, optionally: null }
  i64: { from: n.i, type: int64, default: -1 }
  u64: { from: u, type: uint64, nullable: true }
  d: { from: d, type: double, nullable: true }
  f: { from: d, type: float, nullable: true }
  dec: { from: dec, type: decimal, nullable: true }
  s: { from: s, type: string }
  up: { from: s, type: string, text: [upper] }
  b: { from: b, type: bool, nullable: true }
  at: { from: at, type: date, nullable: true }
  any: { from: any, nullable: true }
  raw: { from: raw, type: json, nullable: true }
  list: { from: list, nullable: true, each: { type: int32, nullable: true } }
  nested: { from: nested, default: [], each: { object: { k: { from: k, type: string }, v: { from: v, nullable: true, each: double } } } }
  map: { from: map, nullable: true, map: { type: int64, nullable: true } }
  obj: { from: obj, nullable: true, object: { x: { from: x, type: int16 }, y: { from: y, nullable: true, object: { z: { from: z, type: string } } } } }
"""


def text(source: random.Random) -> str:
    return "".join(source.choice(["a", "B", "é", "\n", '"', "\\", "/", "😀", "\u0000", "x" * 40]) for _ in range(source.randrange(6)))


def number(source: random.Random) -> str:
    return source.choice(
        ["0", "-0", "1", "-1.5", "1e3", "1E-3", "127", "128", "0.1", "123456789012345678901", "3.4028235e38", "1e-320", "9007199254740993",
         str(source.randrange(-(1 << 63), 1 << 64)), repr(source.uniform(-1e9, 1e9)), "2.50", "1e400"]
    )


def record(source: random.Random) -> str:
    def maybe(make):
        return "null" if source.random() < 0.15 else source.choice(["true", '"odd"', "[]"]) if source.random() < 0.03 else make()

    def quoted():
        return json.dumps(text(source), ensure_ascii=source.random() < 0.5)

    def sequence(make):
        return "[" + ",".join(make() for _ in range(source.randrange(4))) + "]"

    members = [
        ("i", lambda: str(source.randrange(-150, 150))),
        ("n", lambda: '{"i":%s}' % source.choice(["1", "-9223372036854775808", "9223372036854775807", "null"])),
        ("u", lambda: str(source.choice([0, 18446744073709551615, 42]))),
        ("d", lambda: number(source)),
        ("dec", lambda: source.choice(["0", "9.90", "-1e-10", "1e27", "12345.6789", "-0.0", "1e-11"])),
        ("s", quoted),
        ("b", lambda: source.choice(["true", "false"])),
        ("at", lambda: json.dumps(source.choice(["2026-11-22T17:45:07Z", "1969-12-31T23:59:59.999Z", "2024-02-29T00:00:00+05:30"]))),
        ("any", lambda: source.choice([quoted(), number(source), "true"])),
        ("raw", lambda: source.choice(["[1,{}]", '{"a":[null]}', quoted(), "7"])),
        ("list", lambda: sequence(lambda: source.choice(["1", "null", "-5"]))),
        ("nested", lambda: sequence(lambda: '{"k":%s,"v":%s}' % (quoted(), source.choice(["null", "[1.5,2]", "[]"])))),
        ("map", lambda: "{%s}" % ",".join('"k%d":%s' % (i, source.choice(["1", "null"])) for i in range(source.randrange(3)))),
        ("obj", lambda: '{"x":%d%s}' % (source.randrange(100), source.choice(["", ',"y":null', ',"y":{"z":"t"}']))),
    ]
    if source.random() < 0.2:
        source.shuffle(members)
    parts = ['"%s":%s' % (name, maybe(make)) for name, make in members if name == "s" or source.random() > 0.05]
    return "{" + ",".join(parts) + "}"


def single(value):
    import struct

    return struct.unpack("f", struct.pack("f", value))[0]


def row(line: str):
    """A record as its row has to be; None if a number has no place in its column."""
    value = json.loads(line, parse_float=decimal.Decimal, parse_int=decimal.Decimal)
    value = {name: value.get(name) for name in value}
    texts = json.loads(line, parse_float=str, parse_int=str)
    for name in ("i8", "i64", "u64"):
        value[name] = None if value[name] is None else int(value[name])
    value["d"] = None if value["d"] is None else float(value["d"])
    # Rounded once, from the text: rounding by way of a double may differ in the last bit.
    value["f"] = None if value["f"] is None else float(value["f"])
    if value["dec"] is not None and (fractions.Fraction(value["dec"]) * 10**10).denominator != 1:
        return None
    if value["at"] is not None:
        value["at"] = datetime.datetime.fromisoformat(value["at"].replace("Z", "+00:00"))
    for name in ("any", "raw"):
        value[name] = None if texts[name] is None else json.dumps(texts[name])
    value["list"] = None if value["list"] is None else [None if n is None else int(n) for n in value["list"]]
    for inner in value["nested"]:
        inner["v"] = None if inner["v"] is None else [float(n) for n in inner["v"]]
    value["map"] = None if value["map"] is None else [(k, None if n is None else int(n)) for k, n in value["map"].items()]
    if value["obj"] is not None:
        value["obj"]["x"] = int(value["obj"]["x"])
    return value


@pytest.mark.parametrize("seed", range(8))
def test_columns_are_what_the_lines_say(seed):
    source = random.Random(seed)
    feed = "\n".join(record(source) for _ in range(300)).encode()
    written = lines(feed, MAPPING).decode().strip("\n").split("\n")
    wanted = [made for made in map(row, written) if made is not None]
    assert len(wanted) > 100
    for options in [{}, {"batch_rows": 7}, {"jobs": 3}, {"jobs": 2, "batch_bytes": 1000}]:
        rejected = []
        table = streammap.open(feed, MAPPING, on_reject=rejected.append, **options).read_all()
        table.validate(full=True)
        rows = table.to_pylist()
        assert len(rows) + len(rejected) == 300
        assert len(rows) == len(wanted)
        for got, made in zip(rows, wanted):
            made = dict(made)
            for name in ("any", "raw"):
                got[name] = None if got[name] is None else json.dumps(json.loads(got[name], parse_float=str, parse_int=str))
            made["f"] = None if made["f"] is None else single(made["f"])
            assert got == made
