"""What is new in kind in one half of a feed: what the mapping of the other half may reject.

A kind is that of a value as JSON has it, whole numbers apart, and for a text its form: digits, letters and what is between them. A date
that no calendar has is a kind of its own. What is absent is a kind, too.
"""
import re
from datetime import date

STEP = re.compile(r"\.([^.\[]+)|\['((?:[^'\\]|\\.)*)'\]|\[(\d+)\]")
DATA = re.compile(r"\d+|[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}")
LIMITS = [2 ** 63, 2 ** 64, 10 ** 38]


def kind(value, number):
    if value is None or isinstance(value, (bool, list, dict)):
        return "null" if value is None else type(value).__name__
    if isinstance(value, str):
        form = re.sub(r"[^\W\d_]+", "a", re.sub(r"\d", "9", value))
        return ("text", form, is_day(value))
    text = number(value)
    if not re.fullmatch(r"-?\d+", text):
        return ("fraction", abs(float(text)) == float("inf"), len(text) > 38)
    return ("whole", text.startswith("-"), sum(abs(int(text)) >= limit for limit in LIMITS) if len(text) < 400 else "huge")


def is_day(text):
    found = re.match(r"(\d{4})-(\d\d)-(\d\d)", text)
    try:
        return bool(found) and bool(date(*map(int, found.groups())))
    except ValueError:
        return False


def steps(path):
    """The keys and indices of a path; None if it is none of a value."""
    found, place = [], 1
    while place < len(path):
        step = STEP.match(path, place)
        if not step:
            return None
        name, quoted, index = step.groups()
        if index is not None:
            found.append(int(index))
        else:
            found.append(name if name is not None else unescaped(quoted))
        place = step.end()
    return found


def unescaped(text):
    def one(match):
        if match[1]:
            return chr(int(match[1], 16))
        return {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f"}.get(match[2], match[2])
    text = re.sub(r"\\(?:u([0-9a-fA-F]{4})|(.))", one, text)
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


ABSENT = object()


def values(roots, way):
    """What is at a way in some values; each element stands for all, and so does each key that is data."""
    for step in way:
        found = []
        for value in roots:
            if isinstance(step, int):
                found += value if isinstance(value, list) else [ABSENT]
            elif not isinstance(value, dict):
                found.append(ABSENT)
            elif DATA.fullmatch(step):
                found += [member for key, member in value.items() if DATA.fullmatch(key)]
            else:
                found.append(value.get(step, ABSENT))
        roots = found
    return roots


def exact(value, way):
    for step in way:
        if isinstance(step, int):
            value = value[step] if isinstance(value, list) and step < len(value) else ABSENT
        else:
            value = value.get(step, ABSENT) if isinstance(value, dict) else ABSENT
    return value


def is_new(half, record, path, number):
    """Whether the value at a path of a record is of a kind that is nowhere there in a half of a feed."""
    way = steps(path)
    if way is None:
        return False

    def named(value):
        return "absent" if value is ABSENT else kind(value, number)
    return named(exact(record, way)) not in {named(value) for value in values(half, way)}
