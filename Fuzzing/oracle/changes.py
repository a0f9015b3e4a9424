"""What is done with values: texts, numbers and dates that are changed, tables, and values in another form."""
import csv
import re

import dates
import exact

WHITE = "\t\n\v\f\r \x85\xa0\u1680" + "".join(map(chr, range(0x2000, 0x200B))) + "\u2028\u2029\u202f\u205f\u3000"
_whites = re.compile(f"[{WHITE}]+")


class NoValue(Exception):
    """The text has no such part."""


def _part(separator, at):
    def part(text):
        parts = text.split(separator)
        if not -len(parts) <= at < len(parts):
            raise NoValue
        return parts[at]
    return part


def step(spec):
    """One step of `text`, as a function of a text."""
    if type(spec) is str:
        return {
            "trim": lambda text: text.strip(WHITE),
            "lower": str.lower,
            "upper": lambda text: "".join([scalar.upper() for scalar in text]),
            "squeeze": lambda text: _whites.sub(" ", text),
        }[spec]
    given = spec.last
    name = next(key for key in given if key != "at")
    value = given[name]
    if name == "replace":
        return lambda text: text.replace(value[0], value[1])
    if name == "prefix":
        return lambda text: value + text
    if name == "suffix":
        return lambda text: text + value
    if name == "strip_prefix":
        return lambda text: text.removeprefix(value)
    if name == "strip_suffix":
        return lambda text: text.removesuffix(value)
    if name == "slice":
        return lambda text: text[slice(int(value[0]), int(value[1]) if len(value) > 1 else None)]
    if name == "split":
        return _part(value, int(given["at"]))
    width, scalar = int(value[0]), value[1]
    return (lambda text: text.rjust(width, scalar)) if name == "pad" else (lambda text: text.ljust(width, scalar))


def compiled(pattern):
    """A pattern of RE2 for Python: its groups' names are written in another way."""
    return re.compile(re.sub(r"\(\?<(\w)", r"(?P<\1", pattern), re.ASCII)


def extraction(pattern):
    expression = compiled(pattern)

    def extract(text):
        match = expression.search(text)
        part = match and match[1 if expression.groups else 0]
        if part is None:
            raise NoValue
        return part
    return extract


def table(file, key, value):
    with open(file, encoding="utf-8", newline="") as lines:
        rows = csv.DictReader(lines, strict=True)
        return {row[key]: row[value] for row in rows}


# MARK: Numbers

def _has_needless_places(text, places):
    """Whether more places are written than a rounded number has; a number with an exponent stays as it is written."""
    return "." in text and "e" not in text.lower() and len(text) - text.index(".") - 1 > max(places, 0)


def changed(text, factor, places):
    """A number multiplied and rounded, by its text."""
    n, e = exact.parts(text)
    if factor is None and (e >= -places or not n) and not _has_needless_places(text, places):
        return text
    if factor is not None:
        f, fe = exact.parts(factor)
        n, e = n * f, e + fe
    if places is not None and e < -places:
        digits = len(str(abs(n)))
        drop = -places - e
        if drop > digits:
            n = 0
        else:
            unit = 10 ** drop
            n = (2 * abs(n) + unit) // (2 * unit) * (-1 if n < 0 else 1)
        e = -places
    return exact.written(n, e)


# MARK: Dates

def date_text(at, form, zone):
    """A date in another form; None beyond the years 0 to 9999 of the zone."""
    if form == "rfc3339":
        return dates.written(at)
    if form in dates.UNITS:
        return dates.number(at, form)
    if form == "dotnet":
        return f"/Date({at // dates.UNITS['unix_ms']})/"
    if form == "rfc822":
        year, month, day, hour, minute, second, weekday = dates.clock(at // dates.SECOND)
        return (f"{dates.DAYS[weekday][:3].title()}, {day} {dates.MONTHS[month - 1][:3].title()} {year:04} "
                f"{hour:02}:{minute:02}:{second:02} GMT")
    return dates.by_clock(at, form, zone)
