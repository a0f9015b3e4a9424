"""The pages of the library's API, made of the archives that DocC wrote: scripts/docs makes them in .build-docs.

DocC gives a file for each symbol, and shows them by JavaScript from a server. Here a type is one page with its members, as plain HTML.
"""
import html
import json
import re

MODULES = ["StreamMap", "StreamMapMacros", "StreamMapFiles", "StreamMapFoundation", "StreamMapCompression", "StreamMapNIO",
           "StreamMapObservation"]
# Symbols with a page; all others are on the page of what they belong to.
WITH_PAGE = {"struct", "enum", "class", "protocol", "extension", "module"}
# What DocC calls a module.
KINDS = {"Framework": "Module"}
# What DocC gathers from protocols; it is not the type's own.
INHERITED = "Default Implementations"


def label(words):
    return f'<p class="label">{html.escape(words)}</p>'


def chosen(kinds, kind):
    if kind not in kinds:
        raise SystemExit(f"site: api.py does not know DocC's '{kind}'")
    return kinds[kind]


class Archive:
    """The symbols of all modules, by their address in the archive, and where each is on the site."""

    def __init__(self, folder, guides):
        self.symbols, self.places, self.guides = {}, {}, guides
        for module in MODULES:
            data = folder / f"{module}.doccarchive/data"
            for path in sorted((data / "documentation").rglob("*.json")):
                symbol = json.loads(path.read_text())
                if symbol["metadata"]["role"] in ("symbol", "collection"):
                    self.symbols["/" + path.relative_to(data).with_suffix("").as_posix().lower()] = symbol
        # A member has a place of its own if a topic of its page lists it: not if it comes from a protocol.
        self.listed = {
            symbol["references"][identifier]["url"].lower() for symbol in self.symbols.values()
            for topic in symbol.get("topicSections", []) if topic["title"] != INHERITED for identifier in topic["identifiers"]}
        used = set()
        for address in self.symbols:
            self.places[address] = self.page_of(address) if self.has_page(address) else self.unique(used, address)
        # A link of a guide names a symbol without its types: the first of that name.
        self.by_name = {}
        for address, place in self.places.items():
            self.by_name.setdefault(re.sub(r"-\w+$", "", address), place)

    def place(self, path):
        """Where a symbol is that a guide names by its path, with or without its module."""
        path = path.lower()
        found = (self.by_name.get(f"/documentation/{module}{path}") for module in ["", *(f"{name.lower()}/" for name in MODULES)])
        return next((place for place in found if place), None)

    def has_page(self, address):
        return self.symbols[address]["metadata"]["symbolKind"] in WITH_PAGE

    def module(self, address):
        return next(name for name in MODULES if name.lower() == address.split("/")[2])

    def page_of(self, address):
        title = self.symbols[address]["metadata"]["title"]
        module = self.module(address)
        return f"api-{module}.html" if title == module else f"api-{module}-{title}.html"

    def unique(self, used, address):
        """A place on the page of what a member belongs to."""
        parent = address.rsplit("/", 1)[0]
        while not (parent in self.symbols and self.has_page(parent)):
            parent = parent.rsplit("/", 1)[0]
        slug = re.sub(r"[^a-z0-9]+", "-", re.sub(r"-\w{4,5}$", "", address.rsplit("/", 1)[1])).strip("-") or "operator"
        if address not in self.listed:
            return self.page_of(parent)
        place, number = f"{self.page_of(parent)}#of-{slug}", 2
        while place in used:
            place = re.sub(r"(?:-\d+)?$", f"-{number}", place, count=1)
            number += 1
        used.add(place)
        return place

    # Text

    def link(self, references, identifier, text=None):
        reference = references.get(identifier, {})
        title = text or reference.get("title", identifier.rsplit("/", 1)[-1])
        address = reference.get("url", "").lower()
        if reference.get("type") == "link":
            return f'<a href="{html.escape(reference["url"])}">{html.escape(title)}</a>'
        if place := self.guides.get(address.rsplit("/", 1)[-1]) if reference.get("role") == "article" else None:
            return f'<a href="{place}">{html.escape(title)}</a>'
        words = f"<code>{html.escape(title)}</code>"
        return f'<a href="{place}">{words}</a>' if (place := self.places.get(address)) else words

    def inline(self, parts, references):
        def of(part):
            return self.inline(part["inlineContent"], references)

        kinds = {
            "text": lambda part: html.escape(part["text"], quote=False),
            "codeVoice": lambda part: f"<code>{html.escape(part['code'], quote=False)}</code>",
            "emphasis": lambda part: f"<em>{of(part)}</em>",
            "strong": lambda part: f"<strong>{of(part)}</strong>",
            "reference": lambda part: self.link(references, part["identifier"]),
            "link": lambda part: f'<a href="{html.escape(part["destination"])}">{html.escape(part["title"])}</a>',
        }
        return "".join(chosen(kinds, part["type"])(part) for part in parts or [])

    def blocks(self, content, references):
        def of(block):
            return self.blocks(block["content"], references)

        def items(block):
            return "".join(f"<li>{of(item)}</li>" for item in block["items"])

        def row(cells):
            return "<tr>" + "".join(f"<td>{self.blocks(cell, references)}</td>" for cell in cells) + "</tr>"

        kinds = {
            "paragraph": lambda block: f"<p>{self.inline(block['inlineContent'], references)}</p>",
            # What is first on every page needs no heading.
            "heading": lambda block: "" if block["text"] in ("Overview", "Discussion") else label(block["text"]),
            "codeListing": lambda block: "<pre><code>" + html.escape("\n".join(block["code"]), quote=False) + "\n</code></pre>",
            "aside": lambda block: label(block.get("name", block["style"])) + of(block),
            "unorderedList": lambda block: f"<ul>{items(block)}</ul>",
            "orderedList": lambda block: f"<ol>{items(block)}</ol>",
            "table": lambda block: f'<div class="scroll"><table>{"".join(map(row, block["rows"]))}</table></div>',
        }
        return "".join(chosen(kinds, block["type"])(block) for block in content)

    # Symbols

    def text(self, symbol):
        """Declaration, what it is, parameters and the rest."""
        references = symbol["references"]

        def declaration(section):
            tokens = section["declarations"][0]["tokens"]
            return '<pre class="declaration"><code>' + "".join(self.token(token, references) for token in tokens) + "\n</code></pre>"

        def parameters(section):
            return label("Parameters") + "<dl>" + "".join(
                f"<dt><code>{html.escape(item['name'])}</code></dt><dd>{self.blocks(item['content'], references)}</dd>"
                for item in section["parameters"]) + "</dl>"

        kinds = {
            "declarations": declaration,
            "parameters": parameters,
            "content": lambda section: self.blocks(section["content"], references),
            # Guides that name it.
            "mentions": lambda section: "",
        }
        sections = [(section["kind"], chosen(kinds, section["kind"])(section)) for section in symbol.get("primaryContentSections", [])]
        abstract = self.inline(symbol.get("abstract"), references)
        return ("".join(words for kind, words in sections if kind == "declarations") + (f"<p>{abstract}</p>" if abstract else "")
                + "".join(words for kind, words in sections if kind != "declarations"))

    def token(self, token, references):
        words = html.escape(token["text"], quote=False)
        place = self.places.get(references.get(token.get("identifier"), {}).get("url", "").lower())
        return f'<a href="{place}">{words}</a>' if place else words

    def member(self, address):
        """A symbol on the page of what it belongs to."""
        symbol = self.symbols[address]
        anchor = self.places[address].partition("#")[2]
        return f'<h3 id="{anchor}"><code>{html.escape(symbol["metadata"]["title"])}</code></h3>{self.text(symbol)}'

    def body(self, address):
        symbol = self.symbols[address]
        references, meta = symbol["references"], symbol["metadata"]
        title = html.escape(meta["title"])
        parts = [f'<h1 id="title">{title}</h1>', f'<p class="note">{html.escape(KINDS.get(meta["roleHeading"], meta["roleHeading"]))}'
                 + (f' of <a href="api-{self.module(address)}.html">{self.module(address)}</a>' if meta["title"] != self.module(address) else "")
                 + "</p>", self.text(symbol)]
        for relation in symbol.get("relationshipsSections", []):
            names = ", ".join(self.link(references, identifier) for identifier in relation["identifiers"])
            parts.append(f"{label(relation['title'])}<p>{names}</p>")
        shown = set()
        for number, topic in enumerate(symbol.get("topicSections", [])):
            if topic["title"] == INHERITED:
                continue
            parts.append(f'<h2 id="topic-{number}">{html.escape(topic["title"])}</h2>')
            listed = []
            for identifier in topic["identifiers"]:
                reference = references[identifier]
                at = reference["url"].lower()
                here = self.places.get(at, "").startswith(self.places[address] + "#")
                if here and at not in shown:
                    shown.add(at)
                    parts.append(self.member(at))
                else:
                    listed.append(f"<li>{self.link(references, identifier)}: {self.inline(reference.get('abstract'), references)}</li>")
            if listed:
                parts.append(f"<ul>{''.join(listed)}</ul>")
        return "\n".join(parts)

    def pages(self):
        """Title, the title in full, name and body of each page; those of modules first."""
        addresses = sorted((address for address in self.symbols if self.has_page(address)), key=lambda at: (at.count("/") > 2, at))
        for address in addresses:
            title, module = self.symbols[address]["metadata"]["title"], self.module(address)
            yield title, f"{title}, API of {module}", self.places[address], self.body(address)
