#!/usr/bin/env python3
"""Draws the map of the house: Site/house.py [--check]. ARCHITECTURE.md shows it.

The rooms of the engine are those of the table *Rooms* in ARCHITECTURE.md. The modules around it are listed here; each folder of Sources has
to be among them. --check only says whether the picture is as it would be drawn; scripts/check pictures runs that.
"""
import html
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
PICTURE = ROOT / "Site/house.svg"
# From the top down: what stands on what is below it. A box has modules, its words, and how many of the twelve columns it takes.
ABOVE = [
    ("What people use", [
        (["stream-map"], "the command", 3), (["CStreamMap"], "the header for C", 3),
        (["Python"], "Arrow, pandas, Spark", 3), ([], "your program in Swift", 3)]),
    ("What they stand on", [
        (["StreamMapCommand"], "options, files, runs, tables", 3), (["StreamMapC"], "functions for C and Python", 3),
        (["StreamMapMacros", "StreamMapMacrosPlugin"], "@Mappable", 3),
        (["StreamMapNIO", "StreamMapObservation", "StreamMapFoundation"], "for servers; all of Foundation", 3)]),
    ("Shared", [
        (["StreamMapFiles"], "mapping files, infer, catalogue", 6), (["StreamMapCompression"], "gzip, zstd, xz, bzip2", 3),
        (["StreamMapPlatform"], "in the place of Foundation", 3)]),
]
BELOW = [
    ("Our C", [
        (["CScan"], "scanner, walker, rows", 3), (["CText"], "numbers, escapes", 2),
        (["CColumnFiles"], "Parquet, Arrow", 2), (["CLinearPattern"], "RE2 in C", 2),
        (["CCompression"], "four libraries in C", 3)]),
    ("The system", [
        (["CYajl"], "yajl", 3), (["CRE2"], "RE2", 2), (["CYAML"], "libyaml", 2), (["CSodium"], "libsodium", 2),
        (["CZstd", "CLZMA"], "zstd, liblzma", 3), (["CSQLite"], "SQLite", 2)]),
]
WIDTH, LEFT, COLUMN = 900, 130, 64
STYLE = """
  text { font: 13px system-ui, "Segoe UI", Roboto, "Noto Sans", sans-serif; fill: #1d2125; }
  .name { font-weight: 600; font-size: 12.5px; }
  .note { fill: #565d66; font-size: 12px; }
  rect { fill: #f4f5f7; stroke: #b9c0c9; }
  rect.paper { fill: #ffffff; stroke: none; }
  rect.engine { fill: #fdf0e8; stroke: #c2500f; }
  @media (prefers-color-scheme: dark) {
    text { fill: #e3e6ea; }
    .note { fill: #a3abb5; }
    rect { fill: #1f242a; stroke: #4a525c; }
    rect.paper { fill: #15181c; }
    rect.engine { fill: #33231a; stroke: #ff9a66; }
  }
"""


def words(x, y, text, kind="note"):
    return f'<text x="{x}" y="{y}" class="{kind}">{html.escape(text)}</text>'


def row(y, title, boxes):
    height = 26 + 15 * max(max(len(names), 1) for names, _, _ in boxes)
    lines, x = [words(8, y + 18, title)], LEFT
    for names, note, columns in boxes:
        lines.append(f'<rect x="{x}" y="{y}" width="{columns * COLUMN - 8}" height="{height}" rx="4"/>')
        for number, name in enumerate(names):
            lines.append(words(x + 8, y + 16 + 15 * number, name, "name"))
        lines.append(words(x + 8, y + 18 + 15 * len(names), note))
        x += columns * COLUMN
    return lines, y + height + 10


def engine(y):
    """The rooms of the library, the highest layer first."""
    table = re.search(r"^## Rooms\n(.*?)^## ", (ROOT / "ARCHITECTURE.md").read_text(), re.M | re.S)[1]
    layers = {}
    for layer, name in re.findall(r"^\| (\d+) \| `?([^`|]+?)`? \|", table, re.M):
        layers.setdefault(int(layer), []).append("Mapper, sequences, writers" if name == "(top)" else name.rstrip("/"))
    height = 30 + 19 * len(layers)
    lines = [words(8, y + 18, "The library"),
             f'<rect x="{LEFT}" y="{y}" width="{12 * COLUMN - 8}" height="{height}" rx="4" class="engine"/>',
             words(LEFT + 8, y + 17, "StreamMap", "name"), words(LEFT + 100, y + 17, "a folder uses itself and those below it")]
    for number, layer in enumerate(sorted(layers, reverse=True)):
        lines.append(words(LEFT + 8, y + 38 + 19 * number, str(layer)))
        lines.append(words(LEFT + 40, y + 38 + 19 * number, "   ·   ".join(layers[layer]), "room"))
    return lines, y + height + 10


def picture():
    lines, y = [], 8
    for title, boxes in ABOVE:
        more, y = row(y, title, boxes)
        lines += more
    more, y = engine(y)
    lines += more
    for title, boxes in BELOW:
        more, y = row(y, title, boxes)
        lines += more
    return (f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {y}" width="{WIDTH}" height="{y}" role="img">\n'
            f"<title>The modules of StreamMap and the rooms of its library</title>\n<style>{STYLE}</style>\n"
            f'<rect class="paper" width="{WIDTH}" height="{y}"/>\n' + "\n".join(lines) + "\n</svg>\n")


def problems():
    drawn = {name for _, boxes in ABOVE + BELOW for names, _, _ in boxes for name in names} | {"StreamMap"}
    there = {path.name for path in (ROOT / "Sources").iterdir() if path.is_dir()} | {"Python"}
    found = [f"Site/house.py: Sources/{name} is not on the map" for name in sorted(there - drawn)]
    found += [f"Site/house.py: {name} is on the map, and is no folder of Sources" for name in sorted(drawn - there)]
    if PICTURE.read_text() != picture():
        found.append("Site/house.svg is not the map of ARCHITECTURE.md: run Site/house.py")
    return found


if __name__ == "__main__":
    if "--check" not in sys.argv:
        PICTURE.write_text(picture())
    found = problems()
    print(*found, sep="\n", end="\n" if found else "", file=sys.stderr)
    sys.exit(1 if found else 0)
