"""What is done with values: texts, numbers and dates that are changed, tables, and values in another form."""
import base64
import csv
import hashlib
import hmac
import re
from urllib.parse import quote, unquote_to_bytes

import dates
import exact
import jsontext

# Between the texts of several columns.
SEVERAL = "\x1f"
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
            "base64_encode": lambda text: base64.b64encode(text.encode()).decode(),
            "base64_decode": _base64,
            "hex_encode": lambda text: text.encode().hex(),
            "hex_decode": _hex,
            "url_encode": lambda text: quote(text, safe="-._~"),
            "url_decode": percent,
        }[spec]
    given = spec.last
    name = next(key for key in given if key not in ("at", "key"))
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
    if name == "replace_pattern":
        return _replaced(*value) if type(value[1]) is str else _replaced_by_table(value[0], value[1].last)
    if name == "url":
        return lambda text: _url_part(text, value)
    if name == "hash":
        return lambda text: hashlib.sha256(text.encode()).hexdigest()
    if name == "hmac":
        with open(given["key"].last["file"], "rb") as file:
            key = file.read().removesuffix(b"\n")
        return lambda text: hmac.new(key, text.encode(), "sha256").hexdigest()
    if name == "number_format":
        return lambda text: number_format(value, text)
    if name == "mask":
        return lambda text: _mask(text, int(value))
    width, scalar = int(value[0]), value[1]
    return (lambda text: text.rjust(width, scalar)) if name == "pad" else (lambda text: text.ljust(width, scalar))


def number_format(form, text):
    """A number as a text: the format shows its signs and its places."""
    if not exact.is_number(text):
        raise NoValue
    group, decimal, places = re.fullmatch(r"(?:#(.)##)?0(?:(.)(0+))?", form, re.DOTALL).groups()
    places = len(places or "")
    sign, exponent = exact.parts(text)
    if sign and len(str(abs(sign))) + exponent > 400:
        raise NoValue
    # Without numbers of a million digits.
    scaled = abs(sign) * 10 ** (exponent + places) if exponent + places >= 0 else \
        (2 * abs(sign) + 10 ** (-exponent - places)) // (2 * 10 ** (-exponent - places)) if exponent > -2000 else 0
    digits = str(scaled).rjust(places + 1, "0")
    whole, fraction = digits[:len(digits) - places], digits[len(digits) - places:]
    if group:
        whole = re.sub(r"(?<=.)(?=(?:...)+$)", lambda _: group, whole)
    return ("-" if sign < 0 and scaled else "") + whole + (decimal + fraction if places else "")


def _text(data):
    try:
        return data.decode()
    except UnicodeDecodeError:
        raise NoValue from None


def _base64(text):
    """Of RFC 4648, sections 4 and 5: each value has one text, but that in the second padding may be absent."""
    for standard in (True, False):
        whole = text if standard or "=" in text else text + "=" * (-len(text) % 4)
        try:
            data = base64.b64decode(whole, b"+/" if standard else b"-_", validate=True)
        except ValueError:
            continue
        if base64.b64encode(data, b"+/" if standard else b"-_").decode() == whole:
            return _text(data)
    raise NoValue


def _hex(text):
    if not re.fullmatch("(?:[0-9a-fA-F]{2})*", text):
        raise NoValue
    return _text(bytes.fromhex(text))


def percent(text):
    if re.search("%(?![0-9a-fA-F]{2})", text):
        raise NoValue
    return _text(unquote_to_bytes(text))


def query(text):
    """A query as an object of texts."""
    pairs = [part.partition("=") for part in text.split("&") if part]
    return jsontext.Object([(percent(name.replace("+", " ")), percent(value.replace("+", " "))) for name, _, value in pairs])


def _replaced(pattern, replacement):
    """Each match is replaced; patterns that match an empty text are not drawn."""
    expression = compiled(pattern)
    pieces = re.findall(r"\$\$|\$\d|\$\{\w+\}|[^$]+", replacement)

    def of(match):
        made = ""
        for piece in pieces:
            if piece == "$$":
                made += "$"
            elif piece.startswith("${"):
                made += match[piece[2:-1]] or ""
            elif piece.startswith("$"):
                made += match[int(piece[1])] or ""
            else:
                made += piece
        return made
    return lambda text: expression.sub(of, text)


def _replaced_by_table(pattern, lookup):
    """Each match is replaced by what a table has for its first group, or for all of it; else it stays."""
    expression = compiled(pattern)
    rows = table(lookup["file"], lookup["key"], lookup["value"])
    group = min(expression.groups, 1)
    return lambda text: expression.sub(lambda match: rows.get(match[group], match[0]), text)


_reference = re.compile(r"(?:([^:/?#]+):)?(?://([^/?#]*))?([^?#]*)(?:\?([^#]*))?(?:#(.*))?", re.DOTALL)


def _url_part(text, name):
    """By the expression of RFC 3986, appendix B."""
    scheme, authority, path, asked, fragment = _reference.fullmatch(text).groups()
    user = host = port = None
    if authority is not None:
        before, at, rest = authority.rpartition("@")
        user = before if at else None
        host, port = re.fullmatch(r"(.*?)(?::([^:\]]*))?", rest, re.DOTALL).groups()
        host = host[1:-1] if host[:1] == "[" and host[-1:] == "]" else host
    found = {"scheme": scheme, "user": user, "host": host or None, "port": port or None, "path": path, "query": asked,
             "fragment": fragment}[name]
    if found is None:
        raise NoValue
    return found


def _mask(text, shown):
    hidden = max(0, len(text) - abs(shown))
    return text[:len(text) - hidden] + "*" * hidden if shown < 0 else "*" * hidden + text[hidden:]


# MARK: Templates

def template(text):
    """The pieces of a template, its paths, and the numbers of those that have to be there."""
    pieces, paths, required, inside = [], [], set(), None
    for sign, path, plain in re.findall(r"(\{\{|\}\}|\{\?)|\{([^{}]+)\}|(\}|[^{}]+)", text):
        here = pieces if inside is None else inside
        if sign == "{?":
            inside = []
        elif plain == "}":
            pieces.append(("optional", inside))
            inside = None
        elif path:
            if path not in paths:
                paths.append(path)
            here.append(("value", paths.index(path)))
            if inside is None:
                required.add(paths.index(path))
        else:
            here.append(("text", sign[0] if sign else plain))
    return pieces, paths, required


def filled(pieces, values):
    text = ""
    for kind, given in pieces:
        if kind == "optional":
            if all(values[number] is not None for piece, number in given if piece == "value"):
                text += filled(given, values)
        else:
            text += values[given] if kind == "value" else given
    return text


def of_units(text, units):
    """The number of a text with a unit; the longest that leaves a number counts."""
    for unit in sorted(units, key=lambda unit: -len(unit.encode())):
        if text.endswith(unit):
            number = text[:len(text) - len(unit)]
            number = number.rstrip(" ") if unit else number
            if exact.is_number(number):
                return changed(number, units[unit], None)
    if exact.is_number(text):
        return text
    raise NoValue


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


def _cell(value):
    return ("true" if value else "false") if type(value) is bool else str(value)


def table(file, key, value):
    """What a table has for each key: a text or, of several columns, an object."""
    with open(file, encoding="utf-8", newline="") as lines:
        if file.endswith(".ndjson"):
            rows = [jsontext.parse(line).last for line in lines if line.strip()]
        else:
            rows = list(csv.DictReader(lines, strict=True))

    def made(row):
        if type(value) is list:
            return jsontext.Object([(name, row.get(name)) for name in value])
        return _cell(row[value])
    keys = key if type(key) is list else [key]
    return {SEVERAL.join([_cell(row[name]) for name in keys]): made(row) for row in rows}


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
