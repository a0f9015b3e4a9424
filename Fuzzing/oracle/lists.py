"""Steps on the elements of an array, as they stand: of keys that come twice the last counts."""
import conditions
import exact
import formulas
import jsontext
from jsontext import Number, Object
from paths import steps
from scalars import FAILED, listed

# What a list's steps make, by the last of them.
RESULTS = {"first": "element", "last": "element", "nth": "element", "min": "element", "max": "element", "count": "count",
           "sum": "number", "mean": "number", "utf8": "text", "any": "truth", "all": "truth"}
TYPES = {"element": "any", "count": "int64", "number": "number", "text": "string", "truth": "bool"}


class Refused(Exception):
    def __init__(self, code="invalidValue"):
        super().__init__(code)
        self.code = code


def result(given):
    """What the steps make: a list, an element, a count, a number or a truth."""
    last = listed(given)[-1]
    return RESULTS.get(last if type(last) is str else next(iter(last.last)), "list")


def at(path):
    found = formulas.at(steps(path))
    return lambda element: found((element, "last")).value


def key(value):
    """Equal values have equal keys: numbers by value, members whatever their order."""
    if type(value) is Number:
        return ("number", exact.parts(value))
    if type(value) is list:
        return ("list", tuple(map(key, value)))
    if type(value) is Object:
        return ("object", tuple(sorted((name, repr(key(member))) for name, member in value.last.items())))
    return (type(value).__name__, value)


class Rank:
    """Numbers by value, texts by code points, what is missing at the end."""

    def __init__(self, value):
        self.value = value

    def __lt__(self, other):
        if self.value is None or other.value is None:
            return self.value is not None
        if type(self.value) is Number:
            return exact.compare(exact.parts(self.value), exact.parts(other.value)) < 0
        return self.value < other.value


def ranks(values):
    if len({type(value) for value in values if value is not None} | {Number}) > 1 and \
            {type(value) for value in values if value is not None} != {str}:
        raise Refused
    return [Rank(value) for value in values]


def numbers(elements):
    found = []
    for element in elements:
        if element is None:
            continue
        if type(element) is not Number:
            raise Refused
        if exact.fault(element, "decimal"):
            raise Refused("numberOutOfRange")
        found.append(exact.parts(element))
    return found


def total(elements):
    sum_of_all = (0, 0)
    for number in numbers(elements):
        sum_of_all = formulas._add(sum_of_all, number)
    return sum_of_all


def mean(elements):
    there = [element for element in elements if element is not None]
    return Number(formulas.text(formulas._divide(total(there), (len(there), 0)))) if there else None


def utf8(elements):
    found = bytearray()
    for element in elements:
        if type(element) is not Number or exact.fault(element, "uint8"):
            raise Refused
        n, e = exact.parts(element)
        found.append(n * 10 ** e)
    return found.decode("utf-8", "replace")


def extreme(elements, is_least):
    best = None
    for rank in ranks(elements):
        if rank.value is not None and (best is None or (rank < best if is_least else best < rank)):
            best = rank
    return best and best.value


def read_number(element):
    if type(element) is str and exact.is_number(element):
        return Number(element)
    if element is None or type(element) is Number:
        return element
    raise Refused


def unique(elements, value_of):
    first = {}
    for element in elements:
        first.setdefault(key(value_of(element)), element)
    return list(first.values())


def in_order(elements, value_of):
    by_rank = zip(ranks([value_of(element) for element in elements]), range(len(elements)))
    return [elements[place] for _, place in sorted(by_rank, key=lambda pair: pair[0])]


def step(given, setting):
    """One step, as a function of the elements."""
    whole = lambda element: element
    if type(given) is str:
        return {
            "first": lambda found: found[0] if found else None,
            "last": lambda found: found[-1] if found else None,
            "count": lambda found: Number(len(found)),
            "sum": lambda found: Number(formulas.text(total(found))),
            "mean": mean,
            "utf8": utf8,
            "min": lambda found: extreme(found, True),
            "max": lambda found: extreme(found, False),
            "sort": lambda found: in_order(found, whole),
            "unique": lambda found: unique(found, whole),
            "reverse": lambda found: found[::-1],
            "flatten": lambda found: [part for each in found for part in (each if type(each) is list else [each])],
            "numbers": lambda found: list(map(read_number, found)),
        }[given]
    (name, value), = given.pairs
    if name in ("where", "any", "all"):
        holds = decided(conditions.condition(value, setting))
        return {"where": lambda found: [each for each in found if holds(each)],
                "any": lambda found: any(map(holds, found)), "all": lambda found: all(map(holds, found))}[name]
    if name == "slice":
        place = slice(int(value[0]), int(value[1]) if len(value) > 1 else None)
        return lambda found: found[place]
    if name == "nth":
        index = int(value)
        return lambda found: found[index] if -len(found) <= index < len(found) else None
    value_of = at(value)
    return {"from": lambda found: [each for each in map(value_of, found) if each is not None],
            "sort": lambda found: in_order(found, value_of), "unique": lambda found: unique(found, value_of)}[name]


def decided(condition):
    def holds(element):
        answer = condition(element, "", [])
        if answer is FAILED:
            raise Refused
        return answer
    return holds


def taken(given, setting):
    """All steps, as a function of an array; it throws Refused."""
    setting = setting.reading_last()
    made = [step(each, setting) for each in listed(given)]

    def take(elements):
        try:
            for each in made:
                elements = each(elements)
        except formulas.Fault as fault:
            raise Refused(fault.code) from None
        return elements
    return take
