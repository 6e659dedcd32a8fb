"""The links and the headings of the Markdown pages of the project."""

import os
import re


def pages(root):
    """The pages, as paths from the root: what readers are shown, not what tests have."""
    found = [name for name in os.listdir(root) if name.endswith(".md")]
    for folder in ("docs", "examples"):
        for path, _, names in os.walk(os.path.join(root, folder)):
            found += [os.path.relpath(os.path.join(path, name), root) for name in names if name.endswith(".md")]
    return sorted(found)


def without_code(text):
    """A page without its fenced blocks; code within lines is left as empty marks."""
    text = re.sub(r"^( *)```.*?^\1```$", "", text, flags=re.MULTILINE | re.DOTALL)
    return re.sub(r"(`+)(?!`).*?(?<!`)\1(?!`)", r"\1\1", text)


def links(text):
    """The targets of links and images, but for those that begin with http."""
    targets = re.findall(r"\]\(([^()\s]+)\)", without_code(text))
    return [target for target in targets if not re.match(r"https?://|mailto:", target)]


def slug(heading):
    """The name of a heading in links, as GitHub makes it."""
    heading = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading)
    return re.sub(r"[^\w\- ]", "", heading.strip().lower()).replace(" ", "-")


def anchors(text):
    """The names of the headings; of those that are there twice, only the first can be linked to."""
    text = re.sub(r"^( *)```.*?^\1```$", "", text, flags=re.MULTILINE | re.DOTALL)
    return {slug(heading) for heading in re.findall(r"^#+ +(.*?)#*$", text, re.MULTILINE)}
