"""Objects that are made of fields."""
import changes
import conditions
import formulas
import meaning
from jsontext import Object
from paths import below, key_step, pattern, steps
from places import key_tree, twice
from scalars import ABSENT, FAILED, NO_RESULT, listed, nothing, wrong


def sources(spec, looks=True):
    """The paths of the object around that a field takes, and with `looks` also those that its formulas and conditions read."""
    if type(spec) is str:
        return [steps(spec)]
    source = spec.last
    if "from" in source:
        path = steps(source["from"])
        return [path] if path else inner_sources(source, looks)
    if "zip" in source:
        return [steps(path) for path in ([source["zip"]] if type(source["zip"]) is str else [path for _, path in source["zip"].pairs])]
    if "calc" in source:
        return formulas.paths(source["calc"]) if looks else []
    if "cases" in source:
        return [path for case in source["cases"]
                for path in sources(case, looks) + (conditions.condition_paths(case.last["when"]) if looks else [])] + (
            sources(source["otherwise"], looks) if type(source.get("otherwise")) is Object else [])
    if "first_of" in source:
        return [path for each in source["first_of"] for path in sources(each, looks)]
    paths = changes.template(source["template"])[1] if "template" in source else source.get("join", [])
    return [steps(path) for path in paths]


def inner_sources(source, looks):
    """What a field from `$` reads of the object around it."""
    if "object" in source:
        return [path for _, field in source["object"].pairs for path in sources(field, looks)]
    if "dispatch" in source:
        cases = source["dispatch"].last
        parts = [case for _, case in cases["cases"].pairs] + ([cases["otherwise"]] if "otherwise" in cases else [])
        found = [path for case in parts if type(case) is Object
                 for path in (sources(case, looks) if set(case.last) & {"from", "first_of", "join", "template"}
                              else inner_sources(case.last, looks))]
        return found + ([steps(cases["on"])] if "on" in cases else [])
    return []


def reported(spec):
    """The paths of a field on which the object around it looks for keys that come twice."""
    if type(spec) is Object and not steps(spec.last.get("from", "x")):
        # What a field from `$` reads, it looks at itself.
        return []
    if type(spec) is Object and "cases" in spec.last:
        parts = spec.last["cases"] + ([spec.last["otherwise"]] if type(spec.last.get("otherwise")) is Object else [])
        return [path for case in parts for path in reported(case)] + [
            path for case in spec.last["cases"] for path in conditions.condition_paths(case.last["when"])]
    return sources(spec)


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
        return any(is_whole(case) or [] in conditions.condition_paths(case.last["when"]) for case in source["cases"]) or (
            type(source.get("otherwise")) is Object and is_whole(source["otherwise"]))
    return "first_of" in source or "join" in source or "template" in source or type(source.get("zip")) is Object or "from" in source and not steps(source["from"])


def tree(value):
    """A value as a tree, which has each key of an object once: with the last of its values."""
    if type(value) is Object:
        return Object([(key, tree(member)) for key, member in value.last.items()])
    return [tree(element) for element in value] if type(value) is list else value


def field(spec, setting):
    """What a field becomes, of the object that it is in."""
    if type(spec) is not Object:
        # The short form: any scalar, null if there is none.
        spec = Object([("from", spec), ("nullable", True)])
    source = spec.last
    if "const" in source or "arg" in source:
        constant = source["const"] if "const" in source else setting.arguments[source["arg"]]
        return lambda value, path, errors: constant
    if source.get("meta") in ("key", "index") or "meta" in source and len(source) > 1:
        return of_fact(spec, setting)
    if "meta" in source or "context" in source:
        return fact(setting.facts, source.get("context") or "meta " + source["meta"])
    return conditions.cases(spec, setting) if "cases" in source else meaning.sourced(spec, setting, is_field=True)


def of_fact(spec, setting):
    """A fact that is read as a type: a key is a text, and an index a number, whatever the type is that they are for."""
    name = "meta " + spec.last["meta"]
    kinds = listed(spec.last.get("coerce")) + ["string" if name in ("meta key", "meta file") else "number"]
    read = meaning.sourced(Object([pair for pair in spec.pairs if pair[0] != "meta"] + [("coerce", kinds)]), setting)
    return lambda value, path, errors: read(setting.facts[name], path, errors)


def record(fields, setting, whole=False, known=(), collects=None, rest=None, asked=()):
    """An object made of fields.

    `whole`: it is the same object as the one around it. `known`: paths of keys by which it was chosen. `asked`: paths that its
    condition reads.
    """
    made = [(name, field(spec, setting)) for name, spec in fields.pairs]
    named = {name for name, _ in fields.pairs}
    keeps = rest and rest.get("rest") == "keep"
    drops = [(None, pattern(path)) for path in listed(rest.get("drop"))] if rest else []
    chosen_by = list(known)
    # A member that a field takes, or whose name it has, is not kept; what else is read is known, and is kept.
    taking = [path for _, spec in fields.pairs for path in sources(spec, looks=False) if path] + chosen_by
    read = taking + [path for _, spec in fields.pairs for path in sources(spec) if path] + [path for path in asked if path]
    taken, known = {path[0] for path in taking}, {path[0] for path in read}
    ways_in = [path for path in read if not keeps or path[0] in taken | named]
    dropped = {key for _, way in drops if len(way) == 1 for key in way[0].steps}
    paths = key_tree([path for _, spec in fields.pairs for path in reported(spec)] + chosen_by + list(asked))
    takes_all = any(is_whole(spec) for _, spec in fields.pairs)
    firsts = {type(path[0]) for path in read}
    takes = {Object if step is str else list for step in firsts} | ({Object} if keeps or collects or not firsts else set())
    refuses_unknown = setting.unknown == "fail" and not whole
    refuses_duplicates = setting.duplicates == "fail"
    pick = setting.pick
    omits_nulls = setting.omits_nulls

    takes_null = any(
        is_whole(spec) and not set(spec.last if type(spec) is Object else ()) & {"calc", "cases"} for _, spec in fields.pairs)

    def mapped(value, path, errors):
        if type(value) not in takes and not takes_all or value is None and not takes_null:
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
                unknown += unknown_inside(value, ways_in, taking, pick, path)
                errors.extend(unknown)
                failed = failed or bool(unknown)
            if refuses_duplicates:
                failed |= twice(value, paths, path, errors)
                if keeps:
                    failed |= twice(value, {key: {} for key in value.last if key not in taken | dropped | named}, path, errors)
        if collects:
            others = {key: {} for key, _ in value.pairs if key not in taken} if type(value) is Object else {}
            if refuses_duplicates:
                failed |= twice(value, others, path, errors)
            results.append((collects, Object([(key, tree(getattr(value, pick)[key])) for key in others])))
        if keeps and type(value) is Object and not failed:
            members = getattr(value, pick)
            for key in members:
                ways = below(key, drops)
                if key not in taken and key not in named and all(way for _, way in ways) and not (
                        omits_nulls and members[key] is None):
                    results.append((key, without(members[key], ways)))
        return FAILED if failed else Object(results)
    return mapped


def unknown_inside(value, ways, taking, pick, path):
    """The errors of keys in what paths lead through, where nothing takes all of that."""
    found = []
    for step in dict.fromkeys(way[0] for way in ways):
        # What is left of the ways that continue here, and of those that end in something that takes what is there.
        inner, inside = ([way[1:] for way in some if way[0] == step] for some in (ways, taking))
        inner = [way for way in inner if way]
        if [] in inside or not inner:
            continue
        if type(step) is str:
            member = getattr(value, pick).get(step, ABSENT) if type(value) is Object else ABSENT
        else:
            member = value[step] if type(value) is list and step < len(value) else ABSENT
        place = path + (key_step(step) if type(step) is str else f"[{step}]")
        names = {way[0] for way in inner if type(way[0]) is str}
        if names and type(member) is Object:
            found += [(place + key_step(key), "unknownKey") for key, _ in member.pairs if key not in names]
        found += unknown_inside(member, inner, inside, pick, place)
    return found


def without(value, ways):
    """A value without what is at the end of some ways into it."""
    if not ways or type(value) not in (Object, list):
        return value
    kept = []
    for key, member in value.pairs if type(value) is Object else enumerate(value):
        inner = below(key, ways, member, len(value) if type(value) is list else 0)
        if all(way for _, way in inner):
            kept.append((key, without(member, inner)))
    return Object(kept) if type(value) is Object else [element for _, element in kept]
