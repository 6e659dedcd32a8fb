"""Checks the site: every link within it leads to a file and to a place in it, and nothing is loaded from elsewhere.

usage: check_site.py SITE
"""

import os
import sys
from html.parser import HTMLParser
from urllib.parse import unquote, urlsplit


class Page(HTMLParser):
    """The names of a page that links may have, what it links to, and what it loads."""

    def __init__(self, path):
        super().__init__()
        self.names, self.links, self.loads = set(), [], []
        with open(path, encoding="utf-8") as file:
            self.feed(file.read())

    def handle_starttag(self, tag, attrs):
        attrs = dict(attrs)
        self.names |= {attrs[key] for key in ("id", "name") if attrs.get(key)}
        if tag == "a" and attrs.get("href"):
            self.links.append(attrs["href"])
        if tag == "link" and attrs.get("href") or attrs.get("src"):
            self.loads.append(attrs.get("src") or attrs["href"])


def resolve(site, page, link):
    """The file that a link of a page leads to."""
    path = unquote(urlsplit(link).path)
    target = os.path.normpath(os.path.join(os.path.dirname(page), path)) if path else page
    return os.path.join(target, "index.html") if os.path.isdir(target) else target


def main(site):
    files = [os.path.join(folder, name) for folder, _, names in os.walk(site) for name in names]
    found = {file: Page(file) for file in files if file.endswith(".html") and not file.endswith("404.html")}
    wrong = []
    for file, page in found.items():
        for link in page.links + page.loads:
            if urlsplit(link).scheme or link.startswith("//"):
                if link in page.loads:
                    wrong.append(f"{file}: loads {link}")
                continue
            target, name = resolve(site, file, link), unquote(urlsplit(link).fragment)
            if not os.path.exists(target):
                wrong.append(f"{file}: link to '{link}': there is no {target}")
            elif name and not name.startswith("__") and name not in found[target].names:
                wrong.append(f"{file}: link to '{link}': {target} has no '{name}'")
    print(f"{len(found)} pages", *wrong, sep="\n")
    return 1 if wrong or not found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
