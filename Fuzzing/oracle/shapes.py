"""Shapes of feeds: what makes the random text of a record, mostly as its mapping wants it, and odd now and then."""
import json

ODD = ["null", "null", "true", "false", "0", "1", "-1", "1.0", "-0", "1e400", "1e-400", "0.1", "300", "2147483648",
       "9223372036854775808", "1E+2", "12345678901234567890123456789012345678901234567890", "0e999999", '""', '"x"',
       '"7"', '"true"', '"\\u0041\\/\\n"', '"\\ud83d\\ude00"', '"é名\U0001f600"', '"\\u0000"', '" a "', "{}", "[]",
       "[null]", '{"":null}', '{"a":1,"a":2}', '{"é":1,"e\u0301":2}', '[[[{"b":[1.50]}]]]', "[1,\t2 , 3]", '"2026-11-21T09:30:00Z"']
MALFORMED = ["007", "+1", ".5", "1.", "-", "NaN", "Infinity", '"\\x"', '"\\ud800"', '"\\udc00\\ud800"', '"\t"', "'a'",
             "tru", "{,}", "[1,]", '{"a"}', '{"a":1,}', "1e", "", '"', "[" * 600 + "]" * 600, "0x1", "nul", "\u00a01"]

# Keys that no mapping asks for, mostly.
MORE = ["more", "a", "zz", "", "é", "e\u0301", "K", "\u212a"]


class Chances:
    """How often what is odd comes: of each value."""

    def __init__(self, level):
        self.odd = 0.02 * level
        self.absent = 0.03 * level
        self.twice = 0.01 * level
        self.more = 0.03 * level
        self.spaces = 0.02
        self.malformed = 0.004 * level
        # How many shapes are open inside of themselves.
        self.levels = 0


class Leaf:
    """One of some texts."""

    def __init__(self, texts):
        self.texts = texts

    def text(self, rng, chances):
        return rng.choice(ODD if rng.random() < chances.odd else self.texts)


class Elements:
    def __init__(self, element, most=4):
        self.element = element
        self.most = most

    def text(self, rng, chances):
        if rng.random() < chances.odd:
            return rng.choice(ODD)
        return "[" + ",".join([self.element.text(rng, chances) for _ in range(rng.randint(0, self.most))]) + "]"


class Again:
    """A shape inside of itself, up to some levels."""

    def __init__(self, shape):
        self.shape = shape

    def text(self, rng, chances):
        if chances.levels >= 3 or rng.random() < chances.odd or rng.random() < 0.3:
            return rng.choice(["null", "null", '"x"', "[]"])
        chances.levels += 1
        text = self.shape.text(rng, chances)
        chances.levels -= 1
        return text


class Tuple:
    """An array with a shape for some of its places."""

    def __init__(self):
        self.places = {}

    def text(self, rng, chances):
        if rng.random() < chances.odd:
            return rng.choice(ODD)
        count = max(self.places) + 1 if rng.random() > chances.absent else rng.randint(0, max(self.places))
        return "[" + ",".join(
            [self.places[i].text(rng, chances) if i in self.places else rng.choice(ODD) for i in range(count)]) + "]"


class Choice:
    """One of several shapes."""

    def __init__(self, shapes):
        self.shapes = shapes

    def text(self, rng, chances):
        return rng.choice(self.shapes).text(rng, chances)


class Quoted:
    """JSON in a string."""

    def __init__(self, shape):
        self.shape = shape

    def text(self, rng, chances):
        return json.dumps(self.shape.text(rng, chances), ensure_ascii=False)


class Table:
    """An object with any keys."""

    def __init__(self, member, keys):
        self.member = member
        self.keys = keys

    def text(self, rng, chances):
        if rng.random() < chances.odd:
            return rng.choice(ODD)
        keys = [rng.choice(self.keys) for _ in range(rng.randint(0, 4))]
        if rng.random() >= chances.twice:
            keys = dict.fromkeys(keys)
        return "{" + ",".join([f"{json.dumps(key)}:{self.member.text(rng, chances)}" for key in keys]) + "}"


class Members:
    """An object with certain members."""

    def __init__(self):
        self.members = {}
        # How often there is anything else, at least.
        self.odd = 0

    def text(self, rng, chances):
        random = rng.random
        if random() < max(chances.odd, self.odd):
            return rng.choice(ODD)
        parts = [f"{key_text(rng, key)}:{shape.text(rng, chances)}" for key, shape in self.members.items()
                 if random() >= chances.absent]
        if random() < chances.more:
            parts.append(f"{key_text(rng, rng.choice(MORE))}:{rng.choice(ODD)}")
        if self.members and random() < chances.twice:
            key, shape = rng.choice(list(self.members.items()))
            parts.append(f"{key_text(rng, key)}:{shape.text(rng, chances)}")
        if random() < 0.2:
            rng.shuffle(parts)
        if random() < chances.spaces:
            return "{ " + " ,\t".join(parts) + "  }"
        return "{" + ",".join(parts) + "}"


def key_text(rng, key):
    if key and rng.random() < 0.01:
        at = rng.randrange(len(key))
        if ord(key[at]) < 0x10000:
            return json.dumps(key[:at])[:-1] + f"\\u{ord(key[at]):04x}" + json.dumps(key[at + 1:])[1:]
    return json.dumps(key, ensure_ascii=False)
