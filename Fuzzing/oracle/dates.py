"""Dates: texts and numbers to moments, and moments to RFC 3339 and other forms.

A moment is the integer of its nanoseconds since the beginning of 1970 in UTC. What is finer is cut off.
"""
import re
from datetime import date, datetime, timedelta, timezone
from functools import lru_cache
from zoneinfo import ZoneInfo

import exact

MONTHS = ["january", "february", "march", "april", "may", "june", "july", "august", "september", "october",
          "november", "december"]
DAYS = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"]
# In nanoseconds.
SECOND = 10 ** 9
UNITS = {"unix_ns": 1, "unix_us": 10 ** 3, "unix_ms": 10 ** 6, "unix_s": SECOND, "unix_min": 60 * SECOND, "unix_h": 3600 * SECOND,
         "days": 86_400 * SECOND}
ZONES = {"gmt": 0, "utc": 0, "ut": 0, "z": 0, "est": -5, "edt": -4, "cst": -6, "cdt": -5, "mst": -7, "mdt": -6,
         "pst": -8, "pdt": -7}
# Python has the years 1 to 9999 only; the Gregorian calendar comes again after 400 years.
_CYCLE = 146_097
_DAY_1970 = date(1970, 1, 1).toordinal()


def _days_in(year, month):
    if month == 2:
        return 29 if year % 4 == 0 and (year % 100 != 0 or year % 400 == 0) else 28
    return 30 if month in (4, 6, 9, 11) else 31


def _ordinal(year, month, day):
    return date(year + 400, month, day).toordinal() - _CYCLE if year < 400 else date(year, month, day).toordinal()


def _weekday(year, month, day):
    return (_ordinal(year, month, day) - 1) % 7


def moment(year, month, day, hour, minute, second, offset=0, nanoseconds=0):
    """The moment, or None if the calendar or the clock does not have it."""
    if not (1 <= month <= 12 and 1 <= day <= _days_in(year, month) and hour < 24 and minute < 60 and second <= 60):
        return None
    seconds = (_ordinal(year, month, day) - _DAY_1970) * 86_400 + hour * 3600 + minute * 60 + second - offset
    # A leap second only where there may be one.
    if second == 60 and seconds % 86_400 != 0:
        return None
    at = seconds * SECOND + nanoseconds
    return at if in_range(at) else None


_rfc3339 = re.compile(
    r"(\d{4})-(\d\d)-(\d\d)[Tt](\d\d):(\d\d):(\d\d)(?:\.(\d+))?(?:[Zz]|([+-])(\d\d)(:?)(\d\d))", re.ASCII)


_local = re.compile(r"(\d{4})-(\d\d)-(\d\d)[Tt ](\d\d):(\d\d):(\d\d)(?:\.(\d+))?", re.ASCII)


def rfc3339_of(text, zone):
    """By RFC 3339, or on the clocks of a zone if the text does not say an offset; a space may stand for the T."""
    match = _local.fullmatch(text)
    if not match:
        return rfc3339(text[:10] + text[10:11].replace(" ", "T") + text[11:])
    *parts, fraction = match.groups()
    at = dict(zip("yMdHms", map(int, parts)), S=int((fraction or "0")[:9].ljust(9, "0")))
    fixed = fixed_offset(zone)
    if fixed is not None:
        return moment(*map(int, parts), fixed, at["S"])
    # Without a leap second: the zones that are drawn have their offsets at whole minutes.
    leap = at["s"] == 60
    if moment(at["y"], at["M"], at["d"], at["H"], at["m"], at["s"] - leap) is None:
        return None
    found = _from_local({**at, "s": at["s"] - leap}, zone)
    if not leap or found is None:
        return found
    after = found + SECOND
    return after if after // SECOND % 86_400 == 0 and in_range(after) else None


def fixed_offset(zone):
    """The seconds of a zone that is an offset."""
    match = re.fullmatch(r"(?:UTC|GMT)?(?:([+-])(\d\d):(\d\d))?", zone)
    if not match:
        return None
    sign, hours, minutes = match.groups()
    return 0 if sign is None else (int(hours) * 3600 + int(minutes) * 60) * (1 if sign == "+" else -1)


@lru_cache(maxsize=20_000)
def rfc3339(text, basic=True):
    """With `basic` an offset may be without its colon."""
    match = _rfc3339.fullmatch(text)
    if not match:
        return None
    *parts, fraction, sign, hours, colon, minutes = match.groups()
    offset = 0
    if sign:
        if int(hours) > 23 or int(minutes) > 59 or not (colon or basic):
            return None
        offset = (int(hours) * 3600 + int(minutes) * 60) * (1 if sign == "+" else -1)
    return moment(*map(int, parts), offset, int((fraction or "0")[:9].ljust(9, "0")))


_rfc822 = re.compile(
    r"(?:([a-z]{3}), )?(\d{1,2}) ([a-z]{3}) (\d\d|\d{4}) (\d\d):(\d\d)(?::(\d\d))?(?: ([+-]\d{4}|[a-z]+))?",
    re.ASCII | re.IGNORECASE)


def _century(text):
    """A year of two digits is one of 1950 to 2049."""
    year = int(text)
    return year if len(text) > 2 else year + (2000 if year < 50 else 1900)


def _offset(text):
    hours, minutes = int(text[1:3]), int(text[-2:])
    if hours > 23 or minutes > 59:
        return None
    return (hours * 3600 + minutes * 60) * (1 if text[0] == "+" else -1)


def _zone(text):
    if text[0] in "+-":
        return _offset(text)
    hours = ZONES.get(text.lower())
    return None if hours is None else hours * 3600


def _index(name, names):
    return next((i for i, full in enumerate(names) if full[:3] == name.lower()), None)


@lru_cache(maxsize=20_000)
def rfc822(text):
    match = _rfc822.fullmatch(text)
    if not match:
        return None
    weekday, day, month, year, hour, minute, second, zone = match.groups()
    month, year = _index(month, MONTHS), _century(year)
    offset = _zone(zone) if zone else 0
    if month is None or offset is None:
        return None
    seconds = moment(year, month + 1, int(day), int(hour), int(minute), int(second or 0), offset)
    # A weekday has to be that of the date.
    if seconds is None or weekday and _index(weekday, DAYS) != _weekday(year, month + 1, int(day)):
        return None
    return seconds


_dotnet = re.compile(r"/date\((-?\d{1,18})([+-]\d{4})?\)/", re.ASCII | re.IGNORECASE)


def dotnet(text):
    match = _dotnet.fullmatch(text)
    if not match or match[2] and _offset(match[2]) is None:
        return None
    at = int(match[1]) * UNITS["unix_ms"]
    return at if in_range(at) else None


def unix(text, unit):
    """Of a number of units."""
    n, e = exact.parts(text)
    # Far too large, or far less than a nanosecond: no power is written out.
    if n and e + len(str(abs(n))) > 30:
        return None
    if n and e + len(str(abs(n))) < -30:
        return -1 if n < 0 else 0
    at = n * UNITS[unit] * 10 ** e if e >= 0 else n * UNITS[unit] // 10 ** -e
    return at if in_range(at) else None


# MARK: Patterns

_letters = re.compile(r"'((?:[^']|'')*)'|([A-Za-z])\2*|[^A-Za-z']+")


@lru_cache(maxsize=None)
def pattern(text):
    """What a pattern by Unicode reads: a regular expression and the letters of its groups."""
    expression, letters = "", []
    for match in _letters.finditer(text):
        letter, run = match[2], match.group()
        if not letter:
            literal = (match[1].replace("''", "'") or "'") if match[1] is not None else run
            expression += f"(?-i:{re.escape(literal)})"
            continue
        count = len(run)
        letters.append(run)
        if letter == "y":
            expression += r"(\d\d)" if count == 2 else rf"(\d{{{count},4}})"
        elif letter == "M" and count >= 3:
            expression += "(" + "|".join(name[:3] if count == 3 else name for name in MONTHS) + ")"
        elif letter == "E":
            expression += "(" + "|".join(name[:3] if count <= 3 else name for name in DAYS) + ")"
        elif letter == "a":
            expression += "(am|pm)"
        elif letter == "S":
            expression += rf"(\d{{{count}}})"
        elif letter == "X":
            expression += r"(Z|[+-]\d\d:\d\d)" if count == 3 else r"(Z|[+-]\d{4})"
        elif letter == "Z":
            expression += r"([+-]\d{4})"
        else:
            expression += r"(\d\d)" if count == 2 else r"(\d{1,2})"
    return re.compile(expression, re.ASCII | re.IGNORECASE), letters


@lru_cache(maxsize=20_000)
def by_pattern(text, form, zone):
    expression, letters = pattern(form)
    match = expression.fullmatch(text)
    if not match:
        return None
    at = {"y": 2000, "M": 1, "d": 1, "H": 0, "m": 0, "s": 0, "S": 0}
    offset = weekday = None
    for run, part in zip(letters, match.groups()):
        letter = run[0]
        if letter == "y":
            at["y"] = _century(part) if len(run) == 2 else int(part)
        elif letter == "M" and len(run) >= 3:
            at["M"] = _index(part[:3], MONTHS) + 1
        elif letter == "E":
            weekday = _index(part[:3], DAYS)
        elif letter == "S":
            at["S"] = int(part[:9].ljust(9, "0"))
        elif letter in "XZ":
            offset = 0 if part in "zZ" else _offset(part)
            if offset is None:
                return None
        else:
            at[letter] = part.lower() if letter == "a" else int(part)
    if "h" in at:
        if not 1 <= at["h"] <= 12:
            return None
        at["H"] = at["h"] % 12 + (12 if at.get("a") == "pm" else 0)
    if at["s"] > 59:
        return None
    local = moment(at["y"], at["M"], at["d"], at["H"], at["m"], at["s"], offset or 0, at["S"])
    if local is None or weekday is not None and _weekday(at["y"], at["M"], at["d"]) != weekday:
        return None
    fixed = fixed_offset(zone)
    if offset is not None or fixed == 0:
        return local
    if fixed is not None:
        return moment(at["y"], at["M"], at["d"], at["H"], at["m"], at["s"], fixed, at["S"])
    return _from_local(at, zone)


def _from_local(at, zone):
    """The first moment at which the clocks of a zone show a time; None if they never do."""
    tz = ZoneInfo(zone)
    year = at["y"] or 400
    local = datetime(year, at["M"], at["d"], at["H"], at["m"], at["s"], tzinfo=tz)
    there = local.astimezone(timezone.utc).astimezone(tz)
    if there.replace(tzinfo=None) != local.replace(tzinfo=None):
        return None
    offset = local.utcoffset()
    return moment(at["y"], at["M"], at["d"], at["H"], at["m"], at["s"], int(offset.total_seconds()), at["S"])


def read(text, form, zone=None):
    """The moment of a text in one of the named forms, or by a pattern."""
    if form == "rfc3339":
        return rfc3339_of(text, zone) if zone else rfc3339(text)
    if form == "rfc822":
        return rfc822(text)
    if form == "dotnet":
        return dotnet(text)
    return by_pattern(text, form, zone or "UTC")


# MARK: Writing

_FIRST = (_ordinal(0, 1, 1) - _DAY_1970) * 86_400
_END = (date(9999, 12, 31).toordinal() + 1 - _DAY_1970) * 86_400


def in_range(at):
    """Whether it is in the years 0 to 9999."""
    return _FIRST * SECOND <= at < _END * SECOND


def clock(seconds, offset=0):
    """Year, month, day, hour, minute, second and weekday, of whole seconds since 1970."""
    days, rest = divmod(seconds + offset, 86_400)
    early = days < 0
    day = date.fromordinal(days + _DAY_1970 + (_CYCLE if early else 0))
    return day.year - (400 if early else 0), day.month, day.day, rest // 3600, rest % 3600 // 60, rest % 60, day.weekday()


@lru_cache(maxsize=20_000)
def written(at):
    """By RFC 3339 in UTC, with the fewest of 0, 3, 6 and 9 digits that mean the same moment."""
    whole, nanoseconds = divmod(at, SECOND)
    year, month, day, hour, minute, second, _ = clock(whole)
    fraction = f"{nanoseconds:09}"
    while fraction.endswith("000"):
        fraction = fraction[:-3]
    text = f"{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}"
    return text + (f".{fraction}" if fraction else "") + "Z"


def number(at, unit):
    """The shortest number of units that is read as the moment."""
    # Reading cuts off, so it is this one or one that is less than a nanosecond later.
    size, places = UNITS[unit], 0
    while True:
        scale = 10 ** places
        count = -(-at * scale // size)
        if count * size < (at + 1) * scale:
            return exact.written(count, -places)
        places += 1


def by_clock(at, form, zone):
    """By a pattern, as the clocks of a zone show it: what they do not show is cut off."""
    whole, nanoseconds = divmod(at, SECOND)
    offset = 0
    if fixed_offset(zone) is not None:
        offset = fixed_offset(zone)
    else:
        # Python has no days before the year 1 or after 9999; the clocks' rules are those of the days next to them.
        near = min(max(whole, _FIRST + 367 * 86_400), _END - 86_400)
        instant = datetime(1970, 1, 1, tzinfo=timezone.utc) + timedelta(seconds=near)
        offset = int(instant.astimezone(ZoneInfo(zone)).utcoffset().total_seconds())
    if not in_range(at + offset * SECOND):
        return None
    year, month, day, hour, minute, second, weekday = clock(whole, offset)
    text = ""
    for match in _letters.finditer(form):
        run, letter, count = match.group(), match[2], len(match.group())
        if not letter:
            text += (match[1].replace("''", "'") or "'") if match[1] is not None else run
        elif letter == "y":
            text += f"{year % 100:02}" if count == 2 else f"{year:0{count}}"
        elif letter == "M" and count >= 3:
            text += MONTHS[month - 1].title()[:3 if count == 3 else None]
        elif letter == "E":
            text += DAYS[weekday].title()[:3 if count <= 3 else None]
        elif letter == "a":
            text += "PM" if hour >= 12 else "AM"
        elif letter == "S":
            text += f"{nanoseconds:09}"[:count]
        elif letter in "XZ":
            colon = ":" if letter == "X" and count == 3 else ""
            sign, size = "+" if offset >= 0 else "-", abs(offset) // 60
            text += "Z" if letter == "X" and not offset else f"{sign}{size // 60:02}{colon}{size % 60:02}"
        else:
            value = {"d": day, "H": hour, "h": hour % 12 or 12, "m": minute, "s": second, "M": month}[letter]
            text += f"{value:0{count}}"
    return text
