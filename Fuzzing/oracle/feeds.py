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
        if style == "data":
            return f'{{"more":[{{}}],"data":{{"b.c":[{self.records()}],"x":1}}}}'
        if style == "item":
            return (f'{{"item":{self.record()},"x":[{{"item":{self.record()}}},7,{{"y":{{"item":[{self.record()}]}}}}],'
                    f'"more":{{"item":{self.record()}}}}}')
        parts = [f'"{name}":[{self.records()}]' for name in style.split() for _ in range(self.rng.choice([1, 1, 1, 2]))]
        around = {}
        for path, shape in self.maker.around:
            if self.rng.random() > self.chances.absent:
                around.setdefault(path[0], []).append(f'"{path[1]}":{shape.text(self.rng, self.chances)}')
        parts += [f'"{name}":{{{",".join(members)}}}' for name, members in around.items()]
        if self.rng.random() < 0.5:
            self.rng.shuffle(parts)
        else:
            parts.reverse()
        return f'{{{",".join(parts)}}}'

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
