"""Where a C++ source can be mutated, and into what: single changes that a test should notice.

Works on the text: tokens with their places, without comments, strings, preprocessor lines and what makes messages. Some
of what is drawn does not compile; the caller draws again.
"""

import collections
import re

Token = collections.namedtuple("Token", "kind text begin end line")
# The change of text[begin:end] to `new`; what of it stands in `line` is for reports.
Mutation = collections.namedtuple("Mutation", "operator begin end new line")

PATTERN = re.compile(
    r"""(?P<skip>\s+|//[^\n]*|/\*.*?\*/)
    |(?P<directive>^[ \t]*\#(?:[^\n\\]|\\.|\\\n)*)
    |(?P<raw>(?:u8|[uUL])?R"(?P<mark>[^(]*)\(.*?\)(?P=mark)")
    |(?P<string>(?:u8|[uUL])?"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*')
    |(?P<number>\.?\d(?:[eEpP][+-]|['\w.])*)
    |(?P<name>[A-Za-z_]\w*)
    |(?P<sign><=>|<<=|>>=|->\*|\.\.\.|::|->|\+\+|--|&&|\|\||[-+*/%&|^!=<>]=|<<|>>|.)""",
    re.VERBOSE | re.DOTALL | re.MULTILINE,
)
# Behind one of these a statement makes a message, or checks what cannot be.
MESSAGES = re.compile(
    r"(?:emit\w*|report)(?:Error|Warning|Remark)|report|notifyMatchFailure|create(?:String|File)Error|make_error|remark|diag\w*|assert|llvm_unreachable"
    r"|static_assert|LLVM_DEBUG|fail|error|errs|note|attachNote|formatv|describe\w*"
)
RELATIONS = {"<": "<=", "<=": "<", ">": ">=", ">=": ">", "==": "!=", "!=": "=="}
SIGNS = {"+": "-", "-": "+", "+=": "-=", "-=": "+="}
LOGIC = {"&&": "||", "||": "&&"}
OPENING, CLOSING = {"(": ")", "[": "]", "{": "}"}, set(")]}")
NO_CALL = {"if", "for", "while", "switch", "return", "sizeof", "alignof", "decltype", "catch", "else", "case", "delete", "new", "throw", "using", "typedef", "template", "static_assert", "co_return"}


def tokenize(text):
    tokens, line, last = [], 1, 0
    for match in PATTERN.finditer(text):
        line += text.count("\n", last, match.start())
        last = match.start()
        kind = match.lastgroup if match.lastgroup != "mark" else "raw"
        if kind not in ("skip", "directive"):
            tokens.append(Token(kind, match[0], match.start(), match.end(), line))
    return tokens


class Source:
    """A text, its tokens, and the partners of its brackets."""

    def __init__(self, text):
        self.text, self.tokens = text, tokenize(text)
        self.partner = {}
        stack = []
        for i, token in enumerate(self.tokens):
            if token.kind == "sign" and token.text in OPENING:
                stack.append(i)
            elif token.kind == "sign" and token.text in CLOSING and stack:
                self.partner[stack[-1]] = i
                self.partner[i] = stack.pop()
        self.is_message = self.find_messages()

    def find_messages(self):
        """Per token, whether it is part of a message."""
        flags, inside = [], False
        for token in self.tokens:
            if token.text in (";", "{", "}"):
                inside = False
            elif token.kind == "name" and MESSAGES.fullmatch(token.text):
                inside = True
            flags.append(inside)
        return flags

    def is_spaced(self, token):
        """A binary operator; of brackets of templates, and signs, one side at least has no space."""
        return self.text[token.begin - 1].isspace() and self.text[token.end : token.end + 1].isspace()

    def slice(self, first, last):
        return self.text[self.tokens[first].begin : self.tokens[last].end]

    def split(self, opening):
        """The arguments between brackets: pairs of their first and last token."""
        closing, parts, first, i = self.partner[opening], [], opening + 1, opening + 1
        while i < closing:
            if i in self.partner and self.partner[i] > i:
                i = self.partner[i]
            elif self.tokens[i].text == ",":
                parts.append((first, i - 1))
                first = i + 1
            i += 1
        return parts + [(first, closing - 1)] if closing > opening + 1 else []

    # Operators --------------------------------------------------------------------------------------------------------

    def replace(self, operator, first, last, new):
        a, b = self.tokens[first], self.tokens[last]
        return Mutation(operator, a.begin, b.end, new, a.line)

    def mutations(self):
        """All of the text, by line."""
        found = collections.defaultdict(list)
        for i, token in enumerate(self.tokens):
            if not self.is_message[i]:
                for mutation in self.at(i, token):
                    found[mutation.line].append(mutation)
        return found

    def at(self, i, token):
        if token.kind == "sign":
            for name, table in (("relation", RELATIONS), ("sign", SIGNS), ("logic", LOGIC)):
                if token.text in table and self.is_spaced(token):
                    yield self.replace(name, i, i, table[token.text])
        elif token.kind == "number" and re.fullmatch(r"\d+[uUlL]*", token.text):
            yield from self.constant(i, token)
        elif token.text in ("true", "false"):
            yield self.replace("boolean", i, i, "false" if token.text == "true" else "true")
        elif token.text == "if":
            yield from self.condition(i)
        elif token.kind == "name" and token.text not in NO_CALL:
            yield from self.statement(i)
            yield from self.swap(i)

    def constant(self, i, token):
        # Sizes in templates, of what lies inline, change no result.
        if self.tokens[i + 1].text in (">", ">>") and not self.is_spaced(self.tokens[i + 1]):
            return
        digits = re.match(r"\d+", token.text)[0]
        value, suffix = int(digits, 8 if len(digits) > 1 and digits[0] == "0" else 10), token.text[len(digits) :]
        yield self.replace("constant", i, i, f"{value + 1}{suffix}")
        if value > 1:
            yield self.replace("constant", i, i, f"{value - 1}{suffix}")

    def condition(self, i):
        opening = i + 1
        if self.tokens[opening].text != "(" or opening not in self.partner:
            return
        closing = self.partner[opening]
        inner = self.tokens[opening + 1 : closing]
        if inner and not any(token.text in (";", "=") for token in inner):
            yield self.replace("condition", opening, closing, f"(!{self.slice(opening, closing)})")

    def statement(self, i):
        """The removal of a call that is a statement."""
        if i == 0 or self.tokens[i - 1].text not in (";", "{", "}", ")", "else"):
            return
        end = i
        while self.tokens[end].text not in (";", "{", "}") and end + 1 < len(self.tokens):
            if self.tokens[end].text in ("=", "+=", "-=", "<<") or self.is_message[end]:
                return
            end = self.partner.get(end, end) + 1 if self.partner.get(end, end) > end else end + 1
        words = self.slice(i, end - 1) if end > i else ""
        # A name, and what is called of it; not a declaration.
        if self.tokens[end].text == ";" and re.match(r"[\w:.]+(?:->[\w.]+|\(\)|\[\w+\])*\(", words) and words.endswith(")"):
            yield self.replace("removal", i, end, ";")

    def swap(self, i):
        opening = i + 1
        # Those of std::swap change places anyway.
        if self.tokens[i].text == "swap" or opening >= len(self.tokens) or self.tokens[opening].text != "(" or opening not in self.partner:
            return
        parts = self.split(opening)
        for (a, b), (c, d) in zip(parts, parts[1:]):
            first, second = self.slice(a, b), self.slice(c, d)
            # Not of declarations, lambdas, strings.
            is_split = any(part.count("<") != part.count(">") for part in (first, second))
            if first != second and not is_split and not any(re.search(r'["{}]|\w [\w*&]|\[[&=]|\]\(', part) for part in (first, second)):
                yield self.replace("arguments", a, d, f"{second}, {first}")


def apply(text, mutation):
    return text[: mutation.begin] + mutation.new + text[mutation.end :]
