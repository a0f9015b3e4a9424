"""Random formulas, conditions on the source, and arguments."""
from samples import FRACTIONS, HUGE, INTEGERS, TEXTS, strings
from shapes import Leaf


class Formulas:
    """The part of a Maker that draws them."""

    def calculated(self, shape):
        """A field with a formula."""
        self.tally["calc"] += 1
        kind = self.pick(["number"] * 5 + ["bool", "text", "any"])
        spec = {"calc": self.formula(kind, shape)}
        if kind == "number":
            if self.often(0.7):
                spec["type"] = self.pick(["decimal", "number", "decimal", "double", "int64", "int8", "any"])
            if self.often(0.3) and spec.get("type") != "any":
                spec["round"] = self.pick([0, 1, 2, -1, 5])
        elif self.often(0.5):
            spec["type"] = {"bool": "bool", "text": "string", "any": "any"}[kind]
        if self.often(0.15):
            spec["validate"] = self.rules(self.domain(spec))
        self.policy(spec, self.stand_in(spec))
        return spec

    def operand(self, kind, shape):
        """A path that mostly has a value of a kind."""
        texts = {"number": INTEGERS + FRACTIONS + (HUGE if self.often(0.1) else []), "bool": ["true", "false"],
                 "text": strings(TEXTS), "list": ["[]", "[1,2]", "{}", '{"a":1,"b":2}', '"abc"', '"é"']}[kind]
        path = self.place(Leaf(texts), shape, spelling=self.formula_path)
        return path if self.often(0.8) else f"({path} ?? {self.literal(kind)})"

    def formula_path(self, steps):
        text = ""
        for step in steps:
            if type(step) is int:
                text += f"[{step}]"
            elif step.isidentifier() and step not in ("id",):
                text += ("." if text else "") + step
            else:
                text += "['" + step.replace("\\", "\\\\").replace("'", "\\'") + "']"
        return text

    def literal(self, kind):
        if kind == "number":
            return self.pick(["0", "1", "2", "10", "0.5", "100", "1e3", "3.14"])
        return self.pick({"bool": ["true", "false"], "text": ["'a'", '"abc"', "''", "'é'", "'e\u0301'", "'\u212a'"], "list": ["''"]}[kind])

    def formula(self, kind, shape, depth=0):
        """A formula of a kind, over members that are put into a shape."""
        of = lambda kind: self.formula(kind, shape, depth + 1)
        argument = [name for name, found in self.argument_kinds.items() if found == kind]
        if kind == "any":
            kind = self.pick(["number", "text", "bool"])
        if depth > 2 or self.often(0.3):
            drawn = self.rng.random()
            if argument and drawn < 0.3:
                self.tally["$argument"] += 1
                return "$" + self.pick(argument)
            return self.operand(kind, shape) if drawn < 0.75 or kind == "list" else self.literal(kind)
        if kind == "number":
            sign = self.pick(["+", "-", "*", "/", "%", "-", "??", "round", "floor", "abs", "min", "max", "length", "number"])
            self.tally[f"calc: {sign}"] += 1
            if sign == "length":
                return f"length({self.operand(self.pick(['list', 'text']), shape)})"
            if sign == "number":
                return f"number({self.place(Leaf(strings(INTEGERS + FRACTIONS + ['x', '']) + INTEGERS), shape, spelling=self.formula_path)})"
            if sign == "round":
                return f"round({of('number')}{self.pick(['', ', 2', ', -1', ', 0'])})"
            if sign in ("floor", "abs"):
                return f"{sign}({of('number')})"
            if sign in ("min", "max"):
                return f"{sign}({', '.join(of('number') for _ in range(self.rng.randint(1, 3)))})"
            if sign == "??":
                return f"({self.place(Leaf(INTEGERS), shape, spelling=self.formula_path)} ?? {of('number')})"
            if self.often(0.1):
                return f"-({of('number')})"
            return self.pick(["{} {} {}", "({} {} {})"]).format(of("number"), sign, of("number"))
        if kind == "bool":
            sign = self.pick(["<", "<=", ">", ">=", "==", "!=", "and", "or", "not", "null", "=="])
            self.tally[f"calc: {sign}"] += 1
            if sign == "not":
                return f"not ({of('bool')})"
            if sign == "null":
                return f"{self.place(Leaf(INTEGERS), shape, spelling=self.formula_path)} {self.pick(['==', '!='])} null"
            if sign in ("and", "or"):
                return f"(({of('bool')}) {sign} ({of('bool')}))"
            other = self.pick(["number", "number", "text"] + (["bool"] if sign in ("==", "!=") else []))
            return f"({of(other)}) {sign} ({of(other)})"
        return self.operand(kind, shape)

    def source_condition(self, shape, depth=0):
        """A condition on the source, over members that are put into a shape."""
        drawn = self.rng.random()
        if depth < 2 and drawn < 0.25:
            key = self.pick(["all", "any", "not"])
            if key == "not":
                return {"not": self.source_condition(shape, depth + 1)}
            return {key: [self.source_condition(shape, depth + 1) for _ in range(self.rng.randint(1, 2))]}
        if drawn < 0.45:
            self.tally["where: calc"] += 1
            return {"calc": self.formula("bool", shape, 1)}
        if drawn < 0.55:
            self.tally["where: calc"] += 1
            return {"calc": self.formula("number", shape, 1), **self.comparison("number")}
        if self.facts and self.asks_outside and self.often(0.2):
            return self.outside_condition()
        self.tally["where: from"] += 1
        if self.often(0.1):
            self.tally["where: from $"] += 1
            return {"from": "$", **self.pick([{"kind": self.pick(["object", "string", "array"])}, {"exists": self.often(0.7)}])}
        kind = self.pick(["number", "text", "unknown"])
        texts = {"number": INTEGERS + FRACTIONS, "text": strings(TEXTS), "unknown": INTEGERS + strings(TEXTS) + ["true", "[1]"]}
        spec = {"from": self.place(Leaf(texts[kind]), shape, known=0.4)}
        if self.often(0.2):
            return {**spec, "exists": self.often(0.6)}
        if self.often(0.2):
            self.tally["where: kind"] += 1
            return {**spec, "kind": self.pick(["number", "string", "boolean", "array", "object"])}
        return {**spec, **self.comparison(kind)}

    def key_around(self):
        """A value of the context that is a key or an index on the way to the record."""
        self.tally["context of keys"] += 1
        around = self.pick(["orders[*]", "orders.*"]) if self.documents == "orders" else "items[*]"
        return {"from": "$." + around, "meta": self.pick(["key", "index"])}

    def outside_condition(self):
        """A condition on a value of the context, or on a fact."""
        key, name = self.pick(self.facts)
        self.tally["where: " + key] += 1
        if key == "context":
            self.tally["where: $context"] += 1
            return self.pick([{"context": name, "exists": self.often(0.7)}, {"context": name, "kind": self.pick(["number", "string"])},
                              {"calc": f"${name} == null"}, {"calc": f"(${name} ?? 1) == 1"}])
        return {key: name, **self.comparison("text" if name in ("key", "file") else "number")}

    def comparison(self, domain):
        return {"equals" if key == "equal_to" else key: value for key, value in self.rules(domain, 2).items()}

    def draw_arguments(self):
        """The file's arguments; some are given by `--set`."""
        specs = {}
        for name in self.rng.sample(["day", "least", "on", "word"], self.rng.randint(1, 3)):
            self.tally["args"] += 1
            kind, spec, texts = {
                "day": ("text", {"type": "date", "format": "yyyy-MM-dd"}, ["2026-11-22", "2024-02-29"]),
                "least": ("number", self.pick(["int64", {"type": "decimal"}]), ["500", "1", "-7", "1e1"]),
                "on": ("bool", {"type": "bool"}, ["true", "no", "1"]),
                "word": ("text", {}, ["a", "abc", "", "é", "x=y"]),
            }[name]
            self.argument_kinds[name] = kind
            if isinstance(spec, dict) and self.often(0.5):
                spec["default"] = self.pick(texts)
            if not (isinstance(spec, dict) and "default" in spec) or self.often(0.3):
                self.arguments[name] = self.pick(texts)
            specs[name] = spec
        return specs
