#!/usr/bin/env python3
"""Looks at the site in Chromium, as a file: in_chromium.py FOLDER [--pictures FOLDER].

Nothing is written to the console and nothing is asked of another host; text can be read against its ground, light and dark; no page is wider
than a narrow screen; the keyboard reaches what the mouse reaches, and shows where it is; the search finds, and says when it does not.
"""
import pathlib
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "scripts"), str(ROOT / "Examples/IngestService/Tests/Service")]
from browser import CHROMIUM, Browser  # noqa: E402
from common import skipped  # noqa: E402

# Pages that have between them all kinds of text: the colours are those of the one style sheet. Pictures are taken of these, too.
KINDS = ["index", "Benchmarks", "MappingFile", "Keys", "HowItWorks", "Cookbook"]
# WCAG 2.2, 1.4.3: text has at least this contrast with its ground; large text 3.
CONTRAST = """(() => {
  const parts = (colour) => colour.match(/[\\d.]+/g).map(Number);
  const light = (colour) => {
    const [r, g, b] = parts(colour).map((c) => c / 255).map((c) => c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4);
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const grounds = new Map([[null, 'rgb(255, 255, 255)']]);
  const ground = (element) => {
    if (!grounds.has(element)) {
      const colour = getComputedStyle(element).backgroundColor;
      grounds.set(element, parts(colour)[3] === 0 ? ground(element.parentElement) : colour);
    }
    return grounds.get(element);
  };
  const found = new Set();
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const element = walker.currentNode.parentElement;
    if (!walker.currentNode.data.trim() || !element.checkVisibility()) continue;
    const style = getComputedStyle(element);
    const pair = [light(style.color), light(ground(element))].sort((a, b) => b - a);
    const ratio = (pair[0] + 0.05) / (pair[1] + 0.05);
    if (ratio < (parseFloat(style.fontSize) >= 24 ? 3 : 4.5)) {
      found.add(`<${element.localName}> ${style.color} on ${ground(element)}: ${ratio.toFixed(2)}`);
    }
  }
  return [...found];
})()"""
# Where the keyboard is, and whether that is shown.
FOCUS = """(() => {
  const at = document.activeElement, style = getComputedStyle(at);
  return [at.localName, at.textContent.trim() || at.id, style.outlineStyle !== 'none' && parseFloat(style.outlineWidth) >= 2];
})()"""


class Visit:
    def __init__(self, folder, browser):
        self.folder, self.browser, self.problems = folder, browser, []

    def expect(self, holds, words):
        if not holds:
            self.problems.append(words)

    def open(self, name):
        self.browser.events.clear()
        self.browser.open((self.folder / name).as_uri())

    def page(self, name):
        """What holds for any page."""
        self.browser.size(360, 740)
        self.open(name)
        wide = self.browser.value("document.documentElement.scrollWidth")
        self.expect(wide <= 360, f"{name}: {wide} wide on a screen of 360")
        self.quiet(name)

    def colours(self, name):
        self.browser.size(1280, 900)
        self.open(name)
        for scheme in ("light", "dark"):
            self.browser.prefer(prefers_color_scheme=scheme)
            for words in self.browser.value(CONTRAST):
                self.problems.append(f"{name}, {scheme}: too close to its ground: {words}")

    def quiet(self, name):
        """Nothing went wrong on the page, and it asked for nothing elsewhere."""
        for event in self.browser.complaints():
            self.problems.append(f"{name}: {event['method']}: {str(event['params'])[:300]}")
        for event in self.browser.events:
            if event.get("method") == "Network.requestWillBeSent":
                address = event["params"]["request"]["url"]
                self.expect(address.startswith("file:"), f"{name}: it asked for {address}")

    def keyboard(self):
        self.browser.size(1280, 900)
        self.open("index.html")
        stops = []
        for _ in range(12):
            self.browser.press("Tab")
            stops.append(self.browser.value(FOCUS))
        self.expect(stops[0][1] == "Skip to the text", f"the first stop of the keyboard is {stops[0]}")
        self.expect(any(stop[0] == "input" for stop in stops[:4]), f"the search is not among the first stops: {stops[:4]}")
        for stop in stops:
            self.expect(stop[2], f"the keyboard is at {stop[:2]}, which is not shown")

    def search(self):
        shown = "!document.getElementById('found').hidden && document.querySelectorAll('#found li').length"
        said = "document.querySelector('#found p').textContent"
        self.open("Errors.html")
        self.browser.value("document.dispatchEvent(new KeyboardEvent('keydown', {key: '/', bubbles: true}))")
        self.browser.type("checkpoint resume")
        self.browser.wait(f"{shown} > 2")
        first = self.browser.value("document.querySelector('#found a').textContent")
        self.expect(first.startswith("Running unattended"), f"the search for 'checkpoint resume' finds first: {first}")
        self.browser.press("ArrowDown")
        self.expect(self.browser.value(FOCUS)[0] == "a", "an arrow does not lead into what was found")
        address = self.browser.value("document.activeElement.href")
        self.browser.press("Enter")
        self.browser.wait(f"location.href === {address!r} && document.readyState === 'complete'")
        self.browser.value("document.getElementById('search').focus()")
        self.browser.type("zyxwv")
        self.browser.wait(f"{said}.startsWith('Nothing')")
        self.quiet("search")


def pictures(visit, folder):
    """For people to look at."""
    folder.mkdir(parents=True, exist_ok=True)
    for kind, scheme, width in [("light", "light", 1280), ("dark", "dark", 1280), ("narrow", "light", 400)]:
        for name in KINDS:
            visit.browser.prefer(prefers_color_scheme=scheme)
            visit.browser.size(width, 1000)
            visit.open(f"{name}.html")
            visit.browser.picture(folder / f"{name}-{kind}.png")


def main(folder, *options):
    if not CHROMIUM:
        skipped("the site in a browser", "chromium is not installed")
        return 0
    browser = Browser()
    try:
        visit = Visit(folder, browser)
        # Pages of the API are all made alike: two of them.
        names = sorted(path.name for path in folder.glob("*.html") if not path.name.startswith("api-"))
        names += [name for name in ("api-StreamMap.html", "api-StreamMap-Mapper.html") if (folder / name).exists()]
        for name in names:
            visit.page(name)
        for name in KINDS:
            visit.colours(f"{name}.html")
        browser.prefer(prefers_color_scheme="light")
        visit.keyboard()
        visit.search()
        if options[:1] == ("--pictures",):
            pictures(visit, pathlib.Path(options[1]))
    finally:
        browser.close()
    for problem in visit.problems:
        print(problem, file=sys.stderr)
    print(f"site in Chromium: {len(names)} pages, {len(visit.problems)} problems", flush=True)
    return 1 if visit.problems else 0


if __name__ == "__main__":
    sys.exit(main(pathlib.Path(sys.argv[1]).resolve(), *sys.argv[2:]))
