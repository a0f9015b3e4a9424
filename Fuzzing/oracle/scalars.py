"""What a scalar of a mapping file takes, and what it becomes."""
import ipaddress
import re

import changes
import dates
import exact
from jsontext import Number

ABSENT, NOTHING, FAILED = (type(name, (), {"__repr__": lambda self: type(self).__name__})()
                           for name in ("ABSENT", "NOTHING", "FAILED"))
NO_RESULT = (NOTHING, FAILED)


class Maybe(tuple):
    """An error that is reported only if the command looks at everything, which it need not."""

    __slots__ = ()


def nothing(value, path, errors):
    """Of what is absent or null."""
    errors.append((path, "missing" if value is ABSENT else "null"))
    return NOTHING


def wrong(value, path, errors):
    """Of a value of another kind."""
    if value is ABSENT or value is None:
        return nothing(value, path, errors)
    errors.append((path, "wrongType"))
    return FAILED


_uuid = re.compile(r"[0-9A-Fa-f]{8}(?:-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}")
# RFC 3986, and characters outside ASCII in place of their percent-encoding.
_CHAR = r"[A-Za-z0-9\-._~!$&'()*+,;=:@\u0080-\U0010ffff]|%[0-9A-Fa-f]{2}"
_NAME = r"[A-Za-z0-9\-._~!$&'()*+,;=\u0080-\U0010ffff]|%[0-9A-Fa-f]{2}"
_url = re.compile(
    rf"(?:([A-Za-z][A-Za-z0-9+\-.]*):)?(?://(?:(?:{_NAME}|:)*@)?(?:\[([^\[\]/?#@]*)\]|(?:{_NAME})*)(?::\d*)?(?=[/?#]|$)|(?!//))"
    rf"(?:{_CHAR}|/)*(?:\?(?:{_CHAR}|[/?])*)?(?:#(?:{_CHAR}|[/?])*)?", re.ASCII)


def is_address(text):
    """What may be in the brackets of a host: an address of IPv6, or of a version to come."""
    try:
        return "%" not in text and bool(ipaddress.IPv6Address(text))
    except ValueError:
        return re.fullmatch(r"[vV][0-9A-Fa-f]+\.[A-Za-z0-9\-._~!$&'()*+,;=:]+", text) is not None


def is_url(text, schemes):
    match = _url.fullmatch(text)
    if not text or not match:
        return False
    if match[2] is not None and not is_address(match[2]):
        return False
    # Without a scheme there is no colon before the first slash.
    if not match[1] and not text.startswith("//") and ":" in re.split(r"[/?#]", text, maxsplit=1)[0]:
        return False
    return not schemes or (match[1] or "").lower() in schemes


def scalar_text(value):
    return ("true" if value else "false") if type(value) is bool else str(value)


def listed(value):
    return value if type(value) is list else [] if value is None else [value]


class Scalar:
    """A scalar's type, with what becomes one."""

    def __init__(self, spec):
        get = spec.last.get
        self.values = get("values")
        changes_number = bool({"scale", "round", "units"} & set(spec.last))
        self.type = get("type") or ("enum" if self.values is not None else "number" if changes_number else "any")
        self.coerce = set(listed(get("coerce")))
        self.schemes = {scheme.lower() for scheme in listed(get("schemes"))}
        self.formats = listed(get("format"))
        self.zone = get("zone")
        self.units = get("units") and get("units").last
        self.steps = [changes.step(step) for step in listed(get("text"))]
        if "extract" in spec.last:
            self.steps.append(changes.extraction(get("extract")))
        self.lookup = get("lookup") and changes.table(*map(get("lookup").last.get, ("file", "key", "value")))
        self.has_otherwise = "otherwise" in spec.last
        self.otherwise = get("otherwise")
        self.takes_texts = bool(self.steps) or self.lookup is not None
        self.factor, self.places = get("scale"), get("round")
        self.form, self.form_zone = get("as"), get("as_zone") or "UTC"
        if type(self.values) is list:
            self.table = {text: text for text in self.values}
        elif self.values is not None:
            self.table = self.values.last

    @property
    def domain(self):
        if self.type == "date" and self.form and self.form != "rfc3339":
            return "number" if self.form in dates.UNITS else "text"
        if self.type == "any" and self.takes_texts:
            return "text" if not self.has_otherwise else "unknown"
        if self.type in exact.RANGES or self.type in ("float", "double", "decimal", "number"):
            return "number"
        return {"string": "text", "url": "text", "uuid": "text", "bool": "boolean", "date": "date"}.get(
            self.type, "unknown")

    def of_text(self, text):
        """The value of a text that stands for one, after all that is done with the text; or None and a code."""
        try:
            for step in self.steps:
                text = step(text)
        except changes.NoValue:
            return None, "invalidValue"
        if self.lookup is not None:
            if text not in self.lookup:
                return (self.otherwise, None) if self.has_otherwise else (None, "invalidValue")
            text = self.lookup[text]
        return self.of_plain_text(text)

    def of_plain_text(self, text):
        kind = self.type
        if kind in ("any", "string", "json"):
            return text, None
        if kind == "bool":
            low = text.lower() if text.isascii() else text
            value = True if low in ("true", "1", "yes") else False if low in ("false", "0", "no") else None
            return value, None if value is not None else "invalidValue"
        if kind == "url":
            return (text, None) if is_url(text, self.schemes) else (None, "invalidValue")
        if kind == "uuid":
            return (text, None) if _uuid.fullmatch(text) else (None, "invalidValue")
        if kind == "date":
            return self.date(text)
        if kind == "enum":
            if text in self.table:
                return self.table[text], None
            return (self.otherwise, None) if self.has_otherwise else (None, "invalidValue")
        if self.units:
            try:
                text = changes.of_units(text, self.units)
            except changes.NoValue:
                return None, "invalidValue"
        if not exact.is_number(text):
            return None, "invalidValue"
        return self.of_number(text)

    def of_number(self, text):
        if self.factor is not None or self.places is not None:
            text = changes.changed(text, self.factor, None if self.places is None else int(self.places))
        fault = exact.fault(text, self.type)
        return (None, fault) if fault else (Number(exact.form(text, self.type)), None)

    def date(self, text):
        takes_numbers = ("string" in self.coerce or self.takes_texts) and exact.is_number(text)
        # The first format in which it is a date.
        for form in self.formats or ["rfc3339"]:
            if form not in dates.UNITS:
                written = self.written(dates.read(text, form, self.zone))
            else:
                written = self.written(dates.unix(text, form)) if takes_numbers else None
            if written is not None:
                return written, None
        return None, "invalidValue"

    def date_of_number(self, text):
        for form in self.formats:
            if form in dates.UNITS:
                written = self.written(dates.unix(text, form))
                if written is not None:
                    return written, None
        return None, "invalidValue"

    def written(self, at):
        text = None if at is None else changes.date_text(at, self.form or "rfc3339", self.form_zone)
        return Number(text) if text is not None and self.form in dates.UNITS else text

    def function(self):
        kind = self.type
        if self.takes_texts:
            return self.by_kind({str: self.of_text, **{
                given: lambda value: self.of_text(scalar_text(value))
                for name, given in (("number", Number), ("bool", bool)) if name in self.coerce}})
        if kind == "json":
            return lambda value, path, errors: (
                value if value is not ABSENT else nothing(value, path, errors))
        if kind == "any":
            scalars = (str, Number, bool)
            return lambda value, path, errors: value if type(value) in scalars else wrong(value, path, errors)
        by_kind = {}
        own = {"string": str, "bool": bool, "url": str, "uuid": str, "date": str, "enum": str}.get(kind, Number)
        if own is Number:
            by_kind[Number] = (lambda value: self.of_text(str(value))) if self.units else self.of_number
            if self.units:
                by_kind[str] = self.of_text
        elif kind == "date":
            texts = not self.formats or any(form not in dates.UNITS for form in self.formats)
            if texts or "string" in self.coerce:
                by_kind[str] = self.of_text
            if any(form in dates.UNITS for form in self.formats):
                by_kind[Number] = self.date_of_number
            if not self.formats and not self.coerce and not self.form and not self.zone:
                # As it stands, and without what other forms allow.
                by_kind[str] = lambda text: (
                    text, None if dates.rfc3339(text, basic=False) is not None else "invalidValue")
        else:
            by_kind[own] = (lambda value: (value, None)) if own is bool else self.of_text
        if "string" in self.coerce and own is not str:
            by_kind[str] = self.of_text
        if "number" in self.coerce:
            by_kind[Number] = self.bool_of_number if kind == "bool" else lambda value: self.of_text(str(value))
        if "bool" in self.coerce:
            if own is Number:
                by_kind[bool] = lambda value: (Number("1" if value else "0"), None)
            else:
                by_kind[bool] = lambda value: self.of_text("true" if value else "false")

        return self.by_kind(by_kind)

    def by_kind(self, by_kind):
        def scalar(value, path, errors):
            read = by_kind.get(type(value))
            if read is None:
                return wrong(value, path, errors)
            value, code = read(value)
            if code is None:
                return value
            errors.append((path, code))
            return FAILED
        return scalar

    def bool_of_number(self, text):
        value = exact.whole(text)
        if value is None:
            return None, "invalidValue"
        if value is False or not -2 ** 63 <= value < 2 ** 63:
            return None, "numberOutOfRange"
        return (value == 1, None) if value in (0, 1) else (None, "invalidValue")
