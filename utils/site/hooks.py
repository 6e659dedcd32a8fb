"""Hooks of mkdocs that make the site of the files where they lie (mkdocs.yml).

The site has the layout of the project, so that relative links lead to the same places in both. Files that a page links
to are there as they are, folders as a page that lists them.
"""

import os
import re
import sys

from mkdocs.structure.files import File, Files

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
sys.path.insert(0, HERE)
from markdown_links import links, pages  # noqa: E402


def linked(page, text):
    """The files and folders of the project that a page links to."""
    for link in links(text):
        path = link.partition("#")[0]
        if path:
            yield os.path.normpath(os.path.join(os.path.dirname(page), path))


def page_of(path):
    """The page that stands for a folder, or the file itself."""
    if not os.path.isdir(os.path.join(ROOT, path)):
        return path
    readme = os.path.join(path, "README.md")
    return readme if os.path.exists(os.path.join(ROOT, readme)) else os.path.join(path, "index.md")


def list_folder(folder, target):
    """Writes a page that lists the files of a folder."""
    names = sorted(name for name in os.listdir(os.path.join(ROOT, folder)) if not name.startswith((".", "__")))
    os.makedirs(os.path.dirname(target), exist_ok=True)
    with open(target, "w", encoding="utf-8") as file:
        file.write("\n".join([f"# {folder}", "", *(f"- [{name}]({name})" for name in names), ""]))


def on_files(files, config):
    """What the site consists of: the pages, what they link to, and the files of the theme."""
    listings = os.path.join(os.path.dirname(config["site_dir"]), "site-listings")
    result = [file for file in files if not file.abs_src_path.startswith(config["docs_dir"] + os.sep)]
    todo, done = pages(ROOT), set()
    while todo:
        target = todo.pop()
        path = page_of(target)
        if path in done or not os.path.exists(os.path.join(ROOT, target)):
            continue  # mkdocs warns of links that lead nowhere.
        done.add(path)
        source = ROOT
        if not os.path.exists(os.path.join(ROOT, path)):
            source = listings
            list_folder(target, os.path.join(listings, path))
        result.append(File(path, source, config["site_dir"], config["use_directory_urls"]))
        if path.endswith(".md"):
            with open(os.path.join(source, path), encoding="utf-8") as file:
                todo += linked(path, file.read())
    return Files(result)


def links_to_folders(text, page):
    """Links to folders become links to their pages."""

    def replaced(match):
        target = os.path.normpath(os.path.join(os.path.dirname(page), match[1]))
        if match[1].startswith("#") or not os.path.isdir(os.path.join(ROOT, target)):
            return match[0]
        return f"]({os.path.relpath(page_of(target), os.path.dirname(page) or '.')})"

    return re.sub(r"\]\(([^()\s:]+)\)", replaced, text)


def separate_lists(text):
    """On GitHub a list may follow the line before it; Python-Markdown wants an empty line between them."""
    result, fenced = [], False
    for line in text.split("\n"):
        fenced ^= bool(re.match(r" *```", line))
        item = r"([-*]|\d+\.) "
        before = result[-1] if result else ""
        if not fenced and re.match(item, line) and before and not re.match(item + r"| ", before):
            result.append("")
        result.append(line)
    return "\n".join(result)


def on_page_markdown(markdown, page, config, files):
    return separate_lists(links_to_folders(markdown, page.file.src_path))
