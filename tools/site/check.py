# SPDX-FileCopyrightText: 2026 The tern authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Checks HTML: links and anchors lead somewhere, nothing is loaded from elsewhere, no text was taken for an element."""
import html.parser
import os
import re
import urllib.parse

ELEMENTS = set("""a abbr article aside b body br button circle code dd defs details div dl dt em footer form g h1 h2 h3 h4 h5 h6
head header hr html i img input kbd label li line link main meta nav noscript ol option p path pre rect script section select
small span strong style sub summary sup svg table tbody td template text tfoot th thead title tr ul""".split())
LOADS = {"script": "src", "img": "src", "link": "href", "iframe": "src", "source": "src"}


class Page(html.parser.HTMLParser):
    def __init__(self, text):
        super().__init__()
        self.ids, self.links, self.loaded, self.unknown = set(), [], [], []
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        attrs = dict(attrs)
        if tag not in ELEMENTS:
            self.unknown.append(tag)
        self.ids.update(value for key in ("id", "name") if (value := attrs.get(key)))
        if tag == "a" and attrs.get("href"):
            self.links.append(attrs["href"])
        if (target := attrs.get(LOADS.get(tag))) and attrs.get("rel") not in ("next", "prev", "canonical"):
            self.loaded.append(target)


def errors(folder):
    found = []
    parsed = {path: Page(path.read_text(encoding="utf-8")) for path in sorted(folder.rglob("*.html"))}
    for path, page in parsed.items():
        if path.name == "404.html":  # its links are those of a server's root
            continue
        where = path.relative_to(folder)
        found += [f"{where}: an element <{tag}>: put it in backticks" for tag in page.unknown]
        found += [f"{where}: loads {target}" for target in page.loaded if re.match(r"(\w+:)?//", target)]
        for target in [*page.links, *page.loaded]:
            if re.match(r"[a-z]+:|//", target):
                continue
            name, _, anchor = urllib.parse.unquote(target).partition("#")
            name = name.partition("?")[0]
            goal = path.parent.joinpath(name) if name else path
            goal = type(path)(os.path.normpath(goal))
            if not goal.is_file() or not goal.is_relative_to(folder):
                found.append(f"{where}: {target}: there is no such file")
            elif anchor and goal in parsed and anchor not in parsed[goal].ids:
                found.append(f"{where}: {target}: there is no such anchor")
    return found
