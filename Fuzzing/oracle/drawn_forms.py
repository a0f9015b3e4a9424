"""Random values that are given another form."""
import json

from samples import FRACTIONS, GROUPS, INTEGERS, NAMES, TEXTS, strings
from shapes import Again, Choice, Elements, Leaf, Members, Quoted, Table, Tuple


class Forms:
    """The part of a Maker that draws them."""

    def shape(self, depth):
        """A value that is given another form."""
        kind = self.pick(["split", "joined", "parse", "query", "groups", "entries", "from_entries", "count", "list", "list", "list", "row",
                          "unwrap"])
        if kind in ("count", "entries", "from_entries") and self.duplicates == "fail":
            kind = "split"
        self.tally["extract groups" if kind == "groups" else kind] += 1
        spec, shape, domain, right = getattr(self, "shape_" + kind)(depth)
        if self.often(0.2):
            spec["validate"] = self.rules(domain)
        self.policy(spec, right)
        return spec, shape

    def text_source(self, spec):
        if self.often(0.2):
            self.tally["text"] += 1
            spec["text"] = self.pick(["trim", {"strip_prefix": "a"}, ["trim", {"replace": ["\n", " "]}]])
        return spec

    def shape_split(self, depth):
        separator = self.pick([",", " ", "ab", "\n", "é"])
        spec = self.text_source({"split": separator})
        pieces = ["1", "2", "", "a", " b", "7.0", "true", "2026-11-21T09:30:00Z"]
        texts = strings(separator.join(self.some(pieces, 4)) for _ in range(12)) + ['""']
        if self.often(0.7):
            spec["each"] = self.pick(["string", "any", "int32", "bool", "date", "decimal", {"type": "number", "optionally": 0},
                                      {"type": "string", "text": "trim"}, {"values": ["a", "1"], "otherwise": None}])
            if self.often(0.3):
                spec["on_item_error"] = "drop"
        if self.often(0.2) and spec.get("each") != {"values": ["a", "1"], "otherwise": None}:
            self.tally["joined"] += 1
            return {**spec, "joined": self.pick(["-", "", "\""])}, Leaf(texts), "text", "x"
        return spec, Leaf(texts), "array", []

    def shape_joined(self, depth):
        spec = {"joined": self.pick([",", "", "; ", "\"\n"])}
        texts = strings(TEXTS) + INTEGERS
        if self.often(0.7):
            spec["each"], texts = self.pick([("string", strings(TEXTS)), ("any", texts), ("number", INTEGERS + FRACTIONS),
                                             ({"type": "int8", "nullable": True}, INTEGERS), ("bool", ["true", "false"])])
            if self.often(0.3):
                spec["on_item_error"] = "drop"
        return spec, Elements(Leaf(texts)), "text", "x"

    def shape_parse(self, depth):
        spec = {"parse": "json"}
        drawn = self.rng.random()
        domain, right = "unknown", 7
        if drawn < 0.3:
            inner, texts = self.scalar(["string", "int64", "decimal", "bool", "date", "any"])
            spec.update(inner)
            domain, right = ("unknown", 7) if "type" not in spec else (self.domain(inner), self.stand_in(inner))
            shape = Leaf(texts)
        elif drawn < 0.8:
            kind = self.pick(["object", "each", "map"])
            inner, shape = getattr(self, kind)(depth)
            spec.update(inner)
            domain, right = ("array", []) if kind == "each" else ("object", {})
        else:
            shape = Leaf(strings(TEXTS) + INTEGERS + ["[1, 2]", '{"a" : 1}', "null", "tru", "[1,]", "1 2", ""])
        return spec, Quoted(shape), domain, right

    def shape_groups(self, depth):
        pattern = self.pick(GROUPS)
        names = [part.split(">")[0] for part in pattern.replace("(?P<", "(?<").split("(?<")[1:]]
        fields = {name: self.pick([name, {"from": name, "type": "string", "default": "-"},
                                   {"from": name, "type": "int32", "nullable": True}, {"from": name, "type": "decimal"}])
                  for name in names}
        texts = strings(["walk 3", "abc12", "ab", "7", "x 007", "", "é 5", "done in 12 steps", "run 99999999999"])
        return self.text_source({"extract": pattern, "object": fields}), Leaf(texts), "object", {}

    def shape_entries(self, depth):
        names = self.pick([["name", "value"], ["k", "v"], ["\"", "é"]])
        spec = {"entries": names}
        if self.often(0.5):
            spec["each"] = self.pick(["json", {"object": {"k": self.path([names[0]]), "v": {
                "from": self.path([names[1]]), "type": "int32", "default": 0}}}, {"from": self.path([names[0]]), "type": "string"}])
        return spec, Table(Leaf(INTEGERS + strings(TEXTS) + ["null", "[1, 2]"]), NAMES), "array", []

    def shape_from_entries(self, depth):
        names = self.pick([["name", "value"], ["k", "v"]])
        entry = Members()
        entry.members[names[0]] = Leaf(strings(NAMES) + ["1", "1.0", "true"])
        entry.members[names[1]] = Leaf(INTEGERS + strings(["1", "x"]) + ["[1, 2]"])
        spec = {"from_entries": names}
        if self.often(0.5):
            spec.update(self.pick([{"map": "json"}, {"map": {"type": "int32", "optionally": 0}},
                                   {"object": {"a": "a", "b": {"from": "b", "type": "int32", "optionally": None}}}]))
        return spec, Elements(entry), "object", {}

    def shape_unwrap(self, depth):
        contents = {"S": "value", "N": "number", "NULL": "null", "L": "value", "M": "members", "é\"": "value"}
        keys = self.rng.sample(list(contents), self.rng.randint(1, 6))
        spec = {"unwrap": keys if self.often(0.3) else {key: contents[key] for key in keys}}
        wrapped = ['{"S":"x"}', '{"S" : "S"}', '{"N":"7"}', '{"N":"1.50"}', '{"N":8}', '{"N":["1","-2e3"]}', '{"N":[]}', '{"N":"x"}', '{"N":[["1"]]}',
                   '{"N":"07"}', '{"N":{"S":"1"}}', '{"NULL":true}', '{"NULL":{"S":["a"]}}', '{"L":[{"S":"a"},{"N":"1"},2]}',
                   '{"M":{"S":{"N":"1"}}}', '{"M":{"N":{"M":{"N":{"S":"a"}}}}}', '{"M":[{"S":"a"}]}', '{"M":5}', '{"M":{}}', '{"S":{"S":{"S":"deep"}}}',
                   '{"S":"a","N":"1"}', '{"S":"a","S":"b"}', '{"other":{"N":"3"}}', '{}', '[]', '[{"S":"a"},[{"NULL":1}],{"x":{"S":1}}]',
                   '{"\\u0053":"escaped"}', '{"\u00e9\\"":"k"}', '{"S":null}', '7', '"S"', 'true', 'null']
        drawn = self.rng.random()
        domain, right = "unknown", 7
        if drawn < 0.3:
            spec["type"] = self.pick(["any", "string", "int64", "number", "json"])
        elif drawn < 0.45:
            spec["each"] = self.pick(["json", "any", {"type": "string", "optionally": "-"}])
            domain, right = "array", []
        elif drawn < 0.6:
            spec["object"] = {"a": {"from": "S", "type": "json", "nullable": True}, "b": {"from": "x", "type": "json", "nullable": True}}
            domain, right = "object", {}
        elif drawn < 0.7:
            spec["map"] = self.pick(["json", {"type": "any", "optionally": None}])
            domain, right = "object", {}
        if "type" in spec and spec["type"] not in ("any", "json"):
            domain, right = self.domain(spec), self.stand_in(spec)
        return spec, Leaf(wrapped), domain, right

    def several(self):
        """A value of the context that is made of several."""
        self.tally["context of several"] += 1
        shape = Members()
        shape.members["a"] = Leaf(strings(TEXTS) + INTEGERS + ["null", "[]"])
        shape.members["b"] = Leaf(strings(TEXTS) + INTEGERS)
        return self.pick([{"first_of": ["a", "b"], "type": "any", "nullable": True}, {"first_of": ["b", {"from": "a", "type": "int32"}]},
                          {"join": ["a", "b"], "with": "-", "optionally": None}, {"template": "{b}{?/{a}}", "default": "-"}]), shape

    def shape_count(self, depth):
        shape = Choice([Elements(Leaf(INTEGERS), 6), Table(Leaf(INTEGERS), NAMES)])
        return {"count": True}, shape, "number", 0

    def shape_row(self, depth):
        """Several columns of a table, of CSV or of objects."""
        keys = ["a", "é", "7", "x y", "", "q\"q"]
        rows = [{"code": key, "name": self.pick(TEXTS), "n": self.pick(["1", "7.50", "x"])} for key in keys]
        file = f"r{len(self.tables)}" + self.pick([".csv", ".ndjson"])
        if file.endswith(".csv"):
            def cell(text):
                return '"' + text.replace('"', '""') + '"'
            lines = [["code", "name", "n"]] + [list(row.values()) for row in rows]
            self.tables[file] = "".join(",".join(map(cell, line)) + "\n" for line in lines)
        else:
            for row in rows:
                row["n"] = self.pick([1, 7, "1", None, [1], True])
            self.tables[file] = "".join(json.dumps(row) + self.pick(["\n", "\r\n", "\n\n"]) for row in rows)
        spec = self.text_source({"lookup": {"file": file, "key": "code", "value": self.pick([["name", "n"], ["n"], ["name"]])}})
        drawn = self.rng.random()
        if drawn < 0.4:
            spec["object"] = {"x": {"from": "name", "type": "string", "default": "-"},
                              "y": self.pick(["n", {"from": "n", "type": "decimal", "optionally": None}])}
        elif drawn < 0.5:
            spec["map"] = self.pick(["any", "json", {"type": "string", "nullable": True}])
        return spec, Leaf(strings(keys + ["zz"])), "unknown" if drawn >= 0.5 else "object", {}

    def shape_query(self, depth):
        spec = self.text_source({"parse": "query"})
        if self.often(0.5):
            spec.update(self.pick([{"map": "string"}, {"map": {"type": "int32", "optionally": 0}},
                                   {"object": {"a": "a", "b": {"from": "b", "type": "int32", "nullable": True}}}]))
        texts = strings(["a=1&b=2", "a=x+y%20z&é=%C3%A9", "", "&&a", "a=%zz", "a=%ff", "b=7", "a=1=2&b=", "%61=1&a=2"])
        return spec, Leaf(texts), "object", {}

    @staticmethod
    def bracketed(steps):
        return "$" + "".join(f"[{step}]" if type(step) is int else "['" + step.replace("\\", "\\\\").replace("'", "\\'") + "']"
                             for step in steps)

    def zipped(self, shape):
        """A field of several lists, or of several objects, that are joined."""
        names = self.rng.sample(["a", "b", "é", "n2"], 2)
        texts = INTEGERS + strings(TEXTS) + ["null"]
        drawn = self.rng.random()
        self.tally["zip"] += 1
        spec = {}
        if drawn < 0.4:
            of = lambda: Elements(Leaf(texts))
        elif drawn < 0.6:
            of = lambda: Table(Leaf(texts), NAMES[:4])
        else:
            self.tally["zip by"] += 1

            def of():
                element = Members()
                element.members["id"] = Leaf(["1", "2", '"1"', "3", "1.0"])
                element.members["n"] = Leaf(texts)
                return Elements(element)
            spec["by"] = "id"
        spec["zip"] = {name: self.place(of(), shape) for name in names}
        is_object = 0.4 <= drawn < 0.6
        spec.update(self.pick([{}, {"type": "json"}, {"map": "json"} if is_object else {"each": self.pick(["json", {"from": names[0], "type": "json", "nullable": True}])},
                               {"entries": ["k", "v"]} if is_object else {"list": self.pick(["last", "count", [{"from": names[1]}, "first"]]), "type": "json"}]))
        if spec.get("list") == "count":
            spec.pop("type")
        # What stands in for an array or an object has to be one.
        fixed = [stand_in for form, stand_in in (("list", 7), ("each", []), ("entries", []), ("map", {})) if form in spec]
        self.policy(spec, fixed[0] if fixed else self.pick([None, [1], "x"]))
        return spec

    def shape_list(self, depth):
        """Steps on the elements of an array, which is as it stands or made of a text or an object."""
        element = Members()
        facts, self.facts = self.facts, []
        try:
            return self.steps_of_list(element)
        finally:
            self.facts = facts

    def steps_of_list(self, element):
        """The steps; conditions on elements know nothing of the record around."""
        drawn = self.rng.random()
        numbers = INTEGERS + FRACTIONS + ["null", '"7"']
        if drawn < 0.4:
            path, condition = self.place(Leaf(self.pick([numbers, strings(TEXTS)])), element), self.source_condition(element, 1)
            shape, spec = Elements(element), {}
        else:
            shape, spec, path = Elements(Leaf(self.pick([numbers, INTEGERS, strings(TEXTS), ["[1,2]", "[]", "3"]]))), {}, "$"
            condition = self.pick([{"from": "$", "exists": True}, {"from": "$", "min": 2}, {"calc": "number($) > 2"}])
        if drawn > 0.9:
            spec, shape = {"split": ","}, Leaf(strings(["1,2,3", "", "b,a,b", "2"]))
        elif drawn > 0.8 and self.duplicates != "fail":
            spec, shape, path = {"entries": ["k", "v"]}, Table(Leaf(INTEGERS), NAMES), self.pick(["k", "v"])
            condition = {"from": "v", "min": 2}
        steps = []
        for _ in range(self.rng.randint(0, 3)):
            steps.append(self.pick([{"where": condition}, {"from": path}, "numbers", "flatten", "reverse", "sort", "unique",
                                    {"sort": path}, {"unique": path}, {"slice": self.pick([[0, 2], [-2], [1, -1], [3]])}]))
        last = self.pick([None, None, "utf8", "first", "last", "count", "sum", "sum", "mean", "min", "max", {"nth": self.pick([0, 1, -2])},
                          {"any": condition}, {"all": condition}])
        if last == "utf8" and path == "$":
            shape, steps = Elements(Leaf(["72", "105", "195", "188", "255", "0", "7e1", "226"] + (["256", '"x"', "1.5"] if self.often(0.3) else [])), 5), []
        if last in ("sum", "mean"):
            steps += self.pick([[{"from": path}], ["numbers"], [{"from": path}, "numbers"]])
        if last or not steps:
            steps.append(last or "reverse")
        for step in steps:
            self.tally["list: " + (step if isinstance(step, str) else next(iter(step)))] += 1
        spec["list"] = steps[0] if len(steps) == 1 and self.often(0.5) else steps
        if last is None:
            drawn = self.rng.random()
            if drawn < 0.3:
                return {**spec, "each": self.pick(["json", "any", "string", {"type": "int32", "optionally": 0}])}, shape, "array", []
            if drawn < 0.4:
                return {**spec, "joined": "-"}, shape, "text", "x"
            return spec, shape, "array", []
        if last == "utf8":
            return {**spec, **self.pick([{}, {"type": "string"}])}, shape, "text", "x"
        if last in ("sum", "mean", "count"):
            return {**spec, **self.pick([{}, {"type": "decimal"}, {"type": "number", "round": 1}])}, shape, "number", 0
        if isinstance(last, dict) and "nth" not in last:
            return spec, shape, "boolean", True
        spec.update(self.pick([{}, {"type": "json"}, {"type": "int64"}, {"type": "string"}]))
        # After a change of form the type alone is known.
        return spec, shape, self.domain(spec) if "type" in spec and spec["type"] != "json" else "unknown", self.stand_in(spec)

    def read_again(self, other, fields, shape, but, depth):
        """Gives a case a field of a member that another case reads, too, mostly as something else."""
        names = [name for name in other.members if name != but and name not in shape.members]
        if not names or "again" in fields:
            return
        self.tally["member of two cases"] += 1
        name = self.pick(names)
        spec, inner = self.pick([self.each, self.tuple, self.value])(depth)
        if self.often(0.3):
            index = self.rng.randint(0, 1)
            shape.members[name] = Tuple()
            shape.members[name].places[index] = inner
            fields["again"] = {"from": self.path([name, index]), **spec}
        else:
            shape.members[name] = inner
            fields["again"] = {"from": self.path([name]), **spec}

    def tuple(self, depth):
        """An object whose fields are elements of an array, and now and then members, too."""
        array, fields = Tuple(), {}
        for index in self.rng.sample(range(3), self.rng.randint(1, 2)):
            spec, array.places[index] = self.value(depth)
            fields[f"at {index}"] = {"from": f"[{index}]", **spec}
        if self.often(0.7):
            return {"object": fields}, array
        other = Members()
        spec, other.members["k1"] = self.value(depth)
        fields["by key"] = {"from": "k1", **spec}
        return {"object": fields}, Choice([array, other])

    def several_values(self, shape):
        """A path to several values, which are a list."""
        step = self.pick(["[*]", ".*", "[0:2]", "[::2]", "[-2:]", "[0,2]", "[?@ != null]", "[?length(@) > 1]", "[?!@.*]"])
        self.tally["path: " + step] += 1
        leaf = Leaf(self.pick([INTEGERS + ["null"], strings(TEXTS), ["[1,2]", "[]", "3", "{}"]]))
        element, more = leaf, ""
        if self.often(0.6):
            element, name = Members(), self.pick(["id", "k1", "x y"])
            element.members[name], more = leaf, f"['{name}']"
            if self.often(0.2):
                step, more = "", "..k1"
            elif self.often(0.3):
                element.members[name], more = Elements(leaf, 3), more + self.pick(["[*]", "[-1]", "[1:]", "[0]"])
        list_of = Table(element, NAMES) if step in (".*", "") and self.often(0.5) else Elements(element, 3)
        spec = self.pick([{}, {"type": "json"}, {"each": "json"}, {"each": {"type": "string", "coerce": "number", "optionally": "-"}},
                          {"each": "any", "on_item_error": "drop"}, {"list": "count"}, {"list": ["unique", "first"], "type": "json"},
                          {"count": True}, {"joined": "-"}]).copy()
        spec = {"from": self.place(list_of, shape, known=0, spelling=self.bracketed) + step + more, **spec}
        self.policy(spec, None)
        return spec["from"] if len(spec) == 1 and self.often(0.5) else spec

    def own(self):
        """The record inside of itself."""
        self.tally["use: record"] += 1
        element = {"use": "record"}
        spec, shape = self.pick([
            ({"each": element}, Elements(Again(self.root), 2)), ({"each": {**element, "optionally": None}}, Elements(Again(self.root), 2)),
            (element.copy(), Again(self.root)), ({"map": element}, Table(Again(self.root), NAMES)),
            ({"dispatch": {"cases": {"object": element, "null": "json", "string": "string"}}}, Again(self.root))])
        self.policy(spec, None)
        if "map" not in spec and "each" not in spec and len(spec) == 1:
            spec["nullable"] = True
        return spec, shape

    def from_the_end(self, inner, shape):
        """Puts a shape into elements of an array, and returns a path that counts from its end."""
        self.tally["path: from the end"] += 1
        index, element, more = self.pick([-1, -1, -2]), inner, ""
        if self.often(0.5) and self.duplicates != "fail":
            element, name = Members(), self.pick(["id", "k1", "x y"])
            element.members[name], more = inner, f"['{name}']"
        return self.place(Elements(element, 3), shape, known=0, spelling=self.bracketed) + f"[{index}]{more}"
