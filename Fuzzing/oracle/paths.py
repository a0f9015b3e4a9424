"""Paths: those of one value, those that may mean several, and as errors have them."""
import re

from jsontext import Object, escaped

_plain = re.compile(r"[A-Za-z0-9_\-\u0080-\U0010ffff]+")
_step = re.compile(r"""\.?([A-Za-z0-9_\-\u0080-\U0010ffff]+)|\[(\d+)\]|\['((?:[^'\\]|\\.)*)'\]""")


_end = re.compile(r"\[(-\d+)\]")
_special = re.compile(r"[\x00-\x1f\\]")
_several = re.compile(r"\[\*\]|\.\*|\[(-?\d*):(-?\d*):?(\d*)\]|\.\.([A-Za-z0-9_]+)|\[(-?\d+(?:,-?\d+)+|-\d+)\]|\[\?(.+?)\]")


def key_step(key):
    """A key as paths in errors have it."""
    if _plain.fullmatch(key):
        return "." + key
    return "['" + _special.sub(escaped, key).replace("'", "\\'") + "']"


def step_text(step):
    return key_step(step) if isinstance(step, str) else f"[{step}]"


def first_held(path):
    """A path up to the first step that is taken in a value that is held; the path from there, or the index that counts from the end and
    the path after it."""
    match = None if path.startswith("/") else _several.search(path)
    if not match:
        return path, None, None
    start = path[:match.start()] or "$"
    if _end.fullmatch(match[0]):
        return start, int(match[5]), "$" + path[match.end():]
    return start, None, "$" + path[match.start():]


def steps(path):
    """The keys and indices of a path to one value, up to a step that is taken in a value that is held."""
    path, _, _ = first_held(path)
    if path.startswith("/"):
        return [int(part) if part.isdigit() else part.replace("~1", "/").replace("~0", "~")
                for part in path[1:].split("/")]
    if path.startswith("$"):
        path = path[1:]
    found, index = [], 0
    while index < len(path):
        match = _step.match(path, index)
        if not match:
            raise ValueError(f"no path of one value: {path}")
        name, number, quote = match.groups()
        found.append(name if name is not None else int(number) if number else re.sub(r"\\(.)", r"\1", quote))
        index = match.end()
    return found


# MARK: Several places

class Names:
    """Some keys or indices, which may count from the end."""

    def __init__(self, steps):
        self.steps = steps

    def selects(self, step, value, count):
        return step in self.steps or type(step) is int and step - count in self.steps


class Every:
    def selects(self, step, value, count):
        return True


class Slice:
    def __init__(self, start, end, by):
        self.slice = slice(*(int(part) if part else None for part in (start, end, by)))

    def selects(self, step, value, count):
        return type(step) is int and step in range(count)[self.slice]


class Descendants:
    def __init__(self, name):
        self.name = name

    def selects(self, step, value, count):
        return step == self.name


class Filter:
    """One of the few filters that are drawn: they ask nothing about a record's members, whose names differ."""

    tests = {
        "@ != null": lambda value: value is not None,
        "length(@) > 1": lambda value: len(
            value.last if type(value) is Object else value if type(value) in (str, list) else "") > 1,
        "!@.*": lambda value: not (value.pairs if type(value) is Object else value if type(value) is list else ()),
    }

    def __init__(self, text):
        self.test = self.tests[text]

    def selects(self, step, value, count):
        return self.test(value)


def pattern(path):
    """The steps of a path that may mean several places."""
    found, index = [], 0
    for match in _several.finditer(path):
        found += [Names({step}) for step in steps("$" + path[index:match.start()].removeprefix("$"))]
        if match[4]:
            found.append(Descendants(match[4]))
        elif match[5]:
            found.append(Names({int(part) for part in match[5].split(",")}))
        elif match[6]:
            found.append(Filter(match[6]))
        else:
            found.append(Slice(match[1], match[2], match[3]) if ":" in match[0] else Every())
        index = match.end()
    return tuple(found + [Names({step}) for step in steps("$" + path[index:].removeprefix("$"))])


def may_be_several(path):
    """Whether a path may select several values."""
    _, index, more = first_held(path)
    return more is not None and (index is None or may_be_several(more))


def selected(path, root):
    """What a path selects in a value, in the order of the document."""
    found = []

    def visit(value, ways):
        # Each value once, however many ways lead to it.
        if any(not way for _, way in ways):
            found.append(value)
        if not any(way for _, way in ways):
            return
        if type(value) is Object:
            parts, count = value.pairs, 0
        elif type(value) is list:
            parts, count = enumerate(value), len(value)
        else:
            return
        for step, part in parts:
            visit(part, below(step, ways, part, count))
    visit(root, [(None, pattern(path))])
    return found


def below(step, ways, value=None, count=0):
    """The rests of ways after one step to a value, in an array of so many elements."""
    found = []
    for name, way in ways:
        if not way:
            continue
        head = way[0]
        if type(head) is Descendants:
            found.append((name, way))
        if head.selects(step, value, count):
            found.append((name, way[1:]))
    return found
