"""Fenced blocks of Markdown."""

import re

FENCED = re.compile(r'^( *)```(\w*)(?: title="([^"\n]*)")?[^\n]*\n(.*?)^\1```$', re.MULTILINE | re.DOTALL)


def blocks(text):
    """Yields the language, the title and the lines of each fenced block."""
    for indent, language, title, content in FENCED.findall(text):
        yield language, title, [line.removeprefix(indent) for line in content.splitlines()]
