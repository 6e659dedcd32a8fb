"""Checks that the links of the documentation lead somewhere, and that the navigation of the site has every page.

usage: check_links.py ROOT

Prints each fault, with its page; exit 1 if there is one.
"""

import os
import re
import sys

from markdown_links import anchors, links, pages


def read(root, path):
    with open(os.path.join(root, path), encoding="utf-8") as file:
        return file.read()


def check_link(root, page, link):
    """What is wrong with a link of a page, or None."""
    path, _, anchor = link.partition("#")
    if path.startswith("/"):
        return "expected a relative path"
    target = os.path.normpath(os.path.join(os.path.dirname(page), path)) if path else page
    if target.startswith(".."):
        return "leads out of the project"
    if not os.path.exists(os.path.join(root, target)):
        return f"there is no {target}"
    if anchor and not target.endswith(".md"):
        return f"{target} has no headings"
    if anchor and anchor not in anchors(read(root, target)):
        return f"{target} has no heading '{anchor}'"
    return None


def check_navigation(root, found):
    named = re.findall(r"^ +- .*: (\S+\.md)$", read(root, "mkdocs.yml"), re.MULTILINE)
    wrong = [f"mkdocs.yml: the navigation lacks {page}" for page in found if page not in named]
    wrong += [f"mkdocs.yml: there is no {page}" for page in named if page not in found]
    return wrong


def main(root):
    found = pages(root)
    wrong = []
    for page in found:
        for link in links(read(root, page)):
            fault = check_link(root, page, link)
            if fault:
                wrong.append(f"{page}: link to '{link}': {fault}")
    wrong += check_navigation(root, found)
    print("\n".join(wrong))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
