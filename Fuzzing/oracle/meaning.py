"""What a value of a mapping file becomes: compiled to Python functions, apart from StreamMap's own code.

A function of a value takes the value (or ABSENT), its path in the feed and the list of errors. It returns the mapped value,
or NOTHING where nothing is there, or FAILED; of these it has told the errors, each a path and a code.
"""
import changes
import conditions
import forms
import lists
import objects
import rules
from jsontext import Number, Object
from paths import first_held, key_step, may_be_several, step_text, steps
from places import at, key_tree, twice
from scalars import ABSENT, FAILED, NOTHING, NO_RESULT, Maybe, Scalar, nothing, scalar_text, wrong


class Setting:
    """What the fields of a mapping have in common."""

    def __init__(self, given, omits_nulls=False, uses=None, facts=None, arguments=None, domains=None):
        self.duplicates = given.get("duplicate_keys", "last")
        self.unknown = given.get("unknown", "ignore")
        self.omits_nulls = omits_nulls
        self.uses = uses or {}
        # What is known of the record that is mapped, and of what is around it.
        self.facts = facts
        self.arguments = arguments or {}
        # What is known of the values from outside the records.
        self.domains = domains if domains is not None else {}
        # Which of several members with the same key counts.
        self.pick = "last" if self.duplicates in ("last", "report") else "first"

    def reading_last(self):
        """For what is looked at as it stands."""
        return Setting({}, arguments=self.arguments)

    def again(self):
        """For what is searched a second time: it does not report again what comes twice."""
        return self.by(self.pick)

    def by(self, duplicates):
        """With another rule for keys that come twice."""
        given = {"duplicate_keys": duplicates, "unknown": self.unknown}
        return Setting(given, self.omits_nulls, self.uses, self.facts, self.arguments, self.domains)


def plain(spec):
    """A mapping file with `type: int64?` written in the long way; a type alone becomes a map."""
    if type(spec) is list:
        return [plain(each) for each in spec]
    if type(spec) is not Object:
        return spec
    pairs = []
    for key, value in spec.pairs:
        if key == "type" and type(value) is str and value.endswith("?"):
            pairs += [(key, value[:-1]), ("nullable", True)]
        elif key == "each" and type(value) is str and value.endswith("?"):
            pairs.append((key, Object([("type", value[:-1]), ("nullable", True)])))
        else:
            pairs.append((key, plain(value)))
    return Object(pairs)


def stand_in(spec):
    """Whether a policy is given, whether it is for wrong values, too, and what stands in."""
    if [key for key, _ in spec.pairs] == ["first_of"]:
        return True, False, None
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


def part(spec, setting, known=(), asked=()):
    """An element, a dictionary's value, a case: the name of a type, or a map with a path inside.

    `asked`: paths that its condition reads.
    """
    if type(spec) is str:
        value = Scalar(Object([("type", spec)])).function()
    else:
        value = sourced(spec, setting, known=known, asked=asked)
        source = spec.last
        if not forms.is_row(source) and not set(source) & {"split", "parse", "entries", "from_entries", "extract", "joined", "count", "first_of", "join", "list",
                                                            "template", "unwrap", "zip"} and (
                set(source) & {"object", "use"} or steps(source.get("from", "$"))):
            # An object, or the place that a path leads to, looks for them itself.
            return value
    if not asked or setting.duplicates != "fail":
        return value
    value = refusing(asked, value, False)
    return value if type(spec) is str else forgiving(spec, value)


def forgiving(spec, inner):
    """With what stands in for a wrong value."""
    _, forgives, value = stand_in(spec)

    def forgiven(found, path, errors):
        before = len(errors)
        result = inner(found, path, errors)
        if forgives and result is FAILED:
            del errors[before:]
            return value
        return result
    return forgiven if forgives else inner


def sourced(spec, setting, is_field=False, known=(), asked=()):
    """A value with its source: from a path, the first of several, or joined."""
    source = spec.last
    if "first_of" in source:
        return with_policy(spec, first_of(spec, setting))
    if "join" in source or "template" in source:
        return with_policy(spec, with_rules(spec, joined_scalar(spec).domain, joined(spec, setting)))
    if "calc" in source:
        return with_policy(spec, with_rules(spec, Scalar(spec).domain, conditions.calculated(spec, setting)))
    path = source["zip"] if type(source.get("zip")) is str else source.get("from")
    if path is not None and may_be_several(path) and not set(source) & {"type", "each", "list", "count", "joined"}:
        spec = Object(spec.pairs + [("type", "json")])
    is_inside = path is not None and (steps(path) or first_held(path)[2])
    value = with_rules(spec, domain(spec, setting), unless_null(spec, kind(spec, setting, known, () if is_inside else asked)))
    if is_inside:
        value = at(path, value, setting, is_field)
        # The object around a field tells of keys that come twice.
        if setting.duplicates == "fail" and not is_field:
            value = refusing([steps(path), *asked], value, stand_in(spec)[0])
    return with_policy(spec, value)


def refusing(paths, inner, has_stand_in):
    """Paths inside an element: their keys must not come twice."""
    tree = key_tree(paths)

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
    if "join" in source or "template" in source:
        return joined_scalar(spec).domain
    if "zip" in source:
        return domain(forms.rest_of_zip(spec), setting)
    if "list" in source and not set(source) & {"joined", "from_entries", "object", "map", "use", "each", "dispatch"}:
        if lists.result(source["list"]) == "list":
            return "array"
        return Scalar(forms.list_scalar(spec, "split" in source or "parse" in source)).domain
    if "first_of" in source:
        whole = domain(Object([pair for pair in spec.pairs if pair[0] != "first_of"]), setting)
        found = {domain(each, setting) if type(each) is Object else whole for each in source["first_of"]}
        return found.pop() if len(found) == 1 else "unknown"
    if forms.is_row(source) and not set(source) & {"object", "map"}:
        return "unknown"
    for key, name in (("joined", "text"), ("count", "number"), ("split", "array"), ("entries", "array"),
                      ("from_entries", "object"), ("object", "object"), ("map", "object"), ("use", "object"),
                      ("each", "array"), ("dispatch", "unknown")):
        if key in source:
            return name
    if source.get("parse") == "query":
        return "object"
    if "parse" in source or "unwrap" in source:
        return Scalar(Object([pair for pair in spec.pairs if pair[0] not in ("text", "extract", "unwrap")])).domain \
            if "type" in source or "values" in source else "unknown"
    return Scalar(spec).domain


def kind(spec, setting, known=(), asked=()):
    """What a value becomes, of whose keys some are known already."""
    source = spec.last
    if "zip" in source:
        return forms.zipped(spec, setting)
    if "count" in source:
        return forms.counted(setting)
    shaped = forms.shape(spec, setting)
    if shaped is None:
        shaped = container(spec, setting, known, asked) or Scalar(spec).function()
    return forms.joined_elements(source["joined"], shaped) if "joined" in source else shaped


def container(spec, setting, known=(), asked=()):
    source = spec.last
    if "object" in source:
        return objects.record(source["object"], setting, source.get("from") == "$", known, rest=source, asked=asked)
    if "use" in source:
        return setting.uses[source["use"]](asked)
    if "each" in source:
        asked = conditions.condition_paths(source["where"]) if "where" in source else ()
        return each(part(source["each"], setting, asked=asked), source.get("on_item_error") == "drop", kept(source, setting))
    if "map" in source:
        return dictionary(part(source["map"], setting), setting)
    if "dispatch" in source:
        return dispatch(source["dispatch"], setting)
    return None


def reads(value, setting):
    """The setting by which conditions read a value: what another file maps keeps to the rule of that file."""
    if type(value) is Object and "use" in value.last and not steps(value.last.get("from", "$")):
        return setting.by(setting.uses[value.last["use"]].duplicates)
    return setting


def kept(source, setting):
    """Which elements `where` keeps, whatever they are."""
    if "where" not in source:
        return None
    element = source.get("each")
    setting = reads(element, setting)
    keeps = conditions.condition(source["where"], setting)
    _, forgiving, value = stand_in(element) if type(element) is Object and "calc" not in element.last else (0, False, None)
    # If nothing can be decided, the element is wrong, so that `optionally` stands in.
    keeps.stand_in = value if forgiving else FAILED
    return keeps


def first_of(spec, setting):
    plain = Object([pair for pair in spec.pairs if pair[0] not in ("first_of", "default", "nullable", "optionally",
                                                                  "required", "validate")])
    again = setting.again()
    whole = kind(plain, setting)
    shared = domain(spec, setting)

    def alternative(each):
        if type(each) is Object and list(each.last) == ["first_of"]:
            return with_rules(spec, shared, first_of(each, again))
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
    if "template" in spec.last:
        pieces, paths, required = changes.template(spec.last["template"])
    else:
        paths = range(len(spec.last["join"]))
        by_columns = "lookup" in spec.last and type(spec.last["lookup"].last["key"]) is list
        between = [("text", changes.SEVERAL if by_columns else spec.last.get("with") or "")]
        pieces = [piece for number in paths for piece in (between if number else []) + [("value", number)]]
        paths, required = spec.last["join"], set(paths)
    parts = [at(path, any_scalar, again) if number in required else or_null(path, any_scalar, again)
             for number, path in enumerate(paths)]
    scalar = joined_scalar(spec)

    def join(value, path, errors):
        if type(value) is not Object:
            return wrong(value, path, errors)
        found = [inner(value, path, errors) for inner in parts]
        if FAILED in found:
            return FAILED
        if NOTHING in found:
            return NOTHING
        result, code = scalar.of_text(changes.filled(pieces, [None if text is None else scalar_text(text) for text in found]))
        if code is None:
            return result
        errors.append((path, code))
        return FAILED
    return join


def or_null(path, inner, setting):
    """What is at a path, or null."""
    spec = Object([("nullable", True)])
    return with_policy(spec, at(path, unless_null(spec, inner), setting))


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
            # If nothing can be decided about an element, its other errors may be reported.
            told = len(errors)
            result = inner(element, place, errors)
            if keeps and holds is FAILED:
                result = keeps.stand_in
                errors[told:] = map(Maybe, errors[told:])
                if result is not FAILED:
                    del errors[before:]
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
        # In the order in which the keys first came.
        for key in dict.fromkeys([key for key, _ in value.pairs]):
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
    discriminator = [steps(spec.last["on"])] if "on" in spec.last else ()
    cases = {name: part(case, setting, discriminator) for name, case in spec.last["cases"].pairs}
    otherwise = part(spec.last["otherwise"], setting, discriminator) if "otherwise" in spec.last else None
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
