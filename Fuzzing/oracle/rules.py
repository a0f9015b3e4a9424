"""Rules about values (`validate`) and conditions on records (`where`)."""
import re

import dates
import exact
from jsontext import Number, Object
from paths import steps

_day = re.compile(r"\d{4}-\d\d-\d\d", re.ASCII)


def moment(text):
    """Of a date as rules write it: by RFC 3339, or a day."""
    found = dates.rfc3339(text)
    return found if found is not None else dates.read(text, "yyyy-MM-dd")


def same(a, b):
    """Whether two values are equal: numbers by their value, objects whatever the order of their members."""
    if type(a) is not type(b):
        return False
    if type(a) is Number:
        return exact.parts(a) == exact.parts(b)
    if type(a) is list:
        return len(a) == len(b) and all(map(same, a, b))
    if type(a) is Object:
        return a.last.keys() == b.last.keys() and all(same(a.last[key], b.last[key]) for key in a.last)
    return a == b


def _comparison(limits, test, domain):
    """`test` gets what comparing with each limit gives: -1, 0 or 1."""
    if domain == "date":
        limits = [moment(limit) for limit in limits]

        def holds(value):
            at = moment(value) if type(value) is str else None
            return at is not None and test(*[(at > limit) - (at < limit) for limit in limits])
    else:
        limits = [exact.parts(limit) for limit in limits]

        def holds(value):
            if type(value) is not Number:
                return False
            at = exact.parts(value)
            return test(*[exact.compare(at, limit) for limit in limits])
    return holds


_ORDERS = {
    "min": lambda a: a >= 0,
    "greater_than_or_equal_to": lambda a: a >= 0,
    "greater_than": lambda a: a > 0,
    "max": lambda a: a <= 0,
    "less_than_or_equal_to": lambda a: a <= 0,
    "less_than": lambda a: a < 0,
}


def _counts(name, operand):
    exact_count = {"": lambda n: n == int(operand), "min": lambda n: n >= int(operand), "max": lambda n: n <= int(operand)}
    if name.endswith("_range"):
        low, high = map(int, operand)
        return lambda n: low <= n <= high
    return exact_count[name.rpartition("_")[0]]


def _members(value):
    if type(value) is list:
        return len(value)
    return len(value.last) if type(value) is Object else None


def rule(name, operand, domain):
    """Whether a value keeps to one rule, as a function."""
    if name in _ORDERS:
        return _comparison([operand], _ORDERS[name], domain)
    if name == "range":
        return _comparison(operand, lambda a, b: a >= 0 and b <= 0, domain)
    if name == "multiple_of":
        unit = exact.parts(operand)
        return lambda value: type(value) is Number and exact.is_multiple(exact.parts(value), unit)
    if name in ("equal_to", "equals", "one_of"):
        values = operand if name == "one_of" else [operand]
        if domain == "date":
            moments = {moment(value) for value in values}
            return lambda value: type(value) is str and moment(value) is not None and moment(value) in moments
        return lambda value: any(same(value, other) for other in values)
    if name in ("matches", "matches_anywhere"):
        compiled = re.compile(operand, re.ASCII)
        match = compiled.fullmatch if name == "matches" else compiled.search
        return lambda value: type(value) is str and match(value) is not None
    if name.endswith("length") or name == "length_range":
        fits = _counts(name, operand)
        return lambda value: type(value) is str and fits(len(value))
    if name.endswith("count") or name == "count_range":
        fits = _counts(name, operand)
        return lambda value: (n := _members(value)) is not None and fits(n)
    if name == "unique":
        return lambda value: type(value) is list and not any(
            same(a, b) for i, a in enumerate(value) for b in value[:i])
    if name == "not":
        inner = rules(operand, domain)
        return lambda value: not all(holds(value) for holds in inner)
    groups = [rules(group, domain) for group in operand]
    join = any if name == "either" else all
    return lambda value: join(all(holds(value) for holds in group) for group in groups)


def rules(spec, domain):
    """The rules of a map, each as a function."""
    return [rule(name, operand, domain) for name, operand in spec.pairs]


def _inside(value, path, pick="last"):
    """What is at a path in a value; None if there is nothing."""
    for step in path:
        if type(step) is str:
            value = getattr(value, pick).get(step) if type(value) is Object else None
        else:
            value = value[step] if type(value) is list and step < len(value) else None
    return value


KINDS = {bool: "boolean", Number: "number", str: "string", Object: "object", list: "array"}


def comparison(spec, subject, domain):
    """Whether a comparison holds, of what `subject` finds."""
    exists = spec.last.get("exists", True)
    tests = [rule(name, operand, domain) for name, operand in spec.pairs
             if name not in ("field", "from", "calc", "context", "meta", "exists", "kind")]
    kind = spec.last.get("kind")

    def holds(*record):
        value = subject(*record)
        if value is None:
            return not exists
        return bool(exists) and (kind is None or kind == KINDS[type(value)]) and all(test(value) for test in tests)
    return holds


def combined(spec, single):
    """A condition, with `single` for each comparison in it."""
    name, operand = spec.pairs[0]
    if len(spec.pairs) == 1 and name == "not":
        inner = combined(operand, single)
        return lambda *record: not inner(*record)
    if len(spec.pairs) == 1 and name in ("all", "any"):
        parts = [combined(part, single) for part in operand]
        join = all if name == "all" else any
        return lambda *record: join(part(*record) for part in parts)
    return single(spec)


def of_field(path):
    """Finds a field's value in a mapped record."""
    path = steps(path)
    return lambda mapped, source: _inside(mapped, path)


def of_source(path, pick):
    """Finds a value in the source."""
    path = steps(path)
    return lambda value: _inside(value, path, pick)
