"""What a mapping makes of a feed: its records, with what is known of each, and what becomes of them."""
import re

import conditions
import formulas
import meaning
import objects
import rules
import scalars
from jsontext import Malformed, Number, Object, parse, write
from paths import Names, below, key_step, pattern
from scalars import ABSENT, FAILED, NO_RESULT

MAPPED, DROPPED, REJECTED = "mapped", "dropped", "rejected"
# The codes of a text that is not JSON; which one is the business of the differential harness.
TEXT_CODES = {"syntax", "invalidUTF8", "truncated", "limitExceeded"}

class Document:
    """One document of a feed, as its text, with where it begins."""

    __slots__ = ("text", "line", "offset")

    def __init__(self, text, line=1, offset=0):
        self.text = text
        self.line = line
        self.offset = offset


class Mapping:
    """A mapping file, ready to be asked what a feed becomes."""

    def __init__(self, spec, uses=None, file="-", given_arguments=None):
        spec = meaning.plain(spec)
        get = spec.last.get
        given = get("input", Object([])).last
        self.file = file
        self.facts = {}
        unknown = given.get("unknown", "ignore")
        collects = unknown[8:].strip() if unknown.startswith("collect:") else None
        self.omits = omits = get("output", Object([])).last.get("nulls") == "omit"
        self.exploded = get("output", Object([])).last.get("arrays", Object([])).last.get("explode")
        # A file that is used has its own policies for keys.
        self.setting = setting = meaning.Setting(given, omits, {
            name: used_record(used.last["record"], meaning.Setting(used.last.get("input", Object([])).last, omits))
            for name, used in ((name, meaning.plain(used)) for name, used in (uses or {}).items())}, self.facts,
            arguments(get("args", Object([])), given_arguments or {}))
        context = [(name, value if type(value) is Object else Object([("from", value), ("late", "fail"), ("nullable", True)]))
                   for name, value in get("context", Object([])).pairs]
        self.context = [(name, value.last) for name, value in context]
        setting.domains.update((name, self.domain_of_step(value) or meaning.domain(value, setting)) for name, value in context)
        self.values = {name: meaning.sourced(Object([pair for pair in value.pairs if pair[0] not in ("from", "late")]), setting)
                       for name, value in context if "meta" not in value.last}
        records = given.get("records")
        # Those that are a key or an index on the way to the record.
        self.steps = [(name, value.last["meta"], re.findall(r"\w+|\*", value.last["from"])) for name, value in context
                      if "meta" in value.last]
        context = [(name, value) for name, value in context if "meta" not in value.last]
        self.context = [(name, value) for name, value in self.context if "meta" not in value]
        self.ways = [(None, pattern(path)) for path in scalars.listed(records)] or [(None, ())]
        for name, value in self.context:
            way = pattern(value["from"])
            self.ways.append((name, way))
            # A value for each of several is forgotten when that one ends.
            several = [i for i, step in enumerate(way) if type(step) is not Names]
            if several:
                self.ways.append((Scope(name), way[:several[-1] + 1]))
        asked = conditions.condition_paths(get("where") or Object([]))
        if type(get("record")) is Object:
            setting.uses["record"] = own_record(get("record"), setting, collects, spec.last)
        if get("value") is not None:
            self.record = meaning.part(get("value"), setting, asked=asked)
        elif get("record") == "$":
            self.record = meaning.part("json", setting, asked=asked)
        else:
            self.record = objects.record(get("record"), setting, collects=collects, rest=spec.last,
                                         asked=asked)
        # What stands in where the condition cannot be decided.
        self.forgiving = FAILED
        if type(get("value")) is Object and meaning.stand_in(get("value"))[1]:
            self.forgiving = meaning.stand_in(get("value"))[2]
        # What looks at the source only is decided first.
        before, after = parted(get("where"))
        self.reads = meaning.reads(get("value"), setting)
        self.before = [conditions.condition(part, self.reads) for part in before]
        self.after = [rules.combined(part, self.compared(get("record"))) for part in after]

    def compared(self, record):
        def single(spec):
            if "field" not in spec.last:
                # Part of the source: the two are told apart by what each of them gets.
                test = conditions.source_test(spec, self.reads)
                return lambda mapped, source: test(source)
            path = spec.last["field"]
            found = rules.steps(path)
            domain, fields = "unknown", record
            for i, step in enumerate(found):
                field = fields.last.get(step) if fields else None
                domain = self.domain(field) if i + 1 == len(found) else "unknown"
                fields = field.last.get("object") if type(field) is Object else None
            return rules.comparison(spec, rules.of_field(path), domain)
        return single

    def domain(self, field):
        if type(field) is not Object or "const" in field.last or "meta" in field.last:
            return "unknown"
        if "context" in field.last:
            return self.setting.domains[field.last["context"]]
        return meaning.domain(field, self.setting)

    def late(self, value):
        """What records have that lack a context value."""
        given, _, stand_in = meaning.stand_in(Object(list(value.items())))
        # As a path alone, paths alone may be absent.
        is_plain = "first_of" in value and set(value) <= {"from", "first_of", "late"}
        return stand_in if given else None if is_plain or self.may_come_late(value) else ABSENT

    @staticmethod
    def may_come_late(value):
        return value.get("late", "fail") != "fail"

    def outcomes(self, documents):
        """What becomes of each record: a pair of MAPPED and the text, DROPPED, or REJECTED and the errors.

        A fault of a context value is REJECTED outside any record: its third part is False.
        """
        facts = self.facts
        facts["meta file"] = self.file
        number = 0
        for document in documents:
            facts["meta line"] = Number(document.line)
            facts["meta byte_offset"] = Number(document.offset)
            late = {name: self.late(value) for name, value in self.context}
            facts.update(late)
            # The values that came, and those that records lacked, in the document or container around.
            came, lacking = set(), set()
            try:
                root = parse(document.text)
            except Malformed:
                number += 1
                yield REJECTED, TEXT_CODES, True
                continue
            for name, path, value, trail in places(root, "$", self.ways):
                step = trail[-1] if trail else None
                errors = []
                # A value of the context has its own.
                facts["meta key"] = step if type(step) is str else ABSENT
                facts["meta index"] = Number(step) if type(step) is int else ABSENT
                if type(name) is Scope:
                    facts[name.name] = late[name.name]
                    came.discard(name.name)
                    lacking.discard(name.name)
                elif name is not None:
                    result = self.values[name](value, path, errors)
                    if result not in NO_RESULT:
                        facts[name] = result
                        came.add(name)
                        if name in lacking:
                            lacking.discard(name)
                            yield REJECTED, [(path, "invalidValue")], False
                    else:
                        yield REJECTED, errors, False
                else:
                    number += 1
                    facts["meta record_number"] = Number(number)
                    self.note_steps(trail)
                    lacking.update(name for name, value in self.context
                                   if name not in came and late[name] is not ABSENT and not self.may_come_late(value))
                    if any(facts[name] is ABSENT for name, _ in self.context):
                        yield REJECTED, [(path, "missing")], True
                    else:
                        yield *self.outcome(value, path, errors), True

    def note_steps(self, trail):
        """The keys and indices on the way to a record; None if its way is another one."""
        for name, fact, way in self.steps:
            leads = len(way) <= len(trail) and all(text in ("*", step) for text, step in zip(way, trail))
            step = trail[len(way) - 1] if leads else None
            if fact == "key":
                self.facts[name] = step if type(step) is str else None
            else:
                self.facts[name] = Number(step) if type(step) is int else None

    @staticmethod
    def domain_of_step(value):
        return {"key": "text", "index": "number"}.get(value.last.get("meta"))

    def outcome(self, value, path, errors):
        """What becomes of a record."""
        holds = self.holds(value, path, errors)
        if holds is False:
            return DROPPED, None
        told = len(errors)
        result = self.record(value, path, errors)
        if holds is FAILED and self.forgiving is not FAILED:
            return MAPPED, write(self.forgiving)
        if holds is FAILED:
            return REJECTED, errors[:told] + [scalars.Maybe(error) for error in errors[told:]]
        if result in NO_RESULT:
            return REJECTED, errors
        try:
            holds = holds and all(test(result, value) for test in self.after)
        except formulas.Fault as fault:
            return REJECTED, [(path + (fault.place or ""), fault.code)]
        return (MAPPED, "\n".join(map(write, self.rows(result)))) if holds else (DROPPED, None)

    def rows(self, result):
        """The rows of a record: one for each element of the array that is exploded."""
        if self.exploded is None or not isinstance(result.last.get(self.exploded), list):
            return [result]
        rows = []
        for element in result.last[self.exploded] or [None]:
            pairs = [(name, element if name == self.exploded else value) for name, value in result.pairs
                     if not (self.omits and name == self.exploded and element is None)]
            rows.append(Object(pairs))
        return rows

    def holds(self, value, path, errors):
        """Whether the part of the condition holds that looks at the source only; FAILED if it cannot be decided."""
        for keeps in self.before:
            holds = keeps(value, path, errors)
            if holds is not True:
                return holds
        return True


def looks_at_fields(spec):
    if "field" in spec.last:
        return True
    return any(looks_at_fields(part) for key in ("all", "any", "not") if key in spec.last
               for part in scalars.listed(spec.last[key]))


def parted(spec, asks_outside=None):
    """The parts of a condition that are decided first: those that look at the source only, and the others.

    What is around the record is asked for first if nothing looks at fields.
    """
    if spec is None:
        return [], []
    if asks_outside is None:
        asks_outside = not looks_at_fields(spec)
    if "all" in spec.last:
        found = [parted(part, asks_outside) for part in spec.last["all"]]
        return [part for before, _ in found for part in before], [part for _, after in found for part in after]
    is_late = looks_at_fields(spec) or conditions.looks_outside(spec) and not asks_outside
    return ([], [spec]) if is_late else ([spec], [])


def arguments(specs, given):
    """The values of the arguments, each read from its text."""
    values = {}
    for name, spec in specs.pairs:
        if type(spec) is str:
            spec = Object([("type", spec)])
        text = given.get(name, spec.last.get("default"))
        kind = spec if "type" in spec.last or "values" in spec.last else Object([("type", "string")])
        values[name], _ = scalars.Scalar(kind).of_text(scalars.scalar_text(text))
    return values


def used_record(fields, setting):
    """A function that gives the record of a file that is used, for the paths that a condition reads."""
    def record(asked=()):
        return objects.record(fields, setting, asked=asked)
    record.duplicates = setting.duplicates
    return record


def own_record(fields, setting, collects, rest):
    """The same of the record that contains itself: it is made when there is one inside."""
    def record(asked=()):
        made = []

        def value(found, path, errors):
            if not made:
                made.append(objects.record(fields, setting, collects=collects, rest=rest, asked=asked))
            return made[0](found, path, errors)
        return value
    record.duplicates = setting.duplicates
    return record


class Scope:
    """The end of what has a context value of its own."""

    def __init__(self, name):
        self.name = name


def places(value, path, ways, trail=()):
    """The records and context values of a document, in its order.

    Each with its name (None of a record, a Scope where a value begins or ends to count), its path, and the steps to it.
    """
    scopes = [(name, path, value, trail) for name, way in ways if not way and type(name) is Scope]
    ends = [name for name, way in ways if not way and type(name) is not Scope]
    if ends:
        # With `..`, others may be inside.
        scopes = []
        yield ends[0], path, value, trail
    yield from scopes
    if type(value) is Object:
        for key, member in value.pairs:
            inner = below(key, ways, member)
            if inner:
                yield from places(member, path + key_step(key), inner, trail + (key,))
    elif type(value) is list:
        for index, element in enumerate(value):
            inner = below(index, ways, element, len(value))
            if inner:
                yield from places(element, f"{path}[{index}]", inner, trail + (index,))
    yield from scopes
