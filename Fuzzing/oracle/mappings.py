"""Random mapping files, each with the shape of a feed that it is mostly valid for."""
from collections import Counter

from drawn_formulas import Formulas
from drawn_forms import Forms
from drawn_scalars import Scalars
from formulas import CONTEXT_NAMES
from samples import ALIKE, FRACTIONS, INTEGERS, NAMES, NUMERIC, TEXTS, URLS, strings
from shapes import Choice, Elements, Leaf, Members, Table, Tuple

# Fields that a condition only tests for presence.
FORMS = {"context", "meta", "arg", "cases", "calc", "first_of", "parse", "list", "zip", "template", "split", "joined", "entries", "from_entries", "count", "unwrap",
         "extract", "lookup"}


class Maker(Scalars, Forms, Formulas):
    """Draws one mapping; what it draws is counted in `tally`."""

    def __init__(self, rng):
        self.rng = rng
        self.tally = Counter()
        self.root = Members()
        self.uses = {}
        # Whether a record may contain itself here.
        self.is_own = False
        # What `--set` gives, and the kinds of the arguments, by their names.
        self.arguments, self.argument_kinds = {}, {}
        # The texts of CSV files, by their names.
        self.tables = {}
        self.facts = []
        # Whether conditions may ask for what is around a record.
        self.asks_outside = True
        self.duplicates, self.unknown = "last", "ignore"
        # Where the records of a document are, and the paths and shapes of the values around them.
        self.documents = None
        self.around = []

    # MARK: Chances

    def often(self, share):
        return self.rng.random() < share

    def pick(self, values):
        return self.rng.choice(values)

    def some(self, values, most):
        return [self.pick(values) for _ in range(self.rng.randint(1, most))]

    # MARK: Places

    def place(self, shape, root=None, known=0.1, spelling=None):
        """Puts a shape somewhere into an object, and returns its path; or returns a path that is there already."""
        holder, steps = root or self.root, []
        for _ in range(self.pick([1, 1, 1, 2, 2, 3]) - 1):
            holder, step = self.inner(holder)
            steps.append(step)
        if type(holder) is Tuple:
            step = self.rng.randint(0, 2)
            holder.places.setdefault(step, shape)
        else:
            step = self.free_name(holder)
            if holder.members and self.often(known):
                step = self.pick(list(holder.members))
            holder.members.setdefault(step, shape)
        return (spelling or self.path)(steps + [step])

    def inner(self, holder):
        """An object or array inside of one, and the step to it."""
        kind = Tuple if self.often(0.2) else Members
        if type(holder) is Tuple:
            free = [i for i in range(3) if i not in holder.places]
            step = self.pick(free) if free else max(holder.places) + 1
            return holder.places.setdefault(step, kind()), step
        # Not into the shape of a used file: it may be what is put there.
        used = [id(shape) for _, shape in self.uses.values()]
        names = [name for name, shape in holder.members.items() if type(shape) is kind and id(shape) not in used]
        step = self.pick(names) if names and self.often(0.6) else self.free_name(holder)
        return holder.members.setdefault(step, kind()), step

    def free_name(self, holder):
        free = [name for name in NAMES if name not in holder.members]
        alike = [other for name in holder.members if type(name) is str for other in ALIKE.get(name, []) if other in free]
        if alike and self.often(0.5):
            return self.pick(alike)
        return self.pick(free) if free else f"n{len(holder.members)}"

    def path(self, steps):
        """One of the spellings of a path."""
        if self.often(0.05) and all(type(step) is int or step and not step.isdigit() for step in steps):
            self.tally["path: pointer"] += 1
            return "".join("/" + str(step).replace("~", "~0").replace("/", "~1") for step in steps)
        text = "$" if self.often(0.05) else ""
        for step in steps:
            if type(step) is int:
                text += f"[{step}]"
            elif step and (step.isidentifier() or step in ("k1", "名")) and not self.often(0.1):
                text += ("." if text else "") + step
            else:
                text += "['" + step.replace("\\", "\\\\").replace("'", "\\'") + "']"
        return text

    # MARK: Values

    def value(self, depth=0):
        """What a value becomes, and its shape."""
        if self.is_own and self.often(0.04):
            return self.own()
        kinds = ["scalar"] * 10
        if depth < 3:
            kinds += ["object", "object", "tuple", "each", "each", "each", "map", "dispatch", "use", "shape", "shape"]
        kind = self.pick(kinds)
        if kind == "scalar":
            spec, texts = self.scalar()
            texts = self.changed(spec, texts)
            if self.often(0.2):
                spec["validate"] = self.rules(self.domain(spec))
            self.policy(spec, self.stand_in(spec))
            return spec, Leaf(texts)
        if kind == "shape":
            return self.shape(depth + 1)
        self.tally[kind] += 1
        spec, shape = getattr(self, kind)(depth + 1)
        if kind in ("each", "map") and self.often(0.15):
            spec["validate"] = self.rules(self.domain(spec))
        self.policy(spec, [] if kind == "each" else {} if kind != "dispatch" else self.pick([7, "x", {}]))
        return spec, shape

    def object(self, depth):
        shape = Members()
        return {"object": self.fields(shape, self.rng.randint(1, 3), depth), **self.kept(shape)}, shape

    def kept(self, shape):
        """What is kept of the other members."""
        if not self.often(0.15):
            return {}
        self.tally["rest: keep"] += 1
        more = Members()
        more.members["by"] = Leaf(INTEGERS + ["null"])
        more.members["log"] = Elements(Leaf(INTEGERS + ['{"by":1,"x":[1.50]}']))
        shape.members["extra"] = more
        shape.members["extra 2"] = Leaf(strings(TEXTS) + ["null", '{"a":1,"a":2}'])
        spec = {"rest": self.pick(["keep", "keep", "keep", "drop"])}
        if spec["rest"] == "keep" and self.often(0.6):
            paths = ["extra", "extra.*", "extra.by", "extra.log[1:]", "extra.log[*].by", "['extra 2']", "zz", "extra.log[0]"]
            self.tally["drop"] += 1
            spec["drop"] = self.pick([self.pick(paths), self.rng.sample(paths, 2)])
        return spec

    def use(self, depth):
        if self.uses and self.often(0.5):
            name = self.pick(list(self.uses))
        else:
            name = f"u{len(self.uses)}"
            shape = Members()
            used = {"streammap": 1}
            around = self.facts, self.duplicates, self.unknown, self.argument_kinds, self.is_own
            self.facts, self.duplicates, self.unknown, self.argument_kinds, self.is_own = [], "last", "ignore", {}, False
            if self.often(0.4):
                self.duplicates = self.pick(["last", "first", "fail"])
                self.unknown = self.pick(["ignore", "report", "fail"])
                used["input"] = {"duplicate_keys": self.duplicates, "unknown": self.unknown}
            used["record"] = self.fields(shape, self.rng.randint(1, 3), 3)
            self.facts, self.duplicates, self.unknown, self.argument_kinds, self.is_own = around
            self.uses[name] = used, shape
        return {"use": name}, self.uses[name][1]

    def part(self, depth):
        """An element: a type, a value, or a value at a path inside."""
        if self.often(0.3):
            kind = self.pick(["string", "any", "bool", "url", "uuid", "json"] + NUMERIC)
            spec, texts = self.scalar([kind])
            texts = [text for text in texts if kind != "bool" or text in ("true", "false")]
            return kind, Leaf(texts)
        spec, shape = self.value(depth)
        if self.often(0.3):
            holder = Members()
            spec = {"from": self.place(shape, holder, known=0), **spec}
            shape = holder
            self.tally["path in element"] += 1
        return spec, shape

    def each(self, depth):
        element, shape = self.part(depth)
        spec = {"each": element}
        if type(shape) is Members and self.often(0.3):
            self.tally["each where"] += 1
            spec["where"] = self.source_condition(shape, 1)
            shape.odd = 0.15
        if self.often(0.3):
            spec["on_item_error"] = self.pick(["drop", "drop", "fail"])
            self.tally["on_item_error"] += 1
        return spec, Elements(shape)

    def map(self, depth):
        member, shape = self.part(depth)
        return {"map": member}, Table(shape, NAMES)

    def dispatch(self, depth):
        cases, shapes = {}, []
        if self.often(0.5):
            self.tally["dispatch on"] += 1
            on = self.pick([["type"], ["t", "kind"]])
            for name in self.rng.sample(["circle", "square", "", "é", "e\u0301", "K", "\u212a", "x"], self.rng.randint(1, 3)):
                cases[name], shape = self.object(depth)
                shape.members[on[0]] = Leaf(strings([name, name, "?"]))
                if len(on) > 1:
                    inner = Members()
                    inner.members[on[1]] = shape.members[on[0]]
                    shape.members[on[0]] = inner
                if shapes and self.often(0.5):
                    self.read_again(shapes[0], cases[name]["object"], shape, on[0], depth)
                shapes.append(shape)
            spec = {"on": ".".join(on), "cases": cases}
        else:
            self.tally["dispatch by kind"] += 1
            for name in self.rng.sample(["number", "string", "boolean", "object", "array", "null"], self.rng.randint(1, 3)):
                cases[name], shape = {
                    "number": lambda: (self.pick(["int64", "number", "double"]), Leaf(INTEGERS + FRACTIONS)),
                    "string": lambda: (self.pick(["string", "any", "json"]), Leaf(strings(TEXTS))),
                    "boolean": lambda: ("bool", Leaf(["true", "false"])),
                    "object": lambda: self.object(depth), "array": lambda: self.each(depth),
                    "null": lambda: ("json", Leaf(["null"])),
                }[name]()
                shapes.append(shape)
            spec = {"cases": cases}
        if self.often(0.4):
            spec["otherwise"] = self.pick(["json", "any", {"type": "string", "optionally": "other"}])
        return {"dispatch": spec}, Choice(shapes)

    # MARK: Fields

    def fields(self, shape, count, depth=0):
        names = self.rng.sample(NAMES[:-1], min(count, len(NAMES) - 1))
        return {name: self.field(shape, depth) for name in names}

    def field(self, shape, depth):
        """One field of an object with a shape, which gets what the field wants."""
        drawn = self.rng.random()
        if drawn < 0.12:
            self.tally["short form"] += 1
            return self.place(Leaf(strings(TEXTS) + INTEGERS + FRACTIONS + ["true", "null"]), shape)
        if drawn < 0.16:
            self.tally["const"] += 1
            return {"const": self.pick([1, "x", None, True, 1.5, [1, None], {"a": None, "b": "é\n"}])}
        if drawn < 0.20 and self.facts:
            fact = self.pick(self.facts)
            self.tally[fact[0] if fact[0] == "context" else "meta: " + fact[1]] += 1
            spec = {fact[0]: fact[1]}
            if fact[1] in ("key", "index"):
                spec.update(self.pick([{}, {"type": "string"}, {"type": "int64"}, {"type": "any"}, {"type": "decimal"}]))
                self.policy(spec, self.pick([7] if spec.get("type") in NUMERIC else ["x"]))
            elif fact[1] == "file" and self.often(0.5):
                spec.update(self.pick([{"text": {"split": ".", "at": 0}}, {"extract": "[a-z]+"}, {"split": ".", "list": "last"}]))
                self.policy(spec, "x")
            return spec
        if drawn < 0.27:
            return self.first_of(shape)
        if drawn < 0.33:
            return self.joined(shape)
        if drawn < 0.36 and depth < 3:
            self.tally["from $"] += 1
            return {"from": "$", "object": self.fields(shape, self.rng.randint(1, 2), depth + 1)}
        if drawn < 0.42:
            return self.calculated(shape)
        if drawn < 0.46:
            return self.cases(shape, depth)
        if drawn < 0.48 and self.argument_kinds:
            self.tally["arg"] += 1
            return {"arg": self.pick(list(self.argument_kinds))}
        if 0.48 <= drawn < 0.51 and self.duplicates != "fail":
            return self.zipped(shape)
        if 0.51 <= drawn < 0.55 and self.duplicates != "fail":
            return self.several_values(shape)
        spec, inner = self.value(depth)
        return {"from": self.from_the_end(inner, shape) if self.often(0.06) else self.place(inner, shape), **spec}

    def cases(self, shape, depth):
        self.tally["cases"] += 1
        found = []
        for _ in range(self.rng.randint(1, 3)):
            then = self.field(shape, 3)
            while not isinstance(then, dict) or "cases" in then:
                then = self.field(shape, 3)
            found.append({"when": self.source_condition(shape), **then})
        spec = {"cases": found}
        drawn = self.rng.random()
        if drawn < 0.4:
            spec["otherwise"] = self.pick(["ok", None, 0, True])
        elif drawn < 0.5:
            spec["otherwise"] = {"from": self.place(Leaf(INTEGERS), shape), "type": "any", "nullable": True}
        elif drawn < 0.7:
            spec["nullable"] = True
        return spec

    def first_of(self, shape):
        self.tally["first_of"] += 1
        spec, texts = self.scalar()
        leaf = Leaf(texts)
        spec["first_of"] = [self.place(leaf, shape) for _ in range(self.rng.randint(1, 3))]
        if self.often(0.3):
            other, texts = self.scalar()
            spec["first_of"].append({"from": self.place(Leaf(texts), shape), **other})
            self.policy(spec, None)
        else:
            if self.often(0.2):
                spec["validate"] = self.rules(self.domain(spec))
            self.policy(spec, self.stand_in(spec))
        return spec

    def joined(self, shape):
        spec, between = {}, self.pick([None, "", " ", "-", "é"])
        texts = strings(TEXTS) + INTEGERS + ["true"]
        count = self.rng.randint(1, 3)
        if self.often(0.1):
            spec, count = {"values": {"a": "x", "a a": 1, "7": None, "": "empty", "abc": True, "é": 2, "e\u0301": 3}}, self.pick([1, 1, 2])
        elif self.often(0.3):
            kind = self.pick(NUMERIC + ["url", "bool", "any"])
            spec = {"type": kind}
            count, texts = (2, ['"1"', '"2"', "3", '""', '"e1"', '"."', "0"]) if kind in NUMERIC else (count, strings(URLS))
        places = [self.place(Leaf(texts), shape) for _ in range(count)]
        if self.often(0.4) and not any(set(place) & set("{}'\"") for place in places):
            self.tally["template"] += 1
            spec["template"] = self.template(places, between or "")
        elif count > 1 and not set(spec) & {"type", "values"} and self.often(0.3):
            self.tally["lookup by columns"] += 1
            names = [f"k{number}" for number in range(count)]
            rows = {tuple(self.pick(["a", "ab", "7", "é", "true", ""]) for _ in names): self.pick(["x", "y"]) for _ in range(20)}
            file = f"c{len(self.tables)}.csv"
            self.tables[file] = "".join(",".join(row) + "\n" for row in [[*names, "v"]] + [[*key, value] for key, value in rows.items()])
            spec["join"], spec["lookup"], between = places, {"file": file, "key": names, "value": "v"}, None
        else:
            self.tally["join"] += 1
            spec["join"] = places
            if between is not None:
                spec["with"] = between
        if self.often(0.2):
            spec["validate"] = self.rules(self.domain(spec) if set(spec) & {"type", "values"} else "text")
        self.policy(spec, self.stand_in(spec) if set(spec) & {"type", "values"} else "x")
        return spec

    def template(self, places, between):
        text = self.pick(["", "", "x ", "{{é}}"])
        for place in places:
            text += self.pick([f"{{{place}}}", f"{between}{{{place}}}", f"{{?{between}{{{place}}}}}", f"{{? [{{{place}}}{{{places[0]}}}]}}"])
        return text + self.pick(["", "", "}}", "."])

    # MARK: The file

    def where(self, record, depth=0):
        if self.often(0.5):
            return self.source_condition(self.root, 1)
        if depth < 2 and self.often(0.4):
            self.tally["where: all any not"] += 1
            key = self.pick(["all", "any", "not"])
            if key == "not":
                return {"not": self.where(record, depth + 1)}
            return {key: [self.where(record, depth + 1) for _ in range(self.rng.randint(1, 2))]}
        name = self.pick(list(record))
        field, steps = record[name], [name]
        while isinstance(field, dict) and "object" in field and self.often(0.7):
            steps.append(self.pick(list(field["object"])))
            field = field["object"][steps[-1]]
        self.tally["where: field"] += 1
        spec = {"field": self.path(steps)}
        drawn = self.rng.random()
        if drawn < 0.3 or isinstance(field, dict) and set(field) & FORMS:
            return {**spec, "exists": self.often(0.5)}
        domain = "unknown"
        if isinstance(field, dict) and not set(field) & {"const", "meta", "context", "first_of", "dispatch", "calc", "cases", "arg"}:
            domain = "text" if "join" in field and "type" not in field else self.domain(field)
        return {**spec, **self.comparison(domain)}

    def mapping(self):
        """A mapping file as a dictionary, and the shape of its records is `root`."""
        return self.shortened(self.whole())

    def shortened(self, spec):
        """The same with a question mark after some types."""
        if isinstance(spec, list):
            return [self.shortened(each) for each in spec]
        if not isinstance(spec, dict):
            return spec
        made = {key: self.shortened(value) for key, value in spec.items()}
        if made.get("nullable") is True and isinstance(made.get("type"), str) and self.often(0.3):
            self.tally["type?"] += 1
            del made["nullable"]
            made["type"] += "?"
        return made

    def whole(self):
        spec = {"streammap": 1}
        given = {}
        if self.often(0.5):
            given["duplicate_keys"] = self.duplicates = self.pick(["last", "first", "fail", "report"])
            self.tally[f"duplicate_keys: {given['duplicate_keys']}"] += 1
        if self.often(0.4):
            given["unknown"] = self.unknown = self.pick(
                ["ignore", "report", "fail", "collect:more", "collect: rest of it"])
            self.tally[f"unknown: {given['unknown'].split(':')[0]}"] += 1
        self.facts = [("meta", fact) for fact in ("record_number", "line", "file", "byte_offset")]
        context = self.context(given)
        if given:
            spec["input"] = given
        if context:
            spec["context"] = context
        if self.often(0.3):
            spec["args"] = self.draw_arguments()
        if self.often(0.1):
            return self.of_value(spec, given, context)
        self.is_own = True
        record = self.fields(self.root, self.rng.randint(1, 7))
        self.is_own = False
        if not given.get("unknown", "").startswith("collect"):
            spec.update(self.kept(self.root))
        if self.uses:
            spec["use"] = {used: f"./{used}.map.json" for used in self.uses}
        spec["record"] = record
        if self.often(0.3):
            spec["where"] = self.where(record)
            self.root.odd = 0.15
        if self.often(0.3):
            spec["output"] = {"nulls": self.pick(["omit", "omit", "keep"])}
            self.tally["nulls"] += 1
        # A name that could be that of a member inside says nothing for sure.
        arrays = [name for name, field in record.items() if isinstance(field, dict) and "each" in field and "joined" not in field
                  and name and "." not in name and "" not in record]
        if arrays and self.often(0.3):
            spec.setdefault("output", {})["arrays"] = {"explode": self.pick(arrays)}
            self.tally["arrays: explode"] += 1
        return spec

    def of_value(self, spec, given, context):
        """A mapping file whose records become no object of fields."""
        given.pop("unknown", None)
        self.unknown = "ignore"
        for key in [key for key, value in (("input", given), ("context", context)) if not value]:
            spec.pop(key, None)
        if self.often(0.4):
            self.tally["record: $"] += 1
            spec["record"] = "$"
            self.root.members.update(a=Leaf(INTEGERS), b=Leaf(strings(TEXTS)), c=Leaf(['{"a": [1, 2.50]}', '{"a":1,"a":2}']))
        else:
            self.tally["value"] += 1
            spec["value"], self.root = self.part(0)
        if self.uses:
            spec["use"] = {used: f"./{used}.map.json" for used in self.uses}
        if self.often(0.3):
            asked = self.root if type(self.root) is Members else Members()
            asked.odd = 0.15
            spec["where"] = self.source_condition(asked, 1)
        return spec

    def context(self, given):
        """Where the records are in each document, and what is known from around them."""
        if not self.often(0.35):
            return None
        self.tally["records"] += 1
        self.facts = [("meta", "record_number"), ("meta", "file")]
        given["records"], self.documents = self.pick([
            ("$[*]", "[]"), ("$.items[*]", "items"), ("$.data['b.c'][*]", "data"), ("$.items[1:3]", "items"),
            (["$.items[*]", "$.others[*]"], "items others"), ("$..item", "item"), ("$.items[1]", "items"),
            ("$.items[-1]", "items"), ("$.items[::2]", "items"), ("$.items[-2:]", "items"), ("$.items[0,2]", "items"),
            ("$.items[?@ != null]", "items"), ("$.items[?length(@) > 1]", "items"), ("$.items[?!@.*]", "items"),
            ("$.items.*", "members"), ("$.*", "{}"), ("$.orders[*].items[*]", "orders"), ("$.orders.*.items.*", "orders"),
            ("$.orders[*].items[0:2]", "orders")])
        self.facts += [("meta", "key"), ("meta", "index")]
        self.asks_outside = False
        context = self.around_records()
        self.asks_outside = True
        return context

    def around_records(self):
        """What is known from around the records; None if nothing is."""
        if self.documents in ("[]", "{}", "item") or self.often(0.4):
            return None
        context = {}
        for name in self.rng.sample(CONTEXT_NAMES, self.rng.randint(1, 2)):
            if self.documents != "data" and self.often(0.25):
                context[name] = self.key_around()
                self.facts += [("context", name)] * 3
                continue
            if self.often(0.4):
                self.tally["context of other forms"] += 1
                value, shape = self.several() if self.often(0.4) else self.value(2)
            else:
                value, texts = self.scalar()
                self.policy(value, self.stand_in(value))
                shape = Leaf(texts)
            path = ["meta", name]
            if self.documents == "orders" and self.often(0.6):
                path = ["orders", name]
                self.tally["context of levels"] += 1
            if self.often(0.5):
                value["late"] = self.pick(["fail", "null"])
                self.tally["late"] += 1
            context[name] = {"from": "$." + ".".join(path).replace("orders.", self.pick(["orders[*].", "orders.*."])), **value}
            self.facts += [("context", name)] * 3
            self.around.append((path, shape))
        return context
