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
    return written(n, e)


def written(n, e):
    """With as few digits as it takes, and without an exponent unless there would be more than forty zeros."""
    if not n:
        return "0"
    digits, sign = str(abs(n)), "-" if n < 0 else ""
    short = digits.rstrip("0")
    e += len(digits) - len(short)
    top = len(short) + e
    if 0 <= e <= 40:
        return sign + short + "0" * e
    if e < 0 < top:
        return f"{sign}{short[:top]}.{short[top:]}"
    if e < 0 and -top <= 40:
        return f"{sign}0.{'0' * -top}{short}"
    return f"{sign}{short[0]}{'.' + short[1:] if len(short) > 1 else ''}e{top - 1}"


# MARK: Dates

def date_text(seconds, form, zone):
    """A date in another form; None beyond the years 0 to 9999."""
    if form == "rfc3339":
        return dates.written(seconds)
    if form in dates.UNITS:
        return shortest(seconds, form)
    if form == "dotnet":
        return f"/Date({round_half_away(seconds * 1000) + dates.ORIGIN * 1000})/"
    if not dates.in_range(seconds):
        return None
    if form == "rfc822":
        year, month, day, hour, minute, second, weekday = dates.clock(seconds // 1)
        return (f"{dates.DAYS[weekday][:3].title()}, {day} {dates.MONTHS[month - 1][:3].title()} {year:04} "
                f"{hour:02}:{minute:02}:{second:02} GMT")
    return dates.by_clock(seconds, form, zone)


def round_half_away(number):
    return int(number + (0.5 if number >= 0 else -0.5))


def shortest(seconds, form):
    """The number for a date with the fewest of 0, 3 and 6 digits after the point."""
    if form == "unix_ms":
        number = seconds * 1000 + dates.ORIGIN * 1000
        back = lambda short: (short - dates.ORIGIN * 1000) / 1000
    else:
        unit = dates.UNITS[form]
        number = seconds / unit + dates.ORIGIN // unit
        back = lambda short: (short - dates.ORIGIN // unit) * unit
    for scale in (1.0, 1e3, 1e6):
        short = round_half_away(number * scale) / scale
        if back(short) == seconds:
            number = short
            break
    return str(int(number)) if number == int(number) and abs(number) < 1e16 else repr(number)
