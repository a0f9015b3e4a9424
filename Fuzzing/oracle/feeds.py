"""Random feeds for a mapping that was drawn: documents, one a line."""
from shapes import MALFORMED, ODD, Chances


class Feed:
    """Makes the documents of a feed."""

    def __init__(self, maker, rng):
        self.maker = maker
        self.rng = rng
        self.chances = Chances(rng.choice([0, 0.3, 1, 1, 3]))

    def records(self, most=4):
        return ",".join([self.record() for _ in range(self.rng.randint(0, most))])

    def record(self):
        return self.maker.root.text(self.rng, self.chances)

    def document(self):
        style = self.maker.documents
        if style is None:
            return self.line()
        if style == "[]":
            return f"[{self.records()}]"
        if style == "{}":
            return f"{{{self.keyed()}}}"
        if style == "members":
            kind = self.rng.random()
            return f'{{"items":{"[" + self.records() + "]" if kind < 0.3 else "{" + self.keyed() + "}"}}}'
        if style == "orders":
            return self.orders()
        if style == "data":
            return f'{{"more":[{{}}],"data":{{"b.c":[{self.records()}],"x":1}}}}'
        if style == "item":
            return (f'{{"item":{self.record()},"x":[{{"item":{self.record()}}},7,{{"y":{{"item":[{self.record()}]}}}}],'
                    f'"more":{{"item":{self.record()}}}}}')
        parts = [f'"{name}":[{self.records()}]' for name in style.split() for _ in range(self.rng.choice([1, 1, 1, 2]))]
        return self.object(parts + self.around("meta"))

    def around(self, level):
        """What is around the records of a level."""
        members = [f'"{name}":{shape.text(self.rng, self.chances)}' for (holder, name), shape in self.maker.around
                   if holder == level and self.rng.random() > self.chances.absent]
        return [f'"meta":{{{",".join(members)}}}'] if level == "meta" and members else members

    def object(self, parts):
        """Of members that are mostly before the records, the last of them."""
        if self.rng.random() < 0.3:
            self.rng.shuffle(parts)
        else:
            parts.reverse()
        return f'{{{",".join(parts)}}}'

    def keyed(self):
        """Records that are members."""
        keys = ["17", "a", "1.0", "é", "e\u0301", "x y", "", "7", "-3"]
        return ",".join([f'"{self.rng.choice(keys)}":{self.record()}' for _ in range(self.rng.randint(0, 4))])

    def orders(self):
        """Records at two levels."""
        def order():
            items = "[" + self.records(2) + "]" if self.rng.random() < 0.7 else "{" + self.keyed() + "}"
            return self.object([f'"items":{items}', *self.around("orders")])
        orders = [order() for _ in range(self.rng.randint(0, 3))]
        text = "[" + ",".join(orders) + "]" if self.rng.random() < 0.7 else (
            "{" + ",".join(f'"{i}":{order}' for i, order in enumerate(orders)) + "}")
        return self.object([f'"orders":{text}', *self.around("meta")])

    def line(self):
        text = self.record()
        drawn = self.rng.random()
        if drawn < self.chances.malformed:
            return self.damaged(text)
        if drawn < self.chances.malformed + self.chances.spaces / 4:
            return f" \t{text} \r"
        return text

    def damaged(self, text):
        at = self.rng.randrange(len(text))
        if self.rng.random() < 0.5:
            # In the place of a value, where there is one.
            at = text.find(":", at) + 1
            return text[:at] + self.rng.choice(MALFORMED + ODD) + text[at:].lstrip("-0123456789.eEtruefalsn")
        return text[:at] + self.rng.choice(["", '"', "}", ",", "\\", "0", " "]) + text[at + self.rng.randint(0, 2):]

    def documents(self, count):
        return [text for text in (self.document() for _ in range(count)) if text.strip()]
