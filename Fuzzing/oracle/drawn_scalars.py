"""Random types of scalars, with what is done with their values, rules, and what stands in."""
import json

import dates
from samples import (
    CLOCK_PATTERNS, DATE_PATTERNS, DOTNET, EXTRACTS, FRACTIONS, HUGE, INTEGERS, LARGE, LOCAL, NUMERIC, PATTERNS, REPLACEMENTS, RFC3339,
    RFC822, TEXTS, UNIX, URLS, UUIDS, ZONES, listed, strings)

UNITS = list(dates.UNITS)


class Scalars:
    """The part of a Maker that draws scalars and rules."""

    def scalar(self, types=None):
        """A type with its keys, and texts of values."""
        kind = self.pick(types or ["any", "string", "string", "bool", "url", "uuid", "date", "date", "enum", "enum", "json"]
                         + NUMERIC)
        self.tally[f"type: {kind}"] += 1
        spec = {"type": kind}
        if kind == "any" and self.often(0.5):
            spec = {}
        if kind in NUMERIC:
            texts = self.numbers(kind)
            if self.often(0.2):
                spec["coerce"] = self.coercions("string", "bool")
                texts = texts + strings(texts) + ["true", "false", '" 1"', '"+1"', '"x"']
            return spec, texts
        if kind == "string":
            texts = strings(TEXTS)
            if self.often(0.2):
                spec["coerce"] = self.coercions("number", "bool")
                texts = texts + INTEGERS + FRACTIONS + ["true", "false"]
            return spec, texts
        if kind == "bool":
            texts = ["true", "false"]
            if self.often(0.4):
                spec["coerce"] = self.coercions("number", "string")
                texts = texts + ["0", "1", "1.0", "2", '"yes"', '"FALSE"', '"0"', '"on"', "0e7"]
            return spec, texts
        if kind == "url":
            if self.often(0.3):
                spec["schemes"] = self.pick(["https", ["http", "https"], ["FTP", "mailto", "http"]])
            return spec, strings(URLS)
        if kind == "uuid":
            return spec, strings(UUIDS)
        if kind == "date":
            return self.date(spec)
        if kind == "enum":
            return self.enum(spec)
        return spec, INTEGERS + strings(TEXTS) + [
            "true", '{"a": [1, 2.50, {"b":null}]}', '{"a":1,"a":2}', "[]", "{}", '{"\\u0061\\/":"\\u0041\\/"}', "[[],[null]]"]

    def changed(self, spec, texts):
        """A scalar that is changed before or after it is read."""
        kind = spec.get("type", "enum" if "values" in spec else "any")
        if kind in NUMERIC and "bool" not in listed(spec.get("coerce")) and self.often(0.3):
            if self.often(0.6):
                spec["scale"] = self.pick([2, 0.001, 1000, -1, 0.5, 1e-10, 12345.678901])
                self.tally["scale"] += 1
            if "scale" not in spec or self.often(0.5):
                spec["round"] = self.pick([0, 1, 2, 3, -1, -2, 10])
                self.tally["round"] += 1
        if kind in NUMERIC and "coerce" not in spec and self.often(0.15):
            self.tally["units"] += 1
            spec["units"] = self.pick([{"m": 0.001, "k": 1000}, {"Ki": 1024, "K": 1000, "": 2}, {"é": -1}])
            texts = texts + strings(number + unit for number in ("1", "2.5", "-0", "x", "", "1e3") for unit in
                                    ("m", "k", " k", "Ki", "K", "é", "", " ", "mm"))
        if kind == "date" and self.often(0.4):
            spec["as"] = self.pick(["rfc3339", "rfc822", "dotnet"] + UNITS + list(DATE_PATTERNS) + CLOCK_PATTERNS)
            is_pattern = spec["as"] in DATE_PATTERNS or spec["as"] in CLOCK_PATTERNS
            self.tally[f"as: {'pattern' if is_pattern else spec['as']}"] += 1
            if is_pattern and self.often(0.4):
                spec["as_zone"] = self.pick(ZONES)
                self.tally["as_zone"] += 1
        if kind == "enum" and self.often(0.3):
            spec["otherwise"] = self.pick(["other", None, 0, True])
            self.tally["enum otherwise"] += 1
        if kind in ("json", "bool", "uuid") or "string" in listed(spec.get("coerce")) or not self.often(0.2):
            return texts
        if kind == "any" and "type" in spec:
            return texts
        if kind == "string":
            spec["coerce"] = self.pick(["number", ["number", "bool"]])
            texts = texts + INTEGERS + ["true"]
        texts = [text for text in texts if text.startswith('"')] or strings(text for text in texts if "{" not in text)
        drawn = self.rng.random()
        if drawn < 0.6 or kind == "enum":
            self.tally["text"] += 1
            spec["text"] = [self.step() for _ in range(self.rng.randint(1, 3))]
            if len(spec["text"]) == 1 and self.often(0.5):
                spec["text"] = spec["text"][0]
            texts = texts + [text.replace('"', '" ', 1) for text in texts]
        elif drawn < 0.85:
            self.tally["extract"] += 1
            spec["extract"] = self.pick(EXTRACTS)
            texts = texts + strings(TEXTS)
        if drawn > 0.8 and kind in ("string", "any", "int64", "decimal") and "scale" not in spec:
            self.tally["lookup"] += 1
            spec["lookup"] = {"file": f"t{len(self.tables)}.csv", "key": "code", "value": "name"}
            keys = [json.loads(text) for text in self.rng.sample(texts, min(len(texts), 8))]
            self.tables[spec["lookup"]["file"]] = self.table(dict.fromkeys(keys), kind)
            if self.often(0.4):
                spec["otherwise"] = self.pick(["other", None, 0])
                self.tally["lookup otherwise"] += 1
        return texts

    def table(self, keys, kind):
        """A CSV file."""
        def cell(text):
            return '"' + text.replace('"', '""') + '"' if set(text) & set('",\r\n') or self.often(0.1) else text
        values = ["1", "7", "2.50", "x"] if kind in NUMERIC else TEXTS
        ending = self.pick(["\n", "\r\n"])
        rows = [["more", "code", "name"]] + [["", key, self.pick(values)] for key in keys]
        return "".join(",".join(map(cell, row)) + ending for row in rows)

    def step(self):
        name = self.pick(["trim", "lower", "upper", "squeeze", "replace", "prefix", "suffix", "strip_prefix", "strip_suffix",
                          "slice", "split", "pad", "pad_end", "base64_encode", "base64_decode", "hex_encode", "hex_decode",
                          "url_encode", "url_decode", "replace_pattern", "url", "mask", "hash", "hmac", "number_format"])
        self.tally[f"text: {name}"] += 1
        texts = ["a", " ", "_", "-", "ab", "é", "\"", "\n", "1", "e\u0301", "K", "\u1100"]
        if name in ("trim", "lower", "upper", "squeeze") or name.endswith(("_encode", "_decode")):
            return name
        if name == "replace_pattern":
            if self.often(0.3):
                self.tally["replace_pattern: table"] += 1
                found = f"t{len(self.tables)}.csv"
                self.tables[found] = self.table(dict.fromkeys(["a", "ab", "1", "é", "x", "7"]), "string")
                return {name: [self.pick(["[a-z]+", "(a)b?", "<(.)>|x", "\\d"]), {"file": found, "key": "code", "value": "name"}]}
            return {name: self.pick(REPLACEMENTS)}
        if name == "url":
            return {name: self.pick(["scheme", "user", "host", "port", "path", "path", "query", "fragment"])}
        if name == "hash":
            return {name: "sha256"}
        if name == "hmac":
            self.tables["key.txt"] = "pepper\n"
            return {name: "sha256", "key": {"file": "key.txt"}}
        if name == "number_format":
            return {name: self.pick(["0", "0.00", "#,##0", "#,##0.0", "#.##0,000", "# ##0", "0\u066b0", "#'##0.0000000000"])}
        if name == "mask":
            return {name: self.pick([0, 1, 4, -1, -2, 100])}
        if name == "replace":
            return {name: [self.pick(texts), self.pick(texts + ["", "\U0001f600"])]}
        if name == "slice":
            return {name: self.pick([[0, 3], [-2], [1], [2, -1], [0, 0], [-3, 2], [5, 1], [0, 100]])}
        if name == "split":
            return {name: self.pick(texts), "at": self.pick([0, 0, -1, 1])}
        if name.startswith("pad"):
            return {name: [self.pick([0, 3, 8]), self.pick(["0", " ", "é", "\""])]}
        return {name: self.pick(texts + [""])}

    def numbers(self, kind):
        if kind.startswith(("int", "uint")):
            return INTEGERS + (LARGE[:self.rng.randint(0, len(LARGE))] if not kind.endswith("8") else [])
        if self.often(0.3):
            return INTEGERS + LARGE + FRACTIONS + HUGE
        return INTEGERS + FRACTIONS

    def coercions(self, *kinds):
        self.tally["coerce"] += 1
        return self.pick([kinds[0], list(kinds), [kinds[1]]])

    def date(self, spec):
        if self.often(0.3):
            if self.often(0.3):
                spec["zone"] = self.pick(ZONES)
                self.tally["zone"] += 1
            return spec, strings(RFC3339 + LOCAL)
        formats, texts = [], []
        for _ in range(self.pick([1, 1, 2, 3])):
            form = self.pick(["rfc3339", "rfc822", "dotnet"] + UNITS + list(DATE_PATTERNS))
            formats.append(form)
            self.tally[f"format: {form if form not in DATE_PATTERNS else 'pattern'}"] += 1
            if form in DATE_PATTERNS:
                texts += strings(DATE_PATTERNS[form])
            elif form in UNITS:
                texts += UNIX + self.numbers_of_time()
            else:
                texts += strings({"rfc3339": RFC3339, "rfc822": RFC822, "dotnet": DOTNET}[form])
        if any(form in DATE_PATTERNS or form == "rfc3339" for form in formats) and self.often(0.4):
            spec["zone"] = self.pick(ZONES)
            self.tally["zone"] += 1
        if any(form in UNITS for form in formats) and self.often(0.3):
            spec["coerce"] = "string"
            self.tally["coerce"] += 1
            texts += strings(UNIX) + ['"x"', '"007"', '"+1"', '" 1"']
        spec["format"] = formats[0] if len(formats) == 1 and self.often(0.7) else formats
        return spec, texts

    def numbers_of_time(self):
        """Numbers of the units from days to nanoseconds, with up to 22 digits after the point."""
        return [sign + str(self.rng.randint(10 ** size, 2 * 10 ** size)) + point
                for sign in ("", "-") for size in (4, 9, 12, 15, 18)
                for point in ("", "." + str(self.rng.randint(1, 10 ** self.pick([1, 3, 6, 9, 22]))))]

    def enum(self, spec):
        if self.often(0.3):
            values = self.rng.sample(TEXTS, 3)
            spec["values"] = values
            texts = strings(values)
        else:
            values = self.rng.sample(TEXTS + ["1", "1.0", "true", "2"], 4)
            targets = self.rng.sample(["active", "deleted", 1, 2.5, True, False, None, "", "é"], 4)
            spec["values"] = dict(zip(values, targets))
            texts = strings(values)
        if self.often(0.2):
            spec["coerce"] = self.coercions("number", "bool")
            texts += ["1", "1.0", "true", "2"]
        if self.often(0.3):
            spec.pop("type")
        return spec, texts + strings(["?"])

    # MARK: Rules

    def rules(self, domain, depth=0):
        """Rules that values of a domain keep to now and then."""
        self.tally["validate"] += depth == 0
        names = {
            "number": ["min", "max", "range", "greater_than", "less_than", "greater_than_or_equal_to",
                       "less_than_or_equal_to", "multiple_of", "equal_to", "one_of"],
            "text": ["matches", "matches_anywhere", "length", "min_length", "max_length", "length_range", "equal_to",
                     "one_of"],
            "date": ["min", "max", "range", "one_of", "greater_than"],
            "boolean": ["equal_to", "one_of"],
            "array": ["count", "min_count", "max_count", "count_range", "unique"],
            "object": ["min_count", "max_count", "count"],
            "unknown": ["min", "max", "equal_to", "one_of", "matches", "max_length", "count", "multiple_of"],
        }[domain] + (["either", "not", "all"] if depth < 2 else [])
        found = {}
        for name in self.some(names, 2):
            self.tally[f"rule: {name}"] += 1
            found[name] = self.limit(name, domain, depth)
        return found

    def limit(self, name, domain, depth):
        if name == "not":
            return self.rules(domain, depth + 1)
        if name in ("either", "all"):
            return [self.rules(domain, depth + 1) for _ in range(self.rng.randint(1, 2))]
        if name == "unique":
            return True
        if name in ("matches", "matches_anywhere"):
            return self.pick(PATTERNS)
        if name in ("length_range", "count_range"):
            return sorted(self.rng.sample(range(5), 2))
        if name.endswith(("length", "count")):
            return self.rng.randint(0, 4) + (0 if name.startswith("min") else 1)
        if name == "multiple_of":
            return self.pick([1, 2, 0.1, 0.25, 3, 1000, 7])
        if name == "range":
            if domain == "date":
                return self.pick([["1970-01-01", "2026-11-21"], ["2000-01-01T00:00:00Z", "2030-01-01"]])
            return sorted(self.rng.sample([-128, -1.5, 0, 1, 7, 9.9, 100, 1e18], 2))
        values = {
            "number": [0, 1, 7, 100, 9.9, -1, 0.5], "text": ["a", "abc", "AB", "", "é", "12", "e\u0301", "K", "\u212a", "\uac00"],
            "boolean": [True, False], "date": ["1970-01-01", "2026-11-21", "2026-11-21T09:30:00Z", "2014-01-20T02:57:14.595Z"],
        }.get(domain, [0, 1, "a", "active", True, 7])
        if name == "one_of":
            return self.rng.sample(values, min(len(values), self.rng.randint(1, 3)))
        if name == "equal_to":
            return self.pick(values)
        return self.pick(values) if domain in ("number", "date") else self.pick([0, 1, 7, 100])

    def policy(self, spec, stand_in):
        """What stands in, where `stand_in` is what would be right."""
        drawn = self.rng.random()
        if drawn < 0.5:
            return
        key, value = self.pick([("nullable", True), ("default", stand_in), ("optionally", stand_in), ("optionally", None),
                                ("required", False), ("default", None)])
        self.tally[key] += 1
        spec[key] = value

    def stand_in(self, spec):
        if "otherwise" in spec:
            return spec["otherwise"]
        kind = spec.get("type", "enum" if "values" in spec else "any")
        if spec.get("as", "rfc3339") != "rfc3339":
            return 0 if spec["as"] in UNITS else "x"
        if kind == "any" and set(spec) & {"text", "extract", "lookup"}:
            return "x"
        if kind == "enum":
            values = spec["values"]
            return self.pick(list(values.values()) if isinstance(values, dict) else values)
        if kind in NUMERIC or kind in ("any", "json"):
            return self.pick([0, 7, 1])
        return {"bool": True, "url": "https://a.b/c" if spec.get("schemes") in ("https", ["http", "https"]) else "http://a.b/",
                "uuid": UUIDS[0], "date": "2026-11-21T09:30:00Z"}.get(kind, "x")

    def domain(self, spec):
        for key, name in (("object", "object"), ("map", "object"), ("use", "object"), ("each", "array"), ("dispatch", "unknown")):
            if key in spec:
                return name
        kind = spec.get("type", "enum" if "values" in spec else "number" if "round" in spec else "any")
        if spec.get("as", "rfc3339") != "rfc3339":
            return "number" if spec["as"] in UNITS else "text"
        if kind == "any" and set(spec) & {"text", "extract", "lookup"} and "otherwise" not in spec:
            return "text"
        return "number" if kind in NUMERIC else {"string": "text", "url": "text", "uuid": "text", "bool": "boolean",
                                                 "date": "date"}.get(kind, "unknown")
