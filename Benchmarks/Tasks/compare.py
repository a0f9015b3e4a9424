"""Whether two outputs say the same."""

import csv
import decimal
import filecmp
import itertools
import json


def difference(ours, theirs, rule):
    """What differs first, or None.

    `as` is how outputs are read: bytes, count (only how many lines there are), records (values of JSON one after the
    other; the order of keys, white space and the spelling of numbers do not count), or csv (the spelling of numbers
    does not count). `sorted`: the order of records does not count. `within`: how far numbers may be apart. `unwrap`:
    the elements of an array are the records.
    """
    if ours.stat().st_size == 0:
        return "there is no output"
    if filecmp.cmp(ours, theirs, shallow=False):
        return None
    if rule["as"] == "bytes":
        return "other bytes"
    if rule["as"] == "count":
        a, b = (sum(1 for _ in open(file, "rb")) for file in (ours, theirs))
        return None if a == b else f"{a} lines and {b}"
    left, right = (readers[rule["as"]](file, rule) for file in (ours, theirs))
    if rule.get("sorted"):
        left, right = (sorted(side, key=repr) for side in (left, right))
    within = decimal.Decimal(str(rule.get("within", 0)))
    for number, (a, b) in enumerate(itertools.zip_longest(left, right, fillvalue="nothing more"), 1):
        if not equal(a, b, within):
            return f"record {number}: {shown(a)} and {shown(b)}"
    return None


def records(file, rule):
    decoder = json.JSONDecoder(parse_int=decimal.Decimal, parse_float=decimal.Decimal)
    with open(file, encoding="utf-8") as text:
        kept = ""
        for line in text:
            kept += line
            try:
                value = decoder.decode(kept)
            except ValueError:
                # A value on several lines.
                continue
            kept = ""
            yield from value if isinstance(value, list) and rule.get("unwrap") else [value]
        if kept.strip():
            yield f"no JSON: {kept[:60]}"


def rows(file, rule):
    with open(file, encoding="utf-8", newline="") as text:
        for row in csv.reader(text):
            yield [number(cell) for cell in row]


def number(cell):
    try:
        return decimal.Decimal(cell) if cell and cell[0] in "-0123456789" else cell
    except decimal.InvalidOperation:
        return cell


readers = {"records": records, "csv": rows}


def equal(a, b, within):
    if isinstance(a, decimal.Decimal) and isinstance(b, decimal.Decimal):
        return a == b or abs(a - b) <= within
    if isinstance(a, dict) and isinstance(b, dict):
        return a.keys() == b.keys() and all(equal(a[key], b[key], within) for key in a)
    if isinstance(a, list) and isinstance(b, list):
        return len(a) == len(b) and all(map(equal, a, b, itertools.repeat(within)))
    return type(a) is type(b) and a == b


def shown(value):
    return json.dumps(value, default=str, ensure_ascii=False)[:300]
