"""Tokenizes Swift source, with enough grammar to find operators and their operands.

Relies on the formatting of swift-format, in which only binary operators have a space on both sides. CI checks the formatting.
"""

import re

PATTERN = re.compile(
    r"""(?P<space>\s+)
      | (?P<comment>//[^\n]*|/\*.*?\*/)
      | (?P<string>(?P<hash>\#*)")
      | (?P<directive>\#(?:if|elseif|else|endif)\b[^\n]*)
      | (?P<number>0x[0-9A-Fa-f_]+|0b[01_]+|0o[0-7_]+|\d[\d_]*(?:\.\d[\d_]*)?)
      | (?P<name>[@\#$]?`?[^\W\d]\w*`?|\$\d+)
      | (?P<punctuation>[()\[\]{},;:])
      | (?P<operator>[-+*/%<>=!&|^~?.\\]+)""",
    re.VERBOSE | re.DOTALL,
)

# Levels of the standard library's precedence groups, highest first (swiftlang/swift, stdlib/public/core/Policy.swift).
PRECEDENCE = {
    **dict.fromkeys(["<<", ">>", "&<<", "&>>"], 160),
    **dict.fromkeys(["*", "/", "%", "&", "&*"], 140),
    **dict.fromkeys(["+", "-", "|", "^", "&+", "&-"], 120),
    **dict.fromkeys(["...", "..<"], 100),
    "??": 90,
    **dict.fromkeys(["<", "<=", ">", ">=", "==", "!=", "===", "!==", "~="], 70),
    "&&": 60,
    "||": 50,
    "?": 40,
    **dict.fromkeys(["=", "+=", "-=", "*=", "/=", "%=", "|=", "&=", "^=", "<<=", ">>="], 30),
    "->": 20,
}
CLOSING = {"(": ")", "[": "]", "{": "}"}
# Tokens that cannot be part of an operator's left operand.
LEFT_STOPS = set(
    "return throw try await if guard while for in where case default else let var switch do catch defer unsafe repeat".split()
)
RIGHT_STOPS = {"else", "where", "in", "catch"}


class SyntaxFailure(Exception):
    """The source has a form that this module does not support."""


class Token:
    __slots__ = ("kind", "text", "start", "end", "newline", "spaced", "postfix", "partner")

    def __init__(self, kind, text, start, newline):
        self.kind, self.text, self.start, self.end = kind, text, start, start + len(text)
        self.newline = newline  # A line break precedes the token.
        self.spaced = False  # White space precedes and follows the token.
        self.postfix = False  # The token is an operator or ends a generic list, and white space follows the token but does not precede it.
        self.partner = None  # Index of the matching bracket.

    def __repr__(self):
        return f"{self.text!r}@{self.start}"

    @property
    def precedence(self):
        """Returns the precedence of a binary operator, else None. Range operators are recognised without spaces."""
        if self.text in ("as", "is"):
            return 95
        if self.kind != "operator" or not (self.spaced or self.text in ("...", "..<")):
            return None
        return PRECEDENCE.get(self.text)


def string_end(source, start):
    """Returns the index after the string literal at `start`, including its interpolations."""
    hashes = re.compile("#*").match(source, start).group()
    position = start + len(hashes)
    quote = '"""' if source.startswith('"""', position) else '"'
    position += len(quote)
    while position < len(source):
        if source.startswith("\\" + hashes, position):
            position += 1 + len(hashes)
            if source[position] != "(":
                position += 1
                continue
            depth = 0
            while True:
                if source[position] == '"':
                    position = string_end(source, position)
                    continue
                depth += {"(": 1, ")": -1}.get(source[position], 0)
                position += 1
                if depth == 0:
                    break
        elif source.startswith(quote + hashes, position):
            return position + len(quote) + len(hashes)
        else:
            position += 1
    raise SyntaxFailure("a string does not end")


# Conditions of `#if`, and whether they hold when the copy is tested.
CONDITIONS = {"hasFeature(Embedded)": False, "!hasFeature(Embedded)": True, "arch(wasm32)": False}


def tokenize(source):
    """Returns the tokens with paired brackets. Omits comments and code that `#if` excludes."""
    tokens, position, newline, active = [], 0, False, [True]
    while position < len(source):
        match = PATTERN.match(source, position)
        if not match:
            raise SyntaxFailure(f"unknown character {source[position]!r} at {position}")
        kind, text = match.lastgroup, match.group()
        if kind == "hash" or kind == "string":
            kind, text = "string", source[position : string_end(source, position)]
        if kind == "directive":
            if text.startswith("#if"):
                condition = text[3:].strip()
                if condition not in CONDITIONS:
                    raise SyntaxFailure(f"unknown condition {text}")
                active.append(CONDITIONS[condition])
            elif text.startswith("#else"):
                active[-1] = not active[-1]
            else:
                active.pop()
            newline = True
        elif kind in ("space", "comment"):
            newline = newline or "\n" in text
        elif all(active):
            tokens.append(Token(kind, text, position, newline))
            newline = False
        position += len(text)
    stack = []
    for index, token in enumerate(tokens):
        before, after = source[token.start - 1 : token.start].isspace(), source[token.end : token.end + 1].isspace()
        token.spaced, token.postfix = before and after, token.kind == "operator" and after and not before
        if token.text in CLOSING and token.kind == "punctuation":
            stack.append(index)
        elif token.text in CLOSING.values() and token.kind == "punctuation":
            opening = stack.pop()
            if CLOSING[tokens[opening].text] != token.text:
                raise SyntaxFailure(f"brackets do not match at {token.start}")
            tokens[opening].partner, token.partner = index, opening
    if stack:
        raise SyntaxFailure("a bracket stays open")
    return tokens


class Source:
    """A file's tokens, with the positions of its expressions, conditions and statements."""

    def __init__(self, text):
        self.text = text
        self.tokens = tokenize(text)
        self.bodies = {}  # index of a body's opening brace -> index of the keyword (if, while, for, switch)
        for index, token in enumerate(self.tokens):
            if token.text in ("if", "while", "for", "switch") and token.kind == "name" and not self.is_member(index) \
                    and not self.ends_repeat(index):
                self.bodies[self.find(index + 1, "{")] = index

    def is_member(self, index):
        """Returns whether a keyword-like word is a member's name or an argument's label."""
        return index > 0 and self.tokens[index - 1].text in (".", "(", ",")

    def ends_repeat(self, index):
        return index > 0 and self.tokens[index - 1].text == "}" and self.tokens[self.tokens[index - 1].partner - 1].text == "repeat"

    def find(self, index, *texts):
        """Returns the index of the first token, from `index` on, whose text is one of `texts`. Skips the contents of brackets."""
        while self.tokens[index].text not in texts:
            partner = self.tokens[index].partner
            if partner is not None and partner < index:
                raise SyntaxFailure(f"none of {texts} before {self.tokens[index]}")
            index = (partner or index) + 1
        return index

    def slice(self, first, last):
        """Returns the text of the tokens `first` to `last`, both included."""
        return self.text[self.tokens[first].start : self.tokens[last].end]

    def ends_operand(self, index):
        token = self.tokens[index]
        return token.kind in ("name", "number", "string") or token.text in (")", "]", "}") or token.postfix

    def breaks(self, index):
        """Returns whether a statement ends at the line break before the token `index`."""
        token = self.tokens[index]
        continues = token.precedence is not None or token.text.startswith(".") or token.text == ":" or token.text in (
            "else", "where", "throws", "catch")
        return token.newline and index > 0 and self.ends_operand(index - 1) and not continues

    def left(self, operator):
        """Returns the first token of an operator's left operand."""
        level, index = self.tokens[operator].precedence, operator - 1
        while index >= 0:
            token = self.tokens[index]
            if token.kind == "punctuation" and token.partner is None:
                break
            if token.partner is not None and token.partner < index:
                previous = token.partner
            elif token.kind == "punctuation" or token.text in LEFT_STOPS and not self.is_member(index):
                break
            elif token.precedence is not None and token.precedence < level:
                break
            else:
                previous = index
            if self.breaks(previous):
                return previous
            index = previous - 1
        return index + 1

    def right(self, operator):
        """Returns the last token of an operator's right operand."""
        level, index = self.tokens[operator].precedence, operator + 1
        while index < len(self.tokens):
            token = self.tokens[index]
            if index > operator + 1 and self.breaks(index):
                break
            if token.partner is not None and token.partner > index:
                if index in self.bodies:
                    break
                index = token.partner + 1
                continue
            if token.kind == "punctuation" or token.text in RIGHT_STOPS and not self.is_member(index):
                break
            if token.precedence is not None and token.precedence <= level:
                break
            index += 1
        return index - 1

    def clauses(self, keyword):
        """Returns the conditions between a keyword and its body or `else`, as pairs of first and last token."""
        stop = "else" if self.tokens[keyword].text == "guard" else "{"
        return self.split(keyword + 1, self.find(keyword + 1, stop) - 1)

    def split(self, first, last):
        start, index, parts = first, first, []
        while index <= last:
            if self.tokens[index].text == ",":
                parts.append((start, index - 1))
                start = index + 1
            index = (self.tokens[index].partner or index) + 1
        return parts + [(start, last)]

    def statement_end(self, first):
        """Returns the last token of the statement that starts at `first`."""
        index = first
        while True:
            token = self.tokens[index]
            index = (token.partner or index) + 1
            if index >= len(self.tokens) or self.tokens[index].text in ("}", ";") or self.breaks(index):
                return index - 1
            if self.tokens[index].text in ("case", "default") and self.tokens[index].newline:
                return index - 1
