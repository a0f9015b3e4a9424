#!/usr/bin/env python3
"""Each public symbol stands under a topic of the documentation (that scripts/docs has made).

DocC lists a symbol that no page curates in a group of its own making ("Structures", "Instance Methods"). A type of few members
needs no topics: a reader takes them in at a glance. But a page that has topics has all its symbols under them. What a type gets
from its conformances is not ours to sort.
"""

import json
import pathlib
import sys

from house import ROOT, skipped  # noqa: E402

FEW = 7
# Groups that DocC makes of what is inherited, and of other modules' types that are extended.
INHERITED = {"Default Implementations", "Extended Modules", "Extended Structures", "Extended Enumerations",
             "Extended Protocols", "Extended Types"}


def uncurated(page):
    """The names of the members of a page that belong under a topic and are under none."""
    # A group of inherited members has a page of its own, too.
    if page["metadata"].get("role") == "collectionGroup":
        return []
    names = []
    has_topics = page["metadata"].get("role") == "collection"
    for section in page.get("topicSections", []):
        if not section.get("generated"):
            has_topics = True
        elif section["title"] not in INHERITED:
            names += [page["references"][identifier]["title"] for identifier in section["identifiers"]]
    return names if has_topics or len(names) > FEW else []


def main():
    pages = 0
    failures = 0
    archives = sorted(ROOT.glob(".build-docs/*.doccarchive"))
    if not archives:
        skipped("topics", "there is no documentation: scripts/docs")
        return
    for archive in archives:
        root = archive / "data" / "documentation"
        for path in sorted(root.rglob("*.json")):
            page = json.loads(path.read_text(encoding="utf-8"))
            pages += 1
            names = uncurated(page)
            if names:
                failures += 1
                title = page["metadata"]["title"]
                print(f"{archive.name}: {title}: under no topic: {', '.join(names)}", file=sys.stderr)
    if pages == 0:
        sys.exit("topics: the archives have no page")
    if failures:
        sys.exit(1)
    print(f"topics: {pages} pages, each public symbol under a topic")


if __name__ == "__main__":
    main()
