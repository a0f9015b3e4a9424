"""What is at a path inside a value, and members that come twice."""
from jsontext import Object
from paths import first_held, key_step, selected, step_text, steps
from scalars import ABSENT, nothing, wrong


def held(index, inner):
    """An element of an array, by an index that counts from the end."""
    def element(value, path, errors):
        if value is ABSENT or value is None:
            return nothing(value, path, errors)
        if type(value) is not list:
            return wrong(value, path, errors)
        return inner(value[index] if len(value) >= -index else None, path, errors)
    return element


def several(path, inner):
    """All that a path selects, as a list."""
    def all_of(value, where, errors):
        if value is ABSENT or value is None:
            return nothing(value, where, errors)
        if type(value) not in (list, Object):
            return wrong(value, where, errors)
        return inner(selected(path, value), where, errors)
    return all_of


def at(path, inner, setting, is_field=True):
    """What is at a path inside, mapped."""
    path, index, more = first_held(path)
    if index is not None:
        inner = held(index, at(more, inner, setting, False))
    elif more:
        inner = several(more, inner)
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
