"""Random mapping files, each with the shape of a feed that it is mostly valid for."""
import json

from collections import Counter

from shapes import Choice, Elements, Leaf, Members, Quoted, Table, Tuple

NAMES = ["id", "a", "b", "name", "user", "x y", "a.b", "é", "it's", "名", "q\"", "A-1", "_", "0", "count", "st", "when",
         "tags", "items", "k1", "k2", "k3", "k4", "$", "..", "\U0001f600", "z" * 40, ""]
TEXTS = ["", "a", "abc", "AB", "A1", "ABC-12", "x y", " lead", "é", "名前", "\U0001f600", "tab\there", "line\nbreak", 'q"q',
         "back\\slash", "/", "\u2028", "0", "12", "007", "yes", "TRUE", "null", "a,b,c", "ab_cd", "in 12 steps", "z" * 70]
PATTERNS = ["[A-Z]{2}", "[A-Z]*", r"\d+", "[a-z ]+", r".*\w", "a|abc", "(a|b)*c?", "[^0-9]*", r"\w+[-_]\w+", "", ".", "é+"]
INTEGERS = ["0", "1", "-1", "7", "7.0", "70e-1", "1e2", "100", "-0", "127", "-128", "255", "12", "3", "0.0", "0e5"]
LARGE = ["32767", "65535", "2147483647", "-2147483648", "4294967295", "9007199254740993", "9223372036854775807",
         "-9223372036854775808", "18446744073709551615", "1e18"]
FRACTIONS = ["0.5", "1.50", "-2.25", "9.90", "0.1", "1e-3", "3.141592653589793238", "1E+2", "0.30000000000000004", "19.99",
             "123456789.123456789"]
HUGE = ["1e300", "1.7976931348623157e308", "-1e-320", "3.4028235e38", "12345678901234567890123456789012345678",
        "1e127", "1e-128", "99999999999999999999999999999999999999.5"]
URLS = ["http://a.b/c", "https://x.example/p?q=1#f", "/t.png", "mailto:a@b.c", "HTTP://A.B", "//host/path", "?q", "a/b",
        "http://a.b/%20", "http://[::1]:80/", "ftp://u:p@h/", "a b", "%zz", "http://a.b/é", "<x>", "#a#b", "http://x:8a/"]
UUIDS = ["01234567-89ab-cdef-0123-456789abcdef", "FFFFFFFF-FFFF-FFFF-FFFF-FFFFFFFFFFFF",
         "01234567-89AB-cdef-0123-456789ABCDEF", "0123456789abcdef0123456789abcdef", "g1234567-89ab-cdef-0123-456789abcdef"]
RFC3339 = ["2026-11-21T09:30:00Z", "2026-11-21T09:30:00.5+01:00", "1999-12-31t23:59:59.123z", "2016-12-31T23:59:60Z",
           "0001-01-01T00:00:00Z", "2024-02-29T00:00:00-08:00", "2026-11-21T09:30:00.123456789Z", "9999-12-31T23:59:59Z",
           "2023-02-29T00:00:00Z", "2026-11-21 09:30:00Z", "2026-11-21T24:00:00Z", "2026-11-21T09:30:00+0100"]
RFC822 = ["Sat, 21 Nov 2026 09:30:00 GMT", "21 Nov 26 09:30", "1 jan 1970 00:00:00 +0100", "Sun, 21 Nov 2026 09:30:00 GMT",
          "21 Nov 2026 09:30 PDT", "31 Apr 2026 09:30", "21 Nov 2026 9:30"]
DOTNET = ["/Date(1390186634595)/", "/Date(-5+0800)/", "/date(0)/", "/Date()/", "/Date(1390186634595)"]
# Patterns, each with texts.
DATE_PATTERNS = {
    "yyyy-MM-dd": ["2026-11-21", "2024-02-29", "2023-02-29", "0000-01-01", "2026-1-2", "2026-13-01"],
    "dd/MM/yyyy HH:mm": ["21/11/2026 09:30", "29/03/2026 02:30", "25/10/2026 02:30", "01/07/2026 00:00", "21/11/2026 9:30"],
    "d/M/yy": ["1/2/49", "01/12/50", "31/4/20", "9/9/99"],
    "yyyyMMddHHmmss": ["20261121093000", "20261121246000", "19700101000000"],
    "EEE, d MMM yyyy": ["Sat, 21 Nov 2026", "sat, 21 nov 2026", "Sun, 21 Nov 2026"],
    "MMMM d, yyyy h:mm a": ["November 2, 2026 12:05 PM", "november 2, 2026 1:05 am", "November 2, 2026 0:05 AM"],
    "yyyy-MM-dd'T'HH:mm:ss.SSSXXX": ["2026-11-21T09:30:00.123+01:00", "2026-11-21T09:30:00.000Z", "2026-11-21T09:30:00.12Z"],
    "yyyy-MM-dd HH:mm:ss Z": ["2026-11-21 09:30:00 +0100", "2026-11-21 09:30:00 Z"],
    "HH:mm": ["09:30", "24:00", "23:59"],
}
NUMERIC = ["int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64", "float", "double", "decimal", "number"]


ZONES = ["Europe/Berlin", "America/New_York", "Asia/Kolkata", "UTC", "Australia/Lord_Howe"]
EXTRACTS = [r"\d+", r"in (\d+) steps", r"(\w)(\w)", r"([A-Z]+)-?", r"a(b)?c?", r"^\s*(\S+)", r"[^,]+$", "(é|a)", r"(?P<y>\d{4})-"]
GROUPS = [r"(?<verb>\w+) (?<n>\d+)", r"(?P<a>[a-z]+)(?P<b>\d+)?", r"(?<n>\d+)", r"(?<first>.)(?<rest>.*)"]


def listed(value):
    return value if isinstance(value, list) else [value]


def strings(texts):
    return [json.dumps(text, ensure_ascii=False) for text in texts]


class Maker:
    """Draws one mapping; what it draws is counted in `tally`."""

    def __init__(self, rng):
        self.rng = rng
        self.tally = Counter()
        self.root = Members()
        self.uses = {}
        # What `--set` gives, and the kinds of the arguments, by their names.
        self.arguments, self.argument_kinds = {}, {}
        # The texts of CSV files, by their names.
        self.tables = {}
        self.facts = []
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
            free = [i for i in range(3) if type(holder.places.get(i, kind())) is kind]
            step = self.pick(free or [len(holder.places) + 3])
            return holder.places.setdefault(step, kind()), step
        names = [name for name, shape in holder.members.items() if type(shape) is kind]
        step = self.pick(names) if names and self.often(0.6) else self.free_name(holder)
        return holder.members.setdefault(step, kind()), step

    def free_name(self, holder):
        free = [name for name in NAMES if name not in holder.members]
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

    # MARK: Scalars

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
        if kind == "date" and self.often(0.4):
            spec["as"] = self.pick(["rfc3339", "rfc822", "unix_s", "unix_ms", "unix_min", "unix_h"] + list(DATE_PATTERNS))
            self.tally[f"as: {spec['as'] if spec['as'] not in DATE_PATTERNS else 'pattern'}"] += 1
            if spec["as"] in DATE_PATTERNS and self.often(0.4):
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
                          "slice", "split", "pad", "pad_end"])
        self.tally[f"text: {name}"] += 1
        texts = ["a", " ", "_", "-", "ab", "é", "\"", "\n", "1"]
        if name in ("trim", "lower", "upper", "squeeze"):
            return name
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
            return spec, strings(RFC3339)
        formats, texts = [], []
        for _ in range(self.pick([1, 1, 2, 3])):
            form = self.pick(["rfc3339", "rfc822", "dotnet", "unix_s", "unix_ms", "unix_min", "unix_h"]
                             + list(DATE_PATTERNS))
            formats.append(form)
            self.tally[f"format: {form if form not in DATE_PATTERNS else 'pattern'}"] += 1
            if form in DATE_PATTERNS:
                texts += strings(DATE_PATTERNS[form])
            elif form.startswith("unix"):
                texts += ["0", "1.5", "-1", "1390186634", "1390186634595", "1e3", "-62135596800", "1e18", "0.001"]
            else:
                texts += strings({"rfc3339": RFC3339, "rfc822": RFC822, "dotnet": DOTNET}[form])
        if any(form in DATE_PATTERNS for form in formats) and self.often(0.4):
            spec["zone"] = self.pick(ZONES)
            self.tally["zone"] += 1
        if any(form.startswith("unix") for form in formats) and self.often(0.3):
            spec["coerce"] = "string"
            self.tally["coerce"] += 1
            texts += ['"0"', '"1390186634"', '"1e3"', '"x"']
        spec["format"] = formats[0] if len(formats) == 1 and self.often(0.7) else formats
        return spec, texts

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
            "number": [0, 1, 7, 100, 9.9, -1, 0.5], "text": ["a", "abc", "AB", "", "é", "12"],
            "boolean": [True, False], "date": ["1970-01-01", "2026-11-21", "2026-11-21T09:30:00Z", "2014-01-20T02:57:14.595Z"],
        }.get(domain, [0, 1, "a", "active", True, 7])
        if name == "one_of":
            return self.rng.sample(values, min(len(values), self.rng.randint(1, 3)))
        if name == "equal_to":
            return self.pick(values)
        return self.pick(values) if domain in ("number", "date") else self.pick([0, 1, 7, 100])

    # MARK: Values

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
            return 0 if spec["as"].startswith("unix") else "x"
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
            return "number" if spec["as"].startswith("unix") else "text"
        if kind == "any" and set(spec) & {"text", "extract", "lookup"} and "otherwise" not in spec:
            return "text"
        return "number" if kind in NUMERIC else {"string": "text", "url": "text", "uuid": "text", "bool": "boolean",
                                                 "date": "date"}.get(kind, "unknown")

    def value(self, depth=0):
        """What a value becomes, and its shape."""
        kinds = ["scalar"] * 10
        if depth < 3:
            kinds += ["object", "object", "each", "each", "each", "map", "dispatch", "use", "shape", "shape"]
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
            around = self.facts, self.duplicates, self.unknown, self.argument_kinds
            self.facts, self.duplicates, self.unknown, self.argument_kinds = [], "last", "ignore", {}
            if self.often(0.4):
                self.duplicates = self.pick(["last", "first", "fail"])
                self.unknown = self.pick(["ignore", "report", "fail"])
                used["input"] = {"duplicate_keys": self.duplicates, "unknown": self.unknown}
            used["record"] = self.fields(shape, self.rng.randint(1, 3), 3)
            self.facts, self.duplicates, self.unknown, self.argument_kinds = around
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
        # KNOWN: what a condition reads counts as named by a field, so that it is neither kept nor unknown.
        strict = self.unknown not in ("ignore", "report") or isinstance(element, dict) and set(element) & {"rest", "use"}
        if type(shape) is Members and not strict and self.often(0.3):
            self.tally["each where"] += 1
            spec["where"] = self.source_condition(shape, 1)
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
            for name in self.rng.sample(["circle", "square", "", "é", "x"], self.rng.randint(1, 3)):
                cases[name], shape = self.object(depth)
                shape.members[on[0]] = Leaf(strings([name, name, "?"]))
                if len(on) > 1:
                    inner = Members()
                    inner.members[on[1]] = shape.members[on[0]]
                    shape.members[on[0]] = inner
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

    # MARK: Other forms

    def shape(self, depth):
        """A value that is given another form."""
        kind = self.pick(["split", "joined", "parse", "groups", "entries", "from_entries", "count"])
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

    def shape_count(self, depth):
        shape = Choice([Elements(Leaf(INTEGERS), 6), Table(Leaf(INTEGERS), NAMES)])
        return {"count": True}, shape, "number", 0

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
            return spec
        # KNOWN: `duplicate_keys: fail` does not see what only `first_of` and `join` name.
        if drawn < 0.27 and self.duplicates != "fail":
            return self.first_of(shape)
        if drawn < 0.33 and self.duplicates != "fail":
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
        spec, inner = self.value(depth)
        return {"from": self.place(inner, shape), **spec}

    def cases(self, shape, depth):
        self.tally["cases"] += 1
        found = []
        for _ in range(self.rng.randint(1, 3)):
            then = self.field(shape, 3)
            # KNOWN: what `join` and `first_of` of a case read does not count as named by the field.
            while not isinstance(then, dict) or set(then) & {"cases", "join", "first_of"}:
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

    # MARK: Formulas

    def calculated(self, shape):
        """A field with a formula."""
        self.tally["calc"] += 1
        kind = self.pick(["number"] * 5 + ["bool", "text", "any"])
        spec = {"calc": self.formula(kind, shape)}
        if kind == "number":
            if self.often(0.7):
                spec["type"] = self.pick(["decimal", "number", "decimal", "double", "int64", "int8", "any"])
            if self.often(0.3):
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
        return self.pick({"bool": ["true", "false"], "text": ["'a'", '"abc"', "''", "'é'"], "list": ["''"]}[kind])

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
            sign = self.pick(["+", "-", "*", "/", "%", "-", "??", "round", "floor", "abs", "min", "max", "length"])
            self.tally[f"calc: {sign}"] += 1
            if sign == "length":
                return f"length({self.operand(self.pick(['list', 'text']), shape)})"
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
        self.tally["where: from"] += 1
        kind = self.pick(["number", "text", "unknown"])
        texts = {"number": INTEGERS + FRACTIONS, "text": strings(TEXTS), "unknown": INTEGERS + strings(TEXTS) + ["true", "[1]"]}
        spec = {"from": self.place(Leaf(texts[kind]), shape, known=0.4)}
        if self.often(0.2):
            return {**spec, "exists": self.often(0.6)}
        if self.often(0.2):
            self.tally["where: kind"] += 1
            return {**spec, "kind": self.pick(["number", "string", "boolean", "array", "object"])}
        return {**spec, **self.comparison(kind)}

    def comparison(self, domain):
        return {"equals" if key == "equal_to" else key: value for key, value in self.rules(domain, 2).items()}

    def draw_arguments(self):
        """The file's arguments, of which some are given by `--set`."""
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
        self.tally["join"] += 1
        spec, between = {}, self.pick([None, "", " ", "-", "é"])
        texts = strings(TEXTS) + INTEGERS + ["true"]
        count = self.rng.randint(1, 3)
        if self.often(0.3):
            kind = self.pick(NUMERIC + ["url", "bool", "any"])
            spec = {"type": kind}
            count, texts = (2, ['"1"', '"2"', "3", '""', '"e1"', '"."', "0"]) if kind in NUMERIC else (count, strings(URLS))
        spec["join"] = [self.place(Leaf(texts), shape) for _ in range(count)]
        if between is not None:
            spec["with"] = between
        if self.often(0.2):
            spec["validate"] = self.rules("text" if "type" not in spec else self.domain(spec))
        self.policy(spec, self.stand_in(spec) if "type" in spec else "x")
        # KNOWN: the default of a joined text is held to its rules.
        if "default" in spec:
            spec.pop("validate", None)
        return spec

    # MARK: The file

    def where(self, record, strict, depth=0):
        if self.often(0.5) and not strict:
            return self.source_condition(self.root, 1)
        if depth < 2 and self.often(0.4):
            self.tally["where: all any not"] += 1
            key = self.pick(["all", "any", "not"])
            if key == "not":
                return {"not": self.where(record, strict, depth + 1)}
            return {key: [self.where(record, strict, depth + 1) for _ in range(self.rng.randint(1, 2))]}
        name = self.pick(list(record))
        field, steps = record[name], [name]
        while isinstance(field, dict) and "object" in field and self.often(0.7):
            steps.append(self.pick(list(field["object"])))
            field = field["object"][steps[-1]]
        self.tally["where: field"] += 1
        spec = {"field": self.path(steps)}
        drawn = self.rng.random()
        if drawn < 0.3 or isinstance(field, dict) and set(field) & {"context", "meta", "arg", "cases", "calc", "first_of"}:
            return {**spec, "exists": self.often(0.5)}
        domain = "unknown"
        if isinstance(field, dict) and not set(field) & {"const", "meta", "context", "first_of", "dispatch", "calc", "cases", "arg"}:
            domain = "text" if "join" in field and "type" not in field else self.domain(field)
        return {**spec, **self.comparison(domain)}

    def mapping(self):
        """A mapping file as a dictionary, and the shape of its records is `root`."""
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
        record = self.fields(self.root, self.rng.randint(1, 7))
        if not given.get("unknown", "").startswith("collect"):
            spec.update(self.kept(self.root))
        if self.uses:
            spec["use"] = {used: f"./{used}.map.json" for used in self.uses}
        spec["record"] = record
        if self.often(0.3):
            spec["where"] = self.where(record, self.unknown not in ("ignore", "report") or "rest" in spec)
        if self.often(0.3):
            spec["output"] = {"nulls": self.pick(["omit", "omit", "keep"])}
            self.tally["nulls"] += 1
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
            # The shape of the record is not made for it.
            spec["where"] = self.source_condition(self.root if type(self.root) is Members else Members(), 1)
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
            ("$.items.*", "members"), ("$.*", "{}"), ("$.orders[*].items[*]", "orders"), ("$.orders.*.items.*", "orders"),
            ("$.orders[*].items[0:2]", "orders")])
        self.facts += [("meta", "key"), ("meta", "index")]
        if self.documents in ("[]", "{}", "item") or self.often(0.4):
            return None
        context = {}
        for name in self.rng.sample(["day", "lang", "nr"], self.rng.randint(1, 2)):
            value, texts = self.scalar()
            self.policy(value, self.stand_in(value))
            path = ["meta", name]
            if self.documents == "orders" and self.often(0.6):
                path = ["orders", name]
                self.tally["context of levels"] += 1
            if self.often(0.5):
                value["late"] = self.pick(["fail", "null"])
                self.tally["late"] += 1
            context[name] = {"from": "$." + ".".join(path).replace("orders.", self.pick(["orders[*].", "orders.*."])), **value}
            self.facts += [("context", name)] * 3
            self.around.append((path, Leaf(texts)))
        return context
