#!/usr/bin/env python3
"""Reads each page of the site in a folder: pages.py FOLDER.

Links lead to pages and places that exist, no page asks another host for anything, each has one title, language, heading and description of
its own, headings leave no level out, pictures have words, and every page is reached from the first.
"""
import collections
import html.parser
import json
import pathlib
import re
import sys
import urllib.parse

# Attributes that make a browser ask for something. A link is only followed by its reader.
ASKS = {"src", "srcset", "data", "poster", "action", "background"}


class Reader(html.parser.HTMLParser):
    def __init__(self, text):
        super().__init__()
        self.ids, self.links, self.asks, self.levels, self.problems = [], [], [], [], []
        self.title, self.language, self.description, self.inside = "", None, None, None
        self.landmarks = collections.Counter()
        self.feed(text)

    def handle_starttag(self, tag, pairs):
        values = dict(pairs)
        self.inside = tag
        self.landmarks[tag] += 1
        if "id" in values:
            self.ids.append(values["id"])
        if tag == "html":
            self.language = values.get("lang")
        if tag == "meta" and values.get("name") == "description":
            self.description = values["content"]
        if tag == "a":
            self.links.append(values.get("href", ""))
        if tag == "link":
            self.asks.append(values["href"])
        self.asks += [value for name, value in pairs if name in ASKS]
        if tag == "img" and not values.get("alt"):
            self.problems.append(f"a picture without words: {values.get('src')}")
        if re.fullmatch("h[1-6]", tag):
            self.levels.append(int(tag[1]))
        if "style" in values or any(name.startswith("on") for name in values):
            self.problems.append(f"<{tag}> has a style or a script of its own")

    def handle_data(self, data):
        if self.inside == "title":
            self.title += data
            self.inside = None


def main(folder):
    files = {path.name: path for path in folder.iterdir()}
    pages = {name: Reader(path.read_text()) for name, path in files.items() if name.endswith(".html")}
    problems = []
    for name, page in pages.items():
        said = list(page.problems)
        said += [f"the place #{anchor} is there twice" for anchor, times in collections.Counter(page.ids).items() if times > 1]
        for target in page.links:
            address = urllib.parse.urlsplit(target)
            if address.scheme in ("https", "http"):
                continue
            if address.scheme or address.netloc or address.path.startswith("/"):
                said.append(f"a link that is not relative: {target}")
            elif address.path and address.path not in files:
                said.append(f"a link to nothing: {target}")
            elif address.fragment and address.fragment not in pages[address.path or name].ids:
                said.append(f"a link to no place: {target}")
        said += [f"it asks for {target}" for target in page.asks if target not in files]
        if page.landmarks["h1"] != 1 or page.landmarks["main"] != 1 or page.landmarks["title"] != 1:
            said.append("it has not one title, one main part and one heading of the first level")
        said += [f"a heading of level {after} follows one of level {before}"
                 for before, after in zip(page.levels, page.levels[1:]) if after > before + 1]
        if page.language != "en" or not page.description:
            said.append("it has no language or no description")
        problems += [f"{name}: {words}" for words in said]
    titles = collections.Counter(page.title for page in pages.values())
    problems += [f"{times} pages have the title '{title}'" for title, times in titles.items() if times > 1]

    reached, open_pages = {"index.html"}, ["index.html"]
    while open_pages:
        for target in pages[open_pages.pop()].links:
            name = urllib.parse.urlsplit(target).path
            if name in pages and name not in reached:
                reached.add(name)
                open_pages.append(name)
    problems += [f"{name}: nothing leads to it" for name in sorted(set(pages) - reached)]

    # What is asked for by style sheets, scripts and pictures.
    for name in files:
        if name.endswith((".css", ".js", ".svg")) and name != "search-index.js":
            text = re.sub(r'xmlns="[^"]*"', "", files[name].read_text())
            problems += [f"{name}: it asks for {what}" for what in re.findall(r"https?://[^\s'\"]+|url\([^)]*\)|@import\b.*", text)]

    # Each place that the search finds exists, and each page is found.
    index = json.loads(re.fullmatch(r"searchIndex\((.*)\);\n", files["search-index.js"].read_text(), re.S)[1])
    for title, heading, address, text in index:
        name, _, anchor = address.partition("#")
        if name not in pages or anchor and anchor not in pages[name].ids:
            problems.append(f"search-index.js: {address} does not exist")
    problems += [f"search-index.js: {name} is not in it" for name in sorted(set(pages) - {entry[2].split("#")[0] for entry in index})]

    for problem in problems:
        print(problem, file=sys.stderr)
    links = sum(len(page.links) for page in pages.values())
    print(f"site: {len(pages)} pages, {links} links, {len(index)} places to search, {len(problems)} problems", flush=True)
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main(pathlib.Path(sys.argv[1])))
