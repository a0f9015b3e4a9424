"""What a mapping means: a mapping file compiled to Python functions, apart from StreamMap's own code.

A function of a value takes the value (or ABSENT), its path in the feed and the list of errors. It returns the mapped value,
or NOTHING where nothing is there, or FAILED; of these it has told the errors, each a path and a code.
"""
import re

import changes
import dates
import exact
import formulas
import jsontext
import rules
from jsontext import Number, Object
from paths import below, key_step, pattern, step_text, steps

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

    def __init__(self, given, omits_nulls=False, uses=None, facts=None, arguments=None):
        self.duplicates = given.get("duplicate_keys", "last")
        self.unknown = given.get("unknown", "ignore")
        self.omits_nulls = omits_nulls
        self.uses = uses or {}
        # What is known of the record that is mapped, and of what is around it.
        self.facts = facts
        self.arguments = arguments or {}
        # Of members that come twice, the one that counts.
        self.pick = "last" if self.duplicates in ("last", "report") else "first"

    def again(self):
        """For what is searched a second time: it does not report again what comes twice."""
        given = {"duplicate_keys": self.pick, "unknown": self.unknown}
        return Setting(given, self.omits_nulls, self.uses, self.facts, self.arguments)


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


def scalar_text(value):
    return ("true" if value else "false") if type(value) is bool else str(value)


def listed(value):
    return value if type(value) is list else [] if value is None else [value]


class Scalar:
    """A scalar's type, with what becomes one."""

    def __init__(self, spec):
        get = spec.last.get
        self.values = get("values")
        changes_number = "scale" in spec.last or "round" in spec.last
        self.type = get("type") or ("enum" if self.values is not None else "number" if changes_number else "any")
        self.coerce = set(listed(get("coerce")))
        self.schemes = {scheme.lower() for scheme in listed(get("schemes"))}
        self.formats = listed(get("format"))
        self.zone = get("zone") or "UTC"
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
        if not exact.is_number(text):
            return None, "invalidValue"
        return self.of_number(text)

    def of_number(self, text):
        if self.factor is not None or self.places is not None:
            text = changes.changed(text, self.factor, None if self.places is None else int(self.places))
        fault = exact.fault(text, self.type)
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
        text = changes.date_text(at, self.form or "rfc3339", self.form_zone)
        if text is None:
            return None, "invalidValue"
        return Number(text) if self.form in dates.UNITS else text, None

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
            by_kind[Number] = self.of_number
        elif kind == "date":
            texts = not self.formats or any(form not in dates.UNITS for form in self.formats)
            if texts or "string" in self.coerce:
                by_kind[str] = self.of_text
            if any(form in dates.UNITS for form in self.formats):
                by_kind[Number] = self.date_of_number
            if not self.formats and not self.coerce and not self.form:
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


# MARK: Places

def at(path, inner, setting, is_field=True):
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
                return inner(None, path, errors) if i or is_field else nothing(None, path, errors)
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
    if "calc" in source:
        return with_policy(spec, with_rules(spec, Scalar(spec).domain, calculated(spec, setting)))
    value = with_rules(spec, domain(spec, setting), unless_null(spec, kind(spec, setting, known)))
    path = source.get("from")
    if path is not None and steps(path):
        value = at(path, value, setting, is_field)
        # The object around a field tells of keys that come twice.
        if setting.duplicates == "fail" and not is_field:
            value = refusing(path, value, stand_in(spec)[0])
    return with_policy(spec, value)


def refusing(path, inner, has_stand_in):
    """A path inside an element: its keys must not come twice."""
    tree = key_tree([steps(path)])

    def checked(value, where, errors):
        before = len(errors)
        result = inner(value, where, errors)
        told = []
        if not twice(value, tree, where, told):
            return result
        if result is NOTHING and has_stand_in:
            del errors[before:]
        errors += told
        return FAILED
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
    for key, name in (("joined", "text"), ("count", "number"), ("split", "array"), ("entries", "array"),
                      ("from_entries", "object"), ("object", "object"), ("map", "object"), ("use", "object"), ("each", "array"), ("dispatch", "unknown")):
        if key in source:
            return name
    if "parse" in source:
        return Scalar(Object([pair for pair in spec.pairs if pair[0] not in ("text", "extract")])).domain \
            if "type" in source or "values" in source else "unknown"
    return Scalar(spec).domain


def kind(spec, setting, known=()):
    """What a value becomes, of whose keys some are known already."""
    source = spec.last
    if "count" in source:
        return counted(setting)
    shaped = shape(spec, setting)
    if shaped is None:
        shaped = container(spec, setting, known) or Scalar(spec).function()
    return joined_elements(source["joined"], shaped) if "joined" in source else shaped


def container(spec, setting, known=()):
    source = spec.last
    if "object" in source:
        return record(source["object"], setting, source.get("from") == "$", known, rest=source)
    if "use" in source:
        return setting.uses[source["use"]]
    if "each" in source:
        return each(part(source["each"], setting), source.get("on_item_error") == "drop", kept(source, setting))
    if "map" in source:
        return dictionary(part(source["map"], setting), setting)
    if "dispatch" in source:
        return dispatch(source["dispatch"], setting)
    return None


def kept(source, setting):
    """Which elements `where` keeps."""
    if "where" not in source:
        return None
    holds = condition(source["where"], setting)
    kind = takes(source.get("each", "string"), setting)
    # An element of another kind than the mapping takes is not asked.
    return lambda value, path, errors: holds(value, path, errors) if kind in (None, type(value)) else True


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
        result, code = scalar.of_text(between.join([scalar_text(text) for text in found]))
        if code is None:
            return result
        errors.append((path, code))
        return FAILED
    return join


def each(inner, drops, keeps=None):
    def array(value, path, errors):
        if type(value) is not list:
            return wrong(value, path, errors)
        results, failed = [], False
        for index, element in enumerate(value):
            before = len(errors)
            place = f"{path}[{index}]"
            if keeps:
                holds = keeps(element, place, errors)
                if holds is False:
                    continue
                result = FAILED if holds is FAILED else inner(element, place, errors)
            else:
                result = inner(element, place, errors)
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


def first_at(value, path):
    """What comes first at a path of keys, where members come twice: a choice is made when it is read."""
    if not path:
        return value
    if type(value) is Object:
        for key, member in value.pairs:
            if key == path[0] and (found := first_at(member, path[1:])) is not ABSENT:
                return found
    return ABSENT


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
        text = first_at(value, found)
        case = cases.get(text) if type(text) is str else None
        if case or otherwise:
            return (case or otherwise)(value, path, errors)
        if type(value) is not Object:
            return wrong(value, path, errors)
        errors.append((path + place, "missing" if text is ABSENT else "invalidValue"))
        return FAILED
    return by_text


# MARK: Other forms

ANY = Object([("type", "any")])
JSON = Object([("type", "json")])


def reading_texts(spec):
    """A value where it is a part of a text: what can be made from a string is, without being asked to."""
    if type(spec) is str:
        spec = Object([("type", spec)])
    source = dict(spec.last)
    for key in ("each",):
        if key in source:
            source[key] = reading_texts(source[key])
    if "object" in source:
        source["object"] = Object([(name, field if type(field) is str else reading_texts(field))
                                   for name, field in source["object"].pairs])
    kind = source.get("type")
    if not set(source) & {"text", "extract", "lookup"} and (
            kind in exact.RANGES or kind in ("number", "float", "double", "decimal", "bool", "date")):
        source["coerce"] = listed(source.get("coerce")) + ["string"]
    return Object(list(source.items()))


def shape(spec, setting):
    """A value that is given another form before it is mapped; None where that is not said."""
    source = spec.last
    text = Scalar(Object([pair for pair in spec.pairs if pair[0] in ("text", "coerce")]
                         + [(key, source[key]) for key in ("extract",) if key in source and not is_groups(source)]
                         + [("type", "string")])).function()
    inner = container(spec, setting)
    if "split" in source:
        inner = each(part(reading_texts(source.get("each", "string")), setting), source.get("on_item_error") == "drop",
                     kept(source, setting))
        separator = source["split"]
        return shaped(text, lambda value: value.split(separator) if value else [], inner)
    if "parse" in source:
        inner = inner or Scalar(Object([pair for pair in spec.pairs if pair[0] not in ("text", "extract", "coerce")]
                                       if "type" in source or "values" in source else JSON.pairs)).function()
        return shaped(text, jsontext.parse, inner)
    if is_groups(source):
        return shaped(text, groups(source["extract"]), record(reading_texts(spec).last["object"], setting))
    if "entries" in source:
        key, value = source["entries"]
        return shaped(members, lambda found: [
            Object([(key, name), (value, member)]) for name, member in getattr(found, setting.pick).items()],
            inner or each(part("json", setting), False))
    if "from_entries" in source:
        key, value = source["from_entries"]
        return shaped(elements, lambda found: from_entries(found, key, value),
                      inner or dictionary(part("json", setting), setting))
    return inner or each(part("any", setting), False) if "joined" in source else None


def is_groups(source):
    return "extract" in source and "object" in source and "parse" not in source


def shaped(first, change, then):
    def mapped(value, path, errors):
        result = first(value, path, errors)
        if result in NO_RESULT:
            return result
        try:
            result = change(result)
        except (changes.NoValue, jsontext.Malformed):
            errors.append((path, "invalidValue"))
            return FAILED
        return then(result, path, errors)
    return mapped


def members(value, path, errors):
    return value if type(value) is Object else wrong(value, path, errors)


def elements(value, path, errors):
    return value if type(value) is list else wrong(value, path, errors)


def groups(pattern):
    expression = changes.compiled(pattern)

    def found(text):
        match = expression.search(text)
        if not match:
            raise changes.NoValue
        return Object([(name, part) for name, part in match.groupdict().items() if part is not None])
    return found


def from_entries(found, key, value):
    pairs = []
    for entry in found:
        # An entry is taken as it stands, so that of its own members the last counts.
        name = entry.last.get(key) if type(entry) is Object else None
        if type(name) not in (str, Number, bool):
            raise changes.NoValue
        pairs.append((scalar_text(name), entry.last.get(value)))
    return Object(pairs)


def joined_elements(separator, inner):
    def join(value, path, errors):
        result = inner(value, path, errors)
        if result in NO_RESULT:
            return result
        if any(type(element) not in (str, Number, bool) for element in result):
            errors.append((path, "invalidValue"))
            return FAILED
        return separator.join([scalar_text(element) for element in result])
    return join


def counted(setting):
    def count(value, path, errors):
        if type(value) not in (list, Object):
            return wrong(value, path, errors)
        return Number(len(value) if type(value) is list else len(value.last))
    return count


# MARK: Formulas and conditions

def calculated(spec, setting):
    formula = formulas.formula(spec.last["calc"], setting.arguments)
    places = spec.last.get("round")
    read = Scalar(Object([pair for pair in spec.pairs if pair[0] in ("type", "values", "schemes", "format", "zone", "coerce")])
                  ).function()

    def calculate(value, path, errors):
        try:
            found = formula((None if value is ABSENT else value, setting.pick))
            result = found.value
            if places is not None:
                result = formulas.rounded(found.number(), int(places))
        except formulas.Fault as fault:
            errors.append((path + (fault.place or ""), fault.code))
            return NOTHING if fault.code == "missing" else FAILED
        if type(result) is tuple:
            result = Number(formulas.text(result))
        return read(ABSENT if found.is_absent else result, path, errors)
    return calculate


def condition(spec, setting):
    """Whether a condition on the source holds: True, False, or FAILED."""
    test = rules.combined(spec, lambda comparison: source_test(comparison, setting))

    def holds(value, path, errors):
        try:
            return test(value)
        except formulas.Fault as fault:
            errors.append((path + (fault.place or ""), fault.code))
            return FAILED
    return holds


def source_test(spec, setting):
    source = spec.last
    if "calc" in source:
        formula = formulas.formula(source["calc"], setting.arguments)
        if len(source) == 1:
            return lambda value: formula((value, setting.pick)).bool()

        def subject(value):
            result = formula((value, setting.pick)).value
            return Number(formulas.text(result)) if type(result) is tuple else result
    else:
        subject = rules.of_source(source["from"], setting.pick)
    return rules.comparison(spec, subject, "unknown")


def cases(spec, setting):
    """The first of several values whose condition holds."""
    found = [(condition(case.last["when"], setting),
              field(Object([pair for pair in case.pairs if pair[0] != "when"]), setting)) for case in spec.last["cases"]]
    otherwise = None
    if "otherwise" in spec.last:
        given = spec.last["otherwise"]
        otherwise = field(given if type(given) is Object else Object([("const", given)]), setting)
    is_nullable = spec.last.get("nullable") is True

    def choose(value, path, errors):
        for when, then in found:
            holds = when(value, path, errors)
            if holds is FAILED:
                return FAILED
            if holds:
                return then(value, path, errors)
        if otherwise:
            return otherwise(value, path, errors)
        if is_nullable:
            return None
        errors.append((path, "missing"))
        return NOTHING
    return choose


# MARK: Objects

def sources(spec):
    """The paths that a field reads, and whether it is given the whole value."""
    if type(spec) is str:
        return [steps(spec)]
    source = spec.last
    if "from" in source:
        path = steps(source["from"])
        return [path] if path else inner_sources(source)
    if "calc" in source:
        return formulas.paths(source["calc"])
    if "cases" in source:
        return [path for case in source["cases"] for path in sources(case) + condition_paths(case.last["when"])] + (
            sources(source["otherwise"]) if type(source.get("otherwise")) is Object else [])
    if "first_of" in source:
        return [steps(each) if type(each) is str else path
                for each in source["first_of"] for path in ([each] if type(each) is str else sources(each))]
    return [steps(path) for path in source.get("join", [])]


def condition_paths(spec):
    """The paths that a condition on the source reads."""
    source = spec.last
    if "from" in source:
        return [steps(source["from"])]
    if "calc" in source:
        return formulas.paths(source["calc"])
    return [path for value in source.values() for part in listed(value) if type(part) is Object
            for path in condition_paths(part)]


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
    if type(spec) is not Object:
        return spec == "$"
    source = spec.last
    if "calc" in source:
        return [] in formulas.paths(source["calc"])
    if "cases" in source:
        return any(is_whole(case) or [] in condition_paths(case.last["when"]) for case in source["cases"]) or (
            type(source.get("otherwise")) is Object and is_whole(source["otherwise"]))
    return "first_of" in source or "join" in source or "from" in source and not steps(source["from"])


def takes(spec, setting):
    """What an element has to be, where it has to be an object or an array: then it is looked at before its condition is."""
    if type(spec) is not Object:
        return None
    source = spec.last
    path = steps(source.get("from", "$"))
    if path:
        return Object if type(path[0]) is str else list
    if "calc" in source:
        return None if is_whole(spec) else Object
    if set(source) & {"split", "parse", "extract", "entries", "from_entries"}:
        return None
    if "object" in source:
        return None if any(is_whole(field) for _, field in source["object"].pairs) else Object
    return Object if "join" in source or "use" in source and not setting.uses[source["use"]].takes_all else None


def tree(value):
    """A value as a tree, which has each key of an object once: with the last of its values."""
    if type(value) is Object:
        return Object([(key, tree(member)) for key, member in value.last.items()])
    return [tree(element) for element in value] if type(value) is list else value


def field(spec, setting):
    """What a field becomes, of the object that it is in."""
    if type(spec) is not Object:
        # The short form: any scalar, null where there is none.
        spec = Object([("from", spec), ("nullable", True)])
    source = spec.last
    if "const" in source or "arg" in source:
        constant = source["const"] if "const" in source else setting.arguments[source["arg"]]
        return lambda value, path, errors: constant
    if source.get("meta") in ("key", "index"):
        return of_fact(spec, setting)
    if "meta" in source or "context" in source:
        return fact(setting.facts, source.get("context") or "meta " + source["meta"])
    return cases(spec, setting) if "cases" in source else sourced(spec, setting, is_field=True)


def of_fact(spec, setting):
    """A fact that is read as a type: a key is a text, and an index a number, whatever the type is that they are for."""
    name = "meta " + spec.last["meta"]
    kinds = listed(spec.last.get("coerce")) + ["string" if name == "meta key" else "number"]
    read = sourced(Object([pair for pair in spec.pairs if pair[0] != "meta"] + [("coerce", kinds)]), setting)
    return lambda value, path, errors: read(setting.facts[name], path, errors)


def record(fields, setting, whole=False, known=(), collects=None, rest=None):
    """An object made of fields. `whole`: it is the same object as the one around it."""
    made = [(name, field(spec, setting)) for name, spec in fields.pairs]
    named = {name for name, _ in fields.pairs}
    keeps = rest and rest.get("rest") == "keep"
    drops = [(None, pattern(path)) for path in listed(rest.get("drop"))] if rest else []
    known = {path[0] for _, spec in fields.pairs for path in sources(spec) if path} | set(known)
    dropped = {key for _, way in drops if len(way) == 1 for key in way[0]}
    # What a field from `$` reads, it looks at itself.
    paths = key_tree([path for _, spec in fields.pairs if not is_whole(spec) for path in sources(spec)])
    takes_all = any(is_whole(spec) for _, spec in fields.pairs)
    refuses_unknown = setting.unknown == "fail" and not whole
    refuses_duplicates = setting.duplicates == "fail"
    pick = setting.pick
    omits_nulls = setting.omits_nulls

    takes_null = any(is_whole(spec) and "calc" not in (spec.last if type(spec) is Object else ()) for _, spec in fields.pairs)

    def mapped(value, path, errors):
        if type(value) is not Object and not takes_all or value is None and not takes_null:
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
                unknown = [(path + key_step(key), "unknownKey") for key, _ in value.pairs
                           if key not in known and key not in dropped]
                errors.extend(unknown)
                failed = failed or bool(unknown)
            if refuses_duplicates:
                failed |= twice(value, paths, path, errors)
                if keeps:
                    failed |= twice(value, {key: {} for key in value.last if key not in known | dropped | named}, path, errors)
        if collects:
            others = {key: {} for key, _ in value.pairs if key not in known} if type(value) is Object else {}
            if refuses_duplicates:
                failed |= twice(value, others, path, errors)
            results.append((collects, Object([(key, tree(getattr(value, pick)[key])) for key in others])))
        if keeps and type(value) is Object and not failed:
            members = getattr(value, pick)
            for key in members:
                ways = below(key, drops)
                if key not in known and key not in named and all(way for _, way in ways) and not (
                        omits_nulls and members[key] is None):
                    results.append((key, without(members[key], ways)))
        return FAILED if failed else Object(results)
    mapped.takes_all = takes_all
    return mapped


def without(value, ways):
    """A value without what is at the end of some ways into it."""
    if not ways or type(value) not in (Object, list):
        return value
    kept = []
    for key, member in value.pairs if type(value) is Object else enumerate(value):
        inner = below(key, ways)
        if all(way for _, way in inner):
            kept.append((key, without(member, inner)))
    return Object(kept) if type(value) is Object else [element for _, element in kept]
