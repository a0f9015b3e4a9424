"""Paths: those of one value, those that may mean several, and as errors have them."""
import re

from jsontext import escaped

_plain = re.compile(r"[A-Za-z0-9_\-\u0080-\U0010ffff]+")
_step = re.compile(r"""\.?([A-Za-z0-9_\-\u0080-\U0010ffff]+)|\[(\d+)\]|\['((?:[^'\\]|\\.)*)'\]""")


_special = re.compile(r"[\x00-\x1f\\]")
_several = re.compile(r"\[\*\]|\.\*|\[(\d*):(\d*)\]|\.\.([A-Za-z0-9_]+)")


def key_step(key):
    """A key as paths in errors have it."""
    if _plain.fullmatch(key):
        return "." + key
    return "['" + _special.sub(escaped, key).replace("'", "\\'") + "']"


def step_text(step):
    return key_step(step) if isinstance(step, str) else f"[{step}]"


def steps(path):
    """The keys and indices of a path to one value."""
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

class Every:
    def __contains__(self, step):
        return True


class Slice:
    def __init__(self, start, end):
        self.start = int(start or 0)
        self.end = int(end) if end else float("inf")

    def __contains__(self, step):
        return type(step) is int and self.start <= step < self.end


class Descendants:
    def __init__(self, name):
        self.name = name


def pattern(path):
    """The steps of a path that may mean several places."""
    found, index = [], 0
    for match in _several.finditer(path):
        found += [{step} for step in steps("$" + path[index:match.start()].removeprefix("$"))]
        if match[3]:
            found.append(Descendants(match[3]))
        else:
            found.append(Slice(match[1], match[2]) if ":" in match[0] else Every())
        index = match.end()
    return tuple(found + [{step} for step in steps("$" + path[index:].removeprefix("$"))])


def below(step, ways):
    """The rests of ways after one step."""
    found = []
    for name, way in ways:
        if not way:
            continue
        head = way[0]
        if type(head) is Descendants:
            found.append((name, way))
            if head.name == step:
                found.append((name, way[1:]))
        elif step in head:
            found.append((name, way[1:]))
    return found
