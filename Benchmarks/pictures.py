#!/usr/bin/env python3
"""Draws the pictures of the figures: Benchmarks/pictures.py [--check]. scripts/bench --pictures runs it.

The figures stand in the README's tables, under Speed; the pictures show these and nothing else. So who measures again changes the tables,
and draws. --check only says whether the pictures are those of the tables; scripts/check pictures runs that.
"""
import html
import pathlib
import re
import sys

FOLDER = pathlib.Path(__file__).resolve().parent
README = FOLDER.parent / "README.md"
WIDTH, LABELS, ROW = 720, 290, 26
# The characters of a name that have room; a longer one keeps its first part and its last.
LONGEST = 42

# Colours of the picture by itself: it follows the reader's scheme, also where it is shown as an image.
STYLE = """
  text { font: 14px system-ui, "Segoe UI", Roboto, "Noto Sans", sans-serif; fill: #1d2125; }
  .title { font-weight: 600; }
  .note { fill: #565d66; font-size: 13px; }
  .own { font-weight: 600; }
  rect.paper { fill: #ffffff; }
  rect.own { fill: #c2500f; }
  rect.peer { fill: #9aa7b5; }
  @media (prefers-color-scheme: dark) {
    text { fill: #e3e6ea; }
    .note { fill: #a3abb5; }
    rect.paper { fill: #15181c; }
    rect.own { fill: #ff9a66; }
    rect.peer { fill: #66727f; }
  }
"""


def tables(text):
    """The tables of the section, each as a list of rows, the heading first."""
    section = re.search(r"^## Speed\n(.*?)(?=^## |\Z)", text, re.M | re.S)[1]
    for table in re.findall(r"(?:^\|.*\n)+", section, re.M):
        rows = [[cell.strip() for cell in line.strip().strip("|").split("|")] for line in table.splitlines()]
        yield [rows[0], *rows[2:]]


def column(table, heading):
    """Names and figures of a column; a row without a figure is left out. A figure may have a unit: 17 MB, 1.5 GB."""
    at = table[0].index(heading)
    found = []
    for row in table[1:]:
        if match := re.fullmatch(r"([\d.,]+)(?: (MB|GB|s))?", row[at]):
            value = float(match[1].replace(",", "")) * (1000 if match[2] == "GB" else 1)
            found.append((row[0], value, row[at]))
    return found


def panel(y, title, note, bars):
    """One chart: bars with their figures. Gives its lines and where it ends."""
    def words(x, y, text, kind):
        return f'<text x="{x}" y="{y}" class="{kind}">{html.escape(text, quote=False)}</text>'

    lines = [words(10, y + 18, title, "title"), words(10, y + 38, note, "note")]
    y += 56
    scale = (WIDTH - LABELS - 90) / max(value for _, value, _ in bars)
    for name, value, figure in bars:
        kind = "own" if "**" in name or name.startswith("`stream-map`") else "peer"
        plain = re.sub(r"[*`]", "", re.sub(r" \(.*\)", "", name))
        if len(plain) > LONGEST:
            plain = ", ".join(plain.split(", ")[::max(1, plain.count(", "))])
        length = max(2, round(value * scale))
        lines.append(words(10, y + 15, plain, "own" if kind == "own" else "name"))
        lines.append(f'<rect x="{LABELS}" y="{y + 2}" width="{length}" height="17" class="{kind}"/>')
        lines.append(words(LABELS + length + 8, y + 15, figure, "own" if kind == "own" else "name"))
        y += ROW
    return lines, y + 14


def picture(title, panels):
    lines, y = [], 6
    for values in panels:
        more, y = panel(y, *values)
        lines += more
    return (f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {y}" width="{WIDTH}" height="{y}" role="img">\n'
            f"<title>{html.escape(title)}</title>\n<style>{STYLE}</style>\n"
            f'<rect class="paper" width="{WIDTH}" height="{y}"/>\n' + "\n".join(lines) + "\n</svg>\n")


def pictures():
    speed, memory = tables(README.read_text())
    return {
        "speed.svg": picture("StreamMap's speed and memory beside other programs", [
            ("Speed: seven fields of tweets, GB/s", "One thread. Longer is faster.", column(speed, "tweets, GB/s")),
            ("Memory: one array in a document of 303 MB", "The peak of the process. Shorter is less.", column(memory, "memory")),
        ]),
        "events.svg": picture("StreamMap's speed for log events beside other programs", [
            ("Speed: log events of 315 bytes, nearly all fields, GB/s", "One thread. Longer is faster.", column(speed, "logs, GB/s")),
            ("Time: one array in a document of 303 MB", "The whole process. Shorter is faster.", column(memory, "time")),
        ]),
    }


if __name__ == "__main__":
    stale = []
    for name, text in pictures().items():
        path = FOLDER / name
        if "--check" not in sys.argv:
            path.write_text(text)
        elif not path.exists() or path.read_text() != text:
            stale.append(f"Benchmarks/{name} is not the picture of the README's tables: run scripts/bench --pictures")
    print(*stale, sep="\n", end="\n" if stale else "", file=sys.stderr)
    sys.exit(1 if stale else 0)
