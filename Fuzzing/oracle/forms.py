"""Values that are given another form: a text that becomes an array or an object, an array that becomes a text."""
import changes
import dates
import exact
import jsontext
import lists
import meaning
import objects
from jsontext import Number, Object
from scalars import FAILED, NO_RESULT, Scalar, listed, scalar_text, wrong

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
            kind in exact.RANGES or kind in ("number", "float", "double", "decimal", "bool")
            or kind == "date" and any(form in dates.UNITS for form in listed(source.get("format")))):
        source["coerce"] = listed(source.get("coerce")) + ["string"]
    return Object(list(source.items()))


def shape(spec, setting):
    """A value that is given another form before it is mapped; None if that is not said."""
    source = spec.last
    text = Scalar(Object([pair for pair in spec.pairs if pair[0] == "text"]
                         + [(key, source[key]) for key in ("extract",) if key in source and not is_groups(source)]
                         + [("type", "string")])).function()
    if "list" in source:
        return listed_shape(spec, setting, text)
    inner = meaning.container(spec, setting)
    if "split" in source:
        element = meaning.part(reading_texts(source.get("each", "string")), setting)
        inner = meaning.each(element, source.get("on_item_error") == "drop",
                             meaning.kept(source, setting))
        separator = source["split"]
        return shaped(text, lambda value: value.split(separator) if value else [], inner)
    if "parse" in source:
        inner = inner or Scalar(Object([pair for pair in spec.pairs if pair[0] not in ("text", "extract")]
                                       if "type" in source or "values" in source else JSON.pairs)).function()
        if source["parse"] == "query":
            then = reading_texts(spec).last
            inner = (objects.record(then["object"], setting) if "object" in then else
                     meaning.dictionary(meaning.part(reading_texts(source.get("map", "string")), setting), setting))
            return shaped(text, changes.query, inner)
        return shaped(text, jsontext.parse, inner)
    if is_row(source):
        return row(spec, setting)
    if is_groups(source):
        return shaped(text, groups(source["extract"]), objects.record(reading_texts(spec).last["object"], setting))
    if "entries" in source:
        key, value = source["entries"]
        return shaped(members, lambda found: [
            Object([(key, name), (value, member)]) for name, member in getattr(found, setting.pick).items()],
            inner or meaning.each(meaning.part("json", setting), False))
    if "from_entries" in source:
        key, value = source["from_entries"]
        return shaped(elements, lambda found: from_entries(found, key, value),
                      inner or meaning.dictionary(meaning.part("json", setting), setting))
    if "unwrap" in source:
        inner = inner or Scalar(spec if "type" in source or "values" in source else JSON).function()
        return shaped(whole, unwrapping(source["unwrap"]), meaning.unless_null(spec, inner))
    return inner or meaning.each(meaning.part("any", setting), False) if "joined" in source else None


def listed_shape(spec, setting, text):
    """The steps of `list`, after what makes the list, and before what is made of it."""
    source = spec.last
    of_text = "split" in source or "parse" in source
    kind = lists.result(source["list"])
    if "split" in source:
        spec = reading_texts(Object([pair for pair in spec.pairs if pair[0] not in ("text", "extract")]))
    if "from_entries" in source:
        key, value = source["from_entries"]
        then = shaped(elements, lambda found: from_entries(found, key, value),
                      meaning.container(spec, setting) or meaning.dictionary(meaning.part("json", setting), setting))
    elif kind == "list":
        then = meaning.container(spec, setting) or meaning.each(
            meaning.part(reading_texts("any" if "joined" in source else "json") if "split" in source else
                         "any" if "joined" in source else "json", setting), False)
    else:
        then = meaning.container(spec, setting) or Scalar(list_scalar(spec, of_text)).function()
    taking = shaped(elements, lists.taken(source["list"], setting), meaning.unless_null(spec, then))
    if "split" in source:
        separator = source["split"]
        return shaped(text, lambda value: value.split(separator) if value else [], taking)
    if "parse" in source:
        return shaped(text, jsontext.parse, taking)
    if "entries" in source:
        key, value = source["entries"]
        return shaped(members, lambda found: [
            Object([(key, name), (value, member)]) for name, member in getattr(found, setting.pick).items()], taking)
    if "unwrap" in source:
        return shaped(whole, unwrapping(source["unwrap"]), meaning.unless_null(spec, taking))
    return taking


def list_scalar(spec, of_text):
    """The scalar that the one value of a list has to be."""
    pairs = [pair for pair in spec.pairs if not of_text or pair[0] not in ("text", "extract")]
    if not {key for key, _ in pairs} & {"type", "values", "text", "extract", "lookup", "scale", "round", "units"}:
        pairs.append(("type", lists.TYPES[lists.result(spec.last["list"])]))
    return Object(pairs)


def is_row(source):
    return "lookup" in source and type(source["lookup"].last["value"]) is list


def row(spec, setting):
    """The object that a table has for a text."""
    source = spec.last
    text = Scalar(Object([(key, source[key]) for key in ("text", "extract", "coerce") if key in source]
                         + [("type", "string")])).function()
    rows = changes.table(*map(source["lookup"].last.get, ("file", "key", "value")))
    then = reading_texts(spec).last
    if "object" in then:
        inner = objects.record(then["object"], setting)
    elif "map" in then:
        inner = meaning.dictionary(meaning.part(reading_texts(then["map"]), setting), setting)
    else:
        inner = Scalar(JSON).function()

    def found(key):
        if key not in rows:
            raise changes.NoValue
        return rows[key]
    return shaped(text, found, inner)


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
        except lists.Refused as refused:
            errors.append((path, refused.code))
            return FAILED
        return then(result, path, errors)
    return mapped


def members(value, path, errors):
    return value if type(value) is Object else wrong(value, path, errors)


def whole(value, path, errors):
    return value


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


def unwrapping(wrappers):
    """What objects of one member hold, whose keys say what that is."""
    contents = dict(wrappers.pairs) if type(wrappers) is Object else dict.fromkeys(wrappers, "value")

    def number(value):
        if type(value) is list:
            return [number([None] if type(element) is list else element) for element in value]
        if type(value) is str and exact.is_number(value):
            return Number(value)
        if type(value) is not Number:
            raise changes.NoValue
        return value

    def unwrapped(value, is_part=True):
        if type(value) is list:
            return [unwrapped(element) for element in value]
        if type(value) is not Object:
            return value
        if is_part and len(value.last) == 1 and value.pairs[0][0] in contents:
            key, inside = value.pairs[-1]
            content = contents[key]
            if content == "number":
                return number(inside)
            return None if content in ("null", None) else unwrapped(inside, content == "value")
        return Object([(name, unwrapped(member)) for name, member in value.pairs])
    return unwrapped


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


def rest_of_zip(spec):
    """What becomes of the lists that are joined."""
    pairs = [pair for pair in spec.pairs if pair[0] not in ("zip", "by", "from")]
    plain = {"type", "object", "each", "map", "use", "dispatch", "entries", "list", "from_entries", "joined", "unwrap"}
    return Object(pairs if {key for key, _ in pairs} & plain else pairs + JSON.pairs)


def zipped(spec, setting):
    """Several lists as one, or several objects."""
    source = spec.last
    if type(source["zip"]) is str:
        lists_of = meaning.dictionary(meaning.part("json", setting), setting)
    else:
        lists_of = objects.record(Object([
            (name, Object([("from", path), ("type", "json"), ("nullable", True)])) for name, path in source["zip"].pairs]), setting, True)
    value_of = lists.at(source["by"]) if "by" in source else None

    def join(found):
        there = [(name, value) for name, value in found.last.items() if value is not None]
        if not there:
            return None
        kinds = {type(value) for _, value in there}
        if len(kinds) > 1 or not kinds <= ({list} if value_of else {list, Object}):
            raise lists.Refused
        rows = {}
        for name, value in there:
            seen = set()
            for place, part in value.last.items() if type(value) is Object else enumerate(value):
                if value_of:
                    found_key = value_of(part)
                    if type(found_key) not in (str, Number, bool):
                        raise lists.Refused
                    place = lists.key(found_key)
                    if place in seen:
                        raise lists.Refused
                    seen.add(place)
                rows.setdefault(place, []).append((name, part))
        if kinds == {list}:
            return [Object(row) for row in rows.values()]
        return Object([(name, Object(row)) for name, row in rows.items()])
    # If there are no lists, it is null, for which something may stand in.
    return shaped(lists_of, join, meaning.unless_null(spec, meaning.kind(rest_of_zip(spec), setting)))
