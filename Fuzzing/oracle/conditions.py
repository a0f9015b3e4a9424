"""Fields that are calculated or chosen, and conditions on the source."""
import formulas
import objects
import rules
from jsontext import Number, Object
from paths import steps
from scalars import ABSENT, FAILED, NOTHING, Scalar, listed


def calculated(spec, setting):
    formula = formulas.formula(spec.last["calc"], setting)
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
        formula = formulas.formula(source["calc"], setting)
        if len(source) == 1:
            return lambda value: formula((value, setting.pick)).bool()

        def subject(value):
            result = formula((value, setting.pick)).value
            return Number(formulas.text(result)) if type(result) is tuple else result
    elif "context" in source or "meta" in source:
        name = source.get("context") or "meta " + source["meta"]
        domain = setting.domains[name] if "context" in source else "text" if source["meta"] in ("key", "file") else "number"

        def of_facts(value):
            found = setting.facts[name]
            return None if found is ABSENT else found
        return rules.comparison(spec, of_facts, domain)
    else:
        subject = rules.of_source(source["from"], setting.pick)
    return rules.comparison(spec, subject, "unknown")


def cases(spec, setting):
    """The first of several values whose condition holds."""
    found = [(condition(case.last["when"], setting),
              objects.field(Object([pair for pair in case.pairs if pair[0] != "when"]), setting)) for case in spec.last["cases"]]
    otherwise = None
    if "otherwise" in spec.last:
        given = spec.last["otherwise"]
        otherwise = objects.field(given if type(given) is Object else Object([("const", given)]), setting)
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


def condition_paths(spec):
    """The paths that a condition on the source reads."""
    source = spec.last
    if "from" in source:
        return [steps(source["from"])]
    if "calc" in source:
        return formulas.paths(source["calc"])
    if "context" in source or "meta" in source:
        return []
    return [path for value in source.values() for part in listed(value) if type(part) is Object
            for path in condition_paths(part)]


def looks_outside(spec):
    """Whether a condition asks for what is not in the value."""
    source = spec.last
    if "calc" in source:
        return formulas.looks_outside(source["calc"])
    return "context" in source or "meta" in source or any(
        looks_outside(part) for key in ("all", "any", "not") if key in source for part in listed(source[key]))
