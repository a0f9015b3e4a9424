"""What a mapping means: a mapping file compiled to Python functions, apart from StreamMap's own code.

A function of a value takes the value (or ABSENT), its path in the feed and the list of errors. It returns the mapped value,
or NOTHING where nothing is there, or FAILED; of these it has told the errors, each a path and a code.
"""
import re

import dates
import exact
import rules
from jsontext import Number, Object
from paths import key_step, step_text, steps

ABSENT, NOTHING, FAILED = (type(name, (), {"__repr__": lambda self: type(self).__name__})()
                           for name in ("ABSENT", "NOTHING", "FAILED"))
NO_RESULT = (NOTHING, FAILED)


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


class Setting:
    """What the fields of a mapping have in common."""

    def __init__(self, given, omits_nulls=False, uses=None, facts=None):
        self.duplicates = given.get("duplicate_keys", "last")
        self.unknown = given.get("unknown", "ignore")
        self.omits_nulls = omits_nulls
        self.uses = uses or {}
        # What is known of the record that is mapped, and of what is around it.
        self.facts = facts
        # Of members that come twice, the one that counts.
        self.pick = "last" if self.duplicates in ("last", "report") else "first"

    def again(self):
        """For what is searched a second time: it does not report again what comes twice."""
        given = {"duplicate_keys": self.pick, "unknown": self.unknown}
        return Setting(given, self.omits_nulls, self.uses, self.facts)


# MARK: Scalars

_uuid = re.compile(r"[0-9A-Fa-f]{8}(?:-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}")
# RFC 3986, and characters outside ASCII in place of their percent-encoding.
_CHAR = r"[A-Za-z0-9\-._~!$&'()*+,;=:@\u0080-\U0010ffff]|%[0-9A-Fa-f]{2}"
_NAME = r"[A-Za-z0-9\-._~!$&'()*+,;=\u0080-\U0010ffff]|%[0-9A-Fa-f]{2}"
_url = re.compile(
    rf"(?:([A-Za-z][A-Za-z0-9+\-.]*):)?(?://(?:(?:{_NAME}|:)*@)?(?:\[[0-9A-Fa-f:.]+\]|(?:{_NAME})*)(?::\d*)?(?=[/?#]|$)|(?!//))"
    rf"(?:{_CHAR}|/)*(?:\?(?:{_CHAR}|[/?])*)?(?:#(?:{_CHAR}|[/?])*)?", re.ASCII)


def is_url(text, schemes):
    match = _url.fullmatch(text)
    if not text or not match:
        return False
    # Without a scheme there is no colon before the first slash.
    if not match[1] and not text.startswith("//") and ":" in re.split(r"[/?#]", text, maxsplit=1)[0]:
        return False
    return not schemes or (match[1] or "").lower() in schemes


def listed(value):
    return value if type(value) is list else [] if value is None else [value]


class Scalar:
    """A scalar's type, with what becomes one."""

    def __init__(self, spec):
        get = spec.last.get
        self.values = get("values")
        self.type = get("type") or ("enum" if self.values is not None else "any")
        self.coerce = set(listed(get("coerce")))
        self.schemes = {scheme.lower() for scheme in listed(get("schemes"))}
        self.formats = listed(get("format"))
        self.zone = get("zone") or "UTC"
        if type(self.values) is list:
            self.table = {text: text for text in self.values}
        elif self.values is not None:
            self.table = self.values.last

    @property
    def domain(self):
        if self.type in exact.RANGES or self.type in ("float", "double", "decimal", "number"):
            return "number"
        return {"string": "text", "url": "text", "uuid": "text", "bool": "boolean", "date": "date"}.get(
            self.type, "unknown")

    def of_text(self, text):
        """The value of a text that stands for one, or None and a code."""
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
            return (self.table[text], None) if text in self.table else (None, "invalidValue")
        if not exact.is_number(text):
            return None, "invalidValue"
        fault = exact.fault(text, kind)
        return (None, fault) if fault else (Number(text), None)

    def date(self, text):
        for form in self.formats or ["rfc3339"]:
            if form not in dates.UNITS:
                at = dates.read(text, form, self.zone)
                if at is not None:
                    return self.written(at)
        if "string" in self.coerce and exact.is_number(text):
            return self.date_of_number(text)
        return None, "invalidValue"

    def date_of_number(self, text):
        if exact.fault(text, "double"):
            return None, "invalidValue"
        for form in self.formats:
            if form in dates.UNITS:
                at = dates.unix(text, form)
                if at is not None:
                    return self.written(at)
        return None, "invalidValue"

    def written(self, at):
        text = dates.written(at)
        return (text, None) if text is not None else (None, "invalidValue")

    def function(self):
        kind = self.type
        if kind == "json":
            return lambda value, path, errors: (
                value if value is not ABSENT else nothing(value, path, errors))
        if kind == "any":
            scalars = (str, Number, bool)
            return lambda value, path, errors: value if type(value) in scalars else wrong(value, path, errors)
        by_kind = {}
        own = {"string": str, "bool": bool, "url": str, "uuid": str, "date": str, "enum": str}.get(kind, Number)
        if own is Number:
            by_kind[Number] = lambda value: (value, exact.fault(value, kind))
        elif kind == "date":
            texts = not self.formats or any(form not in dates.UNITS for form in self.formats)
            if texts or "string" in self.coerce:
                by_kind[str] = self.of_text
            if any(form in dates.UNITS for form in self.formats):
                by_kind[Number] = self.date_of_number
            if not self.formats and not self.coerce:
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


# MARK: Places

def at(path, inner, setting):
    """What is at a path inside, mapped."""
    found = steps(path)
    if not found:
        return inner
    texts = [step_text(step) for step in found]
    rest = ["".join(texts[i:]) for i in range(len(texts))]
    pick = setting.pick

    def inside(value, path, errors):
        if value is ABSENT:
            return inner(ABSENT, path, errors)
        for i, step in enumerate(found):
            if value is None:
                return inner(None, path, errors)
            if type(step) is str:
                if type(value) is not Object:
                    return wrong(value, path, errors)
                value = getattr(value, pick).get(step, ABSENT)
            else:
                if type(value) is not list:
                    return wrong(value, path, errors)
                value = value[step] if step < len(value) else ABSENT
            if value is ABSENT:
                return inner(ABSENT, path + rest[i], errors)
            path += texts[i]
        return inner(value, path, errors)
    return inside


def key_tree(paths):
    """The keys on some paths, as a tree."""
    tree = {}
    for path in paths:
        level = tree
        for step in path:
            level = level.setdefault(step, {})
    return tree


def twice(value, tree, path, errors):
    """Tells of members that come twice and lie on a path of the tree."""
    told = False
    if type(value) is Object:
        if value.has_duplicates:
            seen = set()
            for key, _ in value.pairs:
                if key in tree and key in seen:
                    errors.append((path + key_step(key), "duplicateKey"))
                    told = True
                seen.add(key)
        for key, below in tree.items():
            if below and type(key) is str and key in value.first:
                told |= twice(value.first[key], below, path + key_step(key), errors)
    elif type(value) is list:
        for index, below in tree.items():
            if below and type(index) is int and index < len(value):
                told |= twice(value[index], below, path + step_text(index), errors)
    return told


# MARK: Values

KINDS = ("type", "object", "each", "map", "use", "dispatch")


def stand_in(spec):
    """Whether a policy is given, whether it is for wrong values, too, and what stands in."""
    for key, value in spec.pairs:
        if key == "nullable" and value is True or key == "required" and value is False:
            return True, False, None
        if key in ("default", "optionally"):
            return True, key == "optionally", value
    return False, False, None


def with_policy(spec, inner):
    given, forgiving, value = stand_in(spec)
    if not given:
        return inner

    def policy(found, path, errors):
        before = len(errors)
        result = inner(found, path, errors)
        if result is NOTHING or forgiving and result is FAILED:
            del errors[before:]
            return value
        return result
    return policy


def unless_null(spec, inner):
    """Where something stands in for null, null is not looked at."""
    if not stand_in(spec)[0]:
        return inner
    return lambda value, path, errors: (
        nothing(value, path, errors) if value is None else inner(value, path, errors))


def with_rules(spec, domain, inner):
    given = spec.last.get("validate")
    if given is None:
        return inner
    kept = rules.rules(given, domain)

    def validated(value, path, errors):
        result = inner(value, path, errors)
        if result in NO_RESULT or result is None:
            return result
        broken = [1 for holds in kept if not holds(result)]
        errors.extend((path, "validationFailed") for _ in broken)
        return FAILED if broken else result
    return validated


def part(spec, setting, known=()):
    """An element, a dictionary's value, a case: the name of a type, or a map with a path inside."""
    if type(spec) is str:
        return Scalar(Object([("type", spec)])).function()
    return sourced(spec, setting, known=known)


def sourced(spec, setting, is_field=False, known=()):
    """A value with its source: from a path, the first of several, or joined."""
    source = spec.last
    if "first_of" in source:
        return with_policy(spec, first_of(spec, setting))
    if "join" in source:
        return with_policy(spec, with_rules(spec, joined_scalar(spec).domain, joined(spec, setting)))
    value = with_rules(spec, domain(spec, setting), unless_null(spec, kind(spec, setting, known)))
    path = source.get("from")
    if path is not None and steps(path):
        value = at(path, value, setting)
        # The object around a field tells of keys that come twice.
        if setting.duplicates == "fail" and not is_field:
            value = refusing(path, value)
    return with_policy(spec, value)


def refusing(path, inner):
    """A path inside an element: its keys must not come twice."""
    tree = key_tree([steps(path)])

    def checked(value, where, errors):
        result = inner(value, where, errors)
        return FAILED if twice(value, tree, where, errors) else result
    return checked


def domain(spec, setting):
    """What is known of the values that rules are about."""
    if type(spec) is str:
        return Scalar(Object([("type", spec)])).domain
    source = spec.last
    if "join" in source:
        return joined_scalar(spec).domain
    if "first_of" in source:
        whole = domain(Object([pair for pair in spec.pairs if pair[0] != "first_of"]), setting)
        found = {domain(each, setting) if type(each) is Object else whole for each in source["first_of"]}
        return found.pop() if len(found) == 1 else "unknown"
    for key, name in (("object", "object"), ("map", "object"), ("use", "object"), ("each", "array"), ("dispatch", "unknown")):
        if key in source:
            return name
    return Scalar(spec).domain


def kind(spec, setting, known=()):
    """What a value becomes, of whose keys some are known already."""
    source = spec.last
    if "object" in source:
        return record(source["object"], setting, whole=source.get("from") == "$", known=known)
    if "use" in source:
        return setting.uses[source["use"]]
    if "each" in source:
        return each(part(source["each"], setting), source.get("on_item_error") == "drop")
    if "map" in source:
        return dictionary(part(source["map"], setting), setting)
    if "dispatch" in source:
        return dispatch(source["dispatch"], setting)
    return Scalar(spec).function()


def first_of(spec, setting):
    plain = Object([pair for pair in spec.pairs if pair[0] not in ("first_of", "default", "nullable", "optionally",
                                                                  "required", "validate")])
    again = setting.again()
    whole = kind(plain, setting)
    shared = domain(spec, setting)

    def alternative(each):
        inner = sourced(each, again) if type(each) is Object else at(each, whole, again)
        return with_rules(spec, shared, inner)
    alternatives = [alternative(each) for each in spec.last["first_of"]]

    def first(value, path, errors):
        if value is ABSENT or value is None:
            return nothing(value, path, errors)
        empty = True
        for inner in alternatives:
            result = inner(value, path, [])
            if result not in NO_RESULT:
                return result
            empty = empty and result is NOTHING
        errors.append((path, "noAlternative"))
        return NOTHING if empty else FAILED
    return first


def joined_scalar(spec):
    scalar = Scalar(spec)
    if "type" not in spec.last and scalar.values is None:
        scalar.type = "string"
    return scalar


def joined(spec, setting):
    again = setting.again()
    any_scalar = Scalar(Object([])).function()
    parts = [at(path, any_scalar, again) for path in spec.last["join"]]
    between = spec.last.get("with") or ""
    scalar = joined_scalar(spec)
    given, forgiving, _ = stand_in(spec)

    def join(value, path, errors):
        if type(value) is not Object:
            return wrong(value, path, errors)
        before = len(errors)
        found = [inner(value, path, errors) for inner in parts]
        if FAILED in found:
            if given:
                errors[before:] = [error for error in errors[before:] if error[1] not in ("missing", "null")]
            return FAILED
        if NOTHING in found:
            return NOTHING if given else FAILED
        result, code = scalar.of_text(between.join(
            ("true" if text else "false") if type(text) is bool else text for text in found))
        if code is None:
            return result
        errors.append((path, code))
        return FAILED
    return join


def each(inner, drops):
    def array(value, path, errors):
        if type(value) is not list:
            return wrong(value, path, errors)
        results, failed = [], False
        for index, element in enumerate(value):
            before = len(errors)
            result = inner(element, f"{path}[{index}]", errors)
            if result not in NO_RESULT:
                results.append(result)
            elif drops:
                del errors[before:]
            else:
                failed = True
        return FAILED if failed else results
    return array


def dictionary(inner, setting):
    def mapped(value, path, errors):
        if type(value) is not Object:
            return wrong(value, path, errors)
        failed = setting.duplicates == "fail" and twice(value, dict.fromkeys(value.last, {}), path, errors)
        members = getattr(value, setting.pick)
        results = []
        keys = members
        if value.has_duplicates and setting.pick == "last":
            # KNOWN: not in the order in which the keys first came, but in which they first came with a value that fits.
            keys = dict.fromkeys([key for key, member in value.pairs if inner(member, path, []) not in NO_RESULT]
                                 + list(members))
        for key in keys:
            result = inner(members[key], path + key_step(key), errors)
            if result in NO_RESULT:
                failed = True
            else:
                results.append((key, result))
        return FAILED if failed else Object(results)
    return mapped


KIND_NAMES = {bool: "boolean", Number: "number", str: "string", Object: "object", list: "array", type(None): "null"}


def dispatch(spec, setting):
    discriminator = steps(spec.last["on"])[:1] if "on" in spec.last else ()
    cases = {name: part(case, setting, discriminator) for name, case in spec.last["cases"].pairs}
    otherwise = part(spec.last["otherwise"], setting) if "otherwise" in spec.last else None
    if "on" not in spec.last:
        def by_kind(value, path, errors):
            if value is ABSENT:
                return nothing(value, path, errors)
            case = cases.get(KIND_NAMES[type(value)]) or otherwise
            return case(value, path, errors) if case else wrong(value, path, errors)
        return by_kind
    found = steps(spec.last["on"])
    place = "".join(step_text(step) for step in found)

    def by_text(value, path, errors):
        if value is ABSENT or value is None:
            return nothing(value, path, errors)
        text = value
        for step in found:
            # The first of several: the choice is made when it is read.
            text = text.first.get(step, ABSENT) if type(text) is Object else ABSENT
        case = cases.get(text) if type(text) is str else None
        if case or otherwise:
            return (case or otherwise)(value, path, errors)
        if type(value) is not Object:
            return wrong(value, path, errors)
        errors.append((path + place, "missing" if text is ABSENT else "invalidValue"))
        return FAILED
    return by_text


# MARK: Objects

def sources(spec):
    """The paths that a field reads, and whether it is given the whole value."""
    if type(spec) is str:
        return [steps(spec)]
    source = spec.last
    if "from" in source:
        path = steps(source["from"])
        return [path] if path else inner_sources(source)
    if "first_of" in source:
        return [steps(each) if type(each) is str else path
                for each in source["first_of"] for path in ([each] if type(each) is str else sources(each))]
    return [steps(path) for path in source.get("join", [])]


def inner_sources(source):
    """What a field from `$` reads of the object around it."""
    if "object" in source:
        return [path for _, field in source["object"].pairs for path in sources(field)]
    if "dispatch" in source:
        cases = source["dispatch"].last
        parts = [case for _, case in cases["cases"].pairs] + ([cases["otherwise"]] if "otherwise" in cases else [])
        found = [path for case in parts if type(case) is Object
                 for path in (sources(case) if set(case.last) & {"from", "first_of", "join"} else inner_sources(case.last))]
        return found + ([steps(cases["on"])] if "on" in cases else [])
    return []


def fact(facts, name):
    return lambda value, path, errors: facts[name]


def is_whole(spec):
    """Whether a field takes the value itself, whatever it is."""
    return type(spec) is Object and ("first_of" in spec.last or "join" in spec.last
                                     or "from" in spec.last and not steps(spec.last["from"])) \
        or spec == "$"


def tree(value):
    """A value as a tree, which has each key of an object once: with the last of its values."""
    if type(value) is Object:
        return Object([(key, tree(member)) for key, member in value.last.items()])
    return [tree(element) for element in value] if type(value) is list else value


def record(fields, setting, whole=False, known=(), collects=None):
    """An object made of fields. `whole`: it is the same object as the one around it."""
    made = []
    for name, spec in fields.pairs:
        if type(spec) is not Object:
            # The short form: any scalar, null where there is none.
            spec = Object([("from", spec), ("nullable", True)])
        if "const" in spec.last:
            constant = spec.last["const"]
            made.append((name, lambda value, path, errors, constant=constant: constant))
        elif "meta" in spec.last or "context" in spec.last:
            made.append((name, fact(setting.facts, spec.last.get("context") or "meta " + spec.last["meta"])))
        else:
            made.append((name, sourced(spec, setting, is_field=True)))
    known = {path[0] for _, spec in fields.pairs for path in sources(spec) if path} | set(known)
    # What a field from `$` reads, it looks at itself.
    paths = key_tree([path for _, spec in fields.pairs if not is_whole(spec) for path in sources(spec)])
    takes_all = any(is_whole(spec) for _, spec in fields.pairs)
    refuses_unknown = setting.unknown == "fail" and not whole
    refuses_duplicates = setting.duplicates == "fail"
    pick = setting.pick
    omits_nulls = setting.omits_nulls

    def mapped(value, path, errors):
        if type(value) is not Object and not takes_all:
            return wrong(value, path, errors)
        if value is ABSENT:
            return nothing(value, path, errors)
        failed = False
        results = []
        for name, field in made:
            result = field(value, path, errors)
            if result in NO_RESULT:
                failed = True
            if result is not None or not omits_nulls:
                results.append((name, result))
        if type(value) is Object:
            if refuses_unknown:
                unknown = [(path + key_step(key), "unknownKey") for key, _ in value.pairs if key not in known]
                errors.extend(unknown)
                failed = failed or bool(unknown)
            if refuses_duplicates:
                failed |= twice(value, paths, path, errors)
        if collects:
            others = {key: {} for key, _ in value.pairs if key not in known} if type(value) is Object else {}
            if refuses_duplicates:
                failed |= twice(value, others, path, errors)
            results.append((collects, Object([(key, tree(getattr(value, pick)[key])) for key in others])))
        return FAILED if failed else Object(results)
    return mapped
