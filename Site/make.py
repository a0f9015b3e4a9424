#!/usr/bin/env python3
"""Makes the site: Site/make.py FOLDER. scripts/docs --site runs it.

The start page is the README. Its table of guides says which pages there are, in which order and under which heading. lowdown makes HTML of
their Markdown. The page of keys comes from the JSON Schema of mapping files, the pages of the API from DocC's archives if scripts/docs has made
them. All links are relative, and no page asks another host for anything: the site works from any folder and without a server.
"""
import html
import json
import pathlib
import posixpath
import re
import shutil
import subprocess
import sys

import api
import keys

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent
FIGURES = "Benchmarks/README.md"
FENCE = re.compile(r"^ *(```|~~~)")


def host():
    """The address of the project, from the file that says where it is hosted."""
    return re.search(r"^address=(\S+)$", (ROOT / ".github/host").read_text(), re.M)[1]


class Page:
    """A document of the project, and its place on the site."""

    def __init__(self, path, group=None):
        self.path, self.group = path, group
        folder, name = posixpath.split(path)
        stem = name.removesuffix(".md")
        self.name = "index.html" if path == "README.md" else (posixpath.basename(folder) if stem == "README" else stem) + ".html"
        self.text = (ROOT / path).read_text()
        self.title = re.match(r"# (.*)", self.text)[1].strip("`")


def section(text, heading):
    """What stands under a heading of the second level."""
    return re.search(rf"^## {re.escape(heading)}\n(.*?)(?=^## |\Z)", text, re.M | re.S)[1]


def pages():
    """The pages as the README's table of guides lists them."""
    readme = Page("README.md")
    found = [readme]
    for row in re.findall(r"^\| ([A-Z][\w ]*) \| (.*) \|$", section(readme.text, "Guides"), re.M):
        for path in re.findall(r"\]\(([^)#]+\.md)\)", row[1]):
            found.append(Page(path, row[0]))
    missing = {path.relative_to(ROOT).as_posix() for path in ROOT.glob("Sources/*/*.docc/*.md")}
    missing -= {page.path for page in found} | {"Sources/StreamMap/StreamMap.docc/StreamMap.md"}
    twice = {page.name for page in found if sum(other.name == page.name for other in found) > 1}
    if missing or twice:
        sys.exit(f"site: the README's table of guides leaves out {sorted(missing)}, and names {sorted(twice)} twice")
    return found


def with_figures(page, readme):
    """The page of benchmarks shows the figures first, which stand in the README."""
    start, rest = page.text.split("\n## ", 1)
    pictures = "".join(f"![{words}]({name})\n\n" for name, words in [
        ("speed.svg", "Speed and memory beside other programs; the tables below have the figures"),
        ("events.svg", "Speed for log events beside other programs; the table below has the figures")])
    figures = re.sub(r"^.*\]\(Benchmarks/README\.md\).*\n", "", section(readme.text, "Speed"), flags=re.M)
    # The links of the README are from another folder.
    figures = re.sub(r"\]\((?![a-z]+:|#)", f"]({posixpath.relpath('.', posixpath.dirname(FIGURES))}/", figures)
    return f"{start}\n{pictures}## Figures\n{figures}\n## {rest}"


class Converter:
    """Markdown to HTML, with the links of the site."""

    def __init__(self, found):
        self.archive = None
        self.by_path = {page.path: page for page in found}
        self.by_guide = {pathlib.PurePosixPath(page.path).stem: page for page in found if ".docc/" in page.path}
        self.host = host()

    def guide_words(self, line):
        """DocC's links to guides and symbols, as Markdown has them."""
        def guide(match):
            page = self.by_guide[match[1]]
            return f"[{page.title}]({page.name})"

        def symbol(match):
            path = re.sub(r"-(?:>.*|\(.*|swift\.\w+)$", "", match[1])
            words = "`" + path.split("/")[-1] + "`"
            place = self.archive and self.archive.place(path)
            return f"[{words}]({place})" if place else words

        return re.sub(r"``([^`]+)``", symbol, re.sub(r"<doc:(\w+)>", guide, line))

    def markdown(self, page):
        """The document without what only DocC reads."""
        text = page.text
        if ".docc/" not in page.path:
            return text
        text = re.split(r"^## Topics$", text, maxsplit=1, flags=re.M)[0]
        lines, fence = [], None
        for line in text.split("\n"):
            if mark := FENCE.match(line):
                fence = None if fence == mark[1] else fence or mark[1]
            lines.append(line if fence else self.guide_words(line))
        return "\n".join(lines)

    def link(self, page, target):
        """Where a link of a document leads: to a page, a place on this page, the repository, or elsewhere."""
        target = html.unescape(target)
        if re.match(r"[a-z]+:|#", target) or not self.is_file(target):
            return target
        path, _, anchor = target.partition("#")
        path = posixpath.normpath(posixpath.join(posixpath.dirname(page.path), path))
        if path in self.by_path:
            return self.by_path[path].name + (f"#{anchor}" if anchor else "")
        if not (ROOT / path).exists():
            sys.exit(f"site: {page.path} names {path}, which does not exist")
        return f"{self.host}/{'tree' if (ROOT / path).is_dir() else 'blob'}/main/{path}"

    def is_file(self, target):
        """Links between guides are already those of the site."""
        return not target.startswith("api-") and not any(target == page.name for page in self.by_path.values())

    def html(self, page, text):
        body = subprocess.run(
            ["lowdown", "-thtml", "--out-no-smarty", "--parse-no-metadata", "--parse-no-super", "--parse-no-strike", "--html-no-owasp",
             "--html-no-skiphtml", "--html-no-escapehtml"],
            input=text, capture_output=True, text=True, check=True).stdout
        body = re.sub(r'href="([^"]*)"', lambda match: f'href="{html.escape(self.link(page, match[1]))}"', body)
        body = re.sub(r'src="([^"]*)"', lambda match: f'src="{posixpath.basename(match[1])}"', body)
        # lowdown keeps the backslash of a bar in a cell.
        body = re.sub(r"<t[dh].*?</t[dh]>", lambda match: match[0].replace("\\|", "|"), body, flags=re.S)
        # A wide table is scrolled by itself, not with the page.
        body = body.replace("<table>", '<div class="scroll"><table>').replace("</table>", "</table></div>")
        return re.sub(r'<(h[2-4]) id="([^"]+)">(.*?)</\1>',
                      r'<\1 id="\2">\3 <a class="anchor" href="#\2" aria-label="Link to this heading">#</a></\1>', body)


def plain(markup):
    """The words of HTML."""
    return " ".join(html.unescape(re.sub(r"<[^>]+>", " ", re.sub(r'<a class="anchor".*?</a>', "", markup))).split())


def headings(body):
    return [(match[1], plain(match[2])) for match in re.finditer(r'<h2 id="([^"]+)">(.*?)</h2>', body)]


def contents(body):
    """The headings of a long page."""
    found = headings(body)
    if len(found) < 4:
        return ""
    items = "".join(f'<li><a href="#{anchor}">{html.escape(words)}</a></li>' for anchor, words in found)
    return f"<details><summary>On this page</summary><ul>{items}</ul></details>"


def navigation(entries, current):
    """All pages under their headings. An entry is a group, a title and a name."""
    parts, group = [], None
    for of, title, name in entries:
        if of != group:
            parts.append(("</ul>" if group else "") + f"<h2>{html.escape(of)}</h2><ul>")
            group = of
        here = ' aria-current="page"' if name == current else ""
        parts.append(f'<li><a href="{name}"{here}>{html.escape(title)}</a></li>')
    return "".join(parts) + "</ul>"


def neighbours(entries, current):
    names = [name for _, _, name in entries]
    if current not in names:
        return ""
    at = names.index(current)
    links = [(kind, entries[place]) for kind, place in (("prev", at - 1), ("next", at + 1)) if 0 <= place < len(entries)]
    return "".join(f'<a rel="{kind}" href="{name}">{html.escape(title)}</a>' for kind, (_, title, name) in links)


def sections(title, name, body):
    """What the search looks through: each heading with its text."""
    pieces = re.split(r'(?=<h[1-3] id=")', body)
    for piece in pieces:
        if match := re.match(r'<(h[1-3]) id="([^"]+)">(.*?)</\1>(.*)', piece, re.S):
            anchor = "" if match[1] == "h1" else f"#{match[2]}"
            yield [title, plain(match[3]), name + anchor, plain(match[4])]


def make(folder, archives):
    found = pages()
    readme = found[0]
    converter = Converter(found)
    if archives.exists():
        converter.archive = api.Archive(archives, {stem.lower(): page.name for stem, page in converter.by_guide.items()})
    else:
        print("site: WITHOUT THE API: scripts/docs makes its archives", file=sys.stderr)
    bodies = []
    for page in found:
        text = with_figures(page, readme) if page.path == FIGURES else converter.markdown(page)
        bodies.append((page.group or found[1].group, page.title, page.name, converter.html(page, text)))
    # The page of keys follows the guide that explains them.
    after = next(number for number, body in enumerate(bodies) if body[2] == "MappingFile.html") + 1
    bodies.insert(after, (bodies[after - 1][0], keys.TITLE, "Keys.html", keys.body(ROOT / "Schemas/mapping-file.schema.json")))

    entries = [body[:3] for body in bodies]
    # Modules are in the navigation; a type is reached from the page of its module.
    full = {}
    for title, words, name, body in converter.archive.pages() if converter.archive else []:
        full[name] = words
        bodies.append(("API", title, name, body))
        if title in api.MODULES:
            entries.append(("API", title, name))
    frame = (HERE / "page.html").read_text()
    folder.mkdir(parents=True, exist_ok=True)
    index = []
    for _, title, name, body in bodies:
        index += sections(title, name, body)
        paragraphs = (plain(match[1]) for match in re.finditer(r"<p>(.*?)</p>", body, re.S))
        start, rest = re.match(r"(<h1.*?</h1>)(.*)", body, re.S).groups()
        values = {
            "title": html.escape(title if name == "index.html" else f"{full.get(name, title)} – StreamMap"),
            "description": html.escape(next((words for words in paragraphs if words), title)[:300]),
            "body": start + contents(rest) + rest,
            "navigation": navigation(entries, name),
            "neighbours": neighbours(entries, name),
        }
        (folder / name).write_text(re.sub(r"\{\{(\w+)\}\}", lambda match: values[match[1]], frame))
    for source in [HERE / "site.css", HERE / "search.js", HERE / "icon.svg", HERE / "house.svg",
                   *sorted((ROOT / "Benchmarks").glob("*.svg"))]:
        shutil.copyfile(source, folder / source.name)
    # A script and not JSON: a page that is opened as a file may load a script, but may not fetch.
    (folder / "search-index.js").write_text(f"searchIndex({json.dumps(index, ensure_ascii=False, separators=(',', ':'))});\n")
    return len(bodies)


if __name__ == "__main__":
    target = pathlib.Path(sys.argv[1]).resolve()
    print(f"site: {make(target, ROOT / '.build-docs')} pages in {target}", file=sys.stderr)
