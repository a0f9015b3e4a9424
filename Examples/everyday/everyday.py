"""What the programs of the tasks share: the feed is standard input, the result is standard output."""
import json
import sys
from decimal import Decimal

__all__ = ["Decimal", "Number", "csv_rows", "document", "dump", "json", "lines", "number", "put", "sys", "text"]


class Number(float):
    """A number that keeps its text."""

    def __new__(cls, text):
        self = super().__new__(cls, text)
        self.text = text
        return self

    def __repr__(self):
        return self.text


def text():
    return sys.stdin.buffer.read().decode("utf-8-sig")


def document():
    return json.loads(text(), parse_float=Number)


def lines():
    return [json.loads(line, parse_float=Number) for line in text().splitlines() if line.strip()]


def number(value):
    """An exact decimal without needless zeros."""
    written = format(Decimal(value).normalize(), "f")
    return int(written) if "." not in written else Number(written)


def put(value):
    print(dump(value))


def dump(value):
    # The encoder of json writes subclasses of float by float.__repr__.
    if isinstance(value, dict):
        return "{" + ",".join(dump(str(key)) + ":" + dump(part) for key, part in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ",".join(dump(part) for part in value) + "]"
    return repr(value) if isinstance(value, Number) else json.dumps(value, ensure_ascii=False)


def csv_rows(rows):
    def cell(value):
        if value is None:
            return ""
        written = value if isinstance(value, str) else dump(value)
        return '"' + written.replace('"', '""') + '"' if not written or any(c in written for c in ',"\r\n') else written

    print(",".join(cell(name) for name in rows[0]))
    for row in rows:
        print(",".join(cell(value) for value in row.values()))
