"""Parses functions of this package's Swift sources: only the statements and expressions that compute points.

`swift_run.py` runs the resulting tree, so the proofs contain no copy of the code and do not depend on the code's layout. An unknown token or construct ends the
parse with `Unreadable`.

Nodes are tuples that begin with their kind:

    ("let", names, value)  ("assign", target, value)  ("evaluate", value)  ("return", value or None)
    ("if", [(name or None, value)], body, otherwise)  ("for", name, values, body)  ("while", condition, body)

    ("number", n)  ("nil",)  ("name", text)  ("member", receiver or None, name)  ("subscript", receiver, index)
    ("call", callee, ((label or "_", value) …))  ("binary", operator, left, right)
    ("ternary", condition, if true, if false)  ("tuple", values)  ("reference", value)  ("closure", body)
    ("generic", name, arguments' text)  ("array of", text)

Trusted: the tree represents the text as Swift parses it (precedence, labels, closures).
"""

import re
from dataclasses import dataclass

TOKEN = re.compile(
    r"(?P<generic>[A-Za-z_]\w*<[\w\s,.]*>(?=\())|(?P<number>0x[0-9a-fA-F_]+|\d[\d_]*)|(?P<name>\$?\w+)"
    r"|(?P<operator>\.\.<|&<<|&>>|<<|>>|&\+|&-|&\*|\?\?|\|\||&&|==|!=|<=|>=|->|\+=|-=|[-+*/<>=?:,.(){}\[\]&!])|(?P<space>[ \t]+)|(?P<newline>\n)")
LEVELS = (("||",), ("&&",), ("==", "!=", "<", ">", "<=", ">="), ("??",), ("..<",), ("+", "-", "&+", "&-"), ("*", "/", "&*"), ("<<", ">>", "&<<", "&>>"))


CONDITIONS = {"hasFeature(Embedded)": False, "!hasFeature(Embedded)": True, "arch(wasm32)": False}


class Unreadable(Exception):
    pass


@dataclass
class Token:
    kind: str
    text: str
    after_newline: bool


@dataclass
class Function:
    name: str
    labels: tuple  # argument labels, "_" for none
    parameters: tuple  # parameter names
    body: list


def matching(text, start, pairs="()"):
    """Returns the position after the bracket that closes the bracket at `start`."""
    depth = 0
    for position in range(start, len(text)):
        depth += {pairs[0]: 1, pairs[1]: -1}.get(text[position], 0)
        if depth == 0:
            return position + 1
    raise Unreadable("a bracket without its other")


def parameters(text):
    """Returns [(label, name)] of a parameter list."""
    found, depth, current = [], 0, ""
    for character in text.replace("->", "→") + ",":
        depth += {"(": 1, "<": 1, "[": 1, ")": -1, ">": -1, "]": -1}.get(character, 0)
        if character == "," and depth == 0:
            if current.strip():
                names = current.split(":")[0].split()
                found.append((names[0], names[-1]))
            current = ""
        else:
            current += character
    return found


def configured(source):
    """Returns the source without comments. Keeps only the branch of each `#if` that is compiled for this machine."""
    lines, holding = [], [True]
    for line in source.split("\n"):
        directive = re.match(r"\s*#(if|else|endif)\b\s*(.*)", line)
        if not directive:
            if all(holding):
                lines.append(re.sub(r"//.*", "", line))
        elif directive[1] == "if":
            if directive[2] not in CONDITIONS:
                raise Unreadable("#if " + directive[2])
            holding.append(CONDITIONS[directive[2]])
        elif directive[1] == "else":
            holding[-1] = not holding[-1]
        else:
            holding.pop()
    return "\n".join(lines)


def function(source, name, *labels):
    """Parses the function or initialiser with this name and these labels, or the computed property with this name. There must be exactly one."""
    source, found = configured(source), []
    keyword = r"(?<!\.)\b" + ("init" if name == "init" else rf"(?:func|var) {name}\b")
    for declared in re.finditer(keyword + r"\??(?:<[^>]*>)?", source):
        kind = declared[0].split()[0]
        position, given = declared.end(), []
        if kind == "var" and not re.match(r":[^={\n]*\{", source[position:]):  # a stored property
            continue
        if kind != "var":
            end = matching(source, position)
            given, position = parameters(source[position + 1 : end - 1]), end
        else:
            position = source.index("{", position)
        if tuple(label for label, _ in given) == labels:
            start = source.index("{", position)
            body = source[start + 1 : matching(source, start, "{}") - 1]
            found.append(Function(name, labels, tuple(given_name for _, given_name in given), body))
    if len(found) != 1:
        raise Unreadable(f"{len(found)} declarations of {name}({':'.join(labels)})")
    found[0].body = Parser(found[0].body).statements()
    return found[0]


class Parser:
    def __init__(self, text):
        self.tokens, self.position, self.depth = [], 0, 0
        at, newline = 0, True
        while at < len(text):
            m = TOKEN.match(text, at)
            if not m:
                raise Unreadable("the character " + text[at])
            at = m.end()
            if m.lastgroup == "newline":
                newline = True
            elif m.lastgroup != "space":
                self.tokens.append(Token(m.lastgroup, m[0], newline))
                newline = False

    # Tokens

    def peek(self, ahead=0):
        place = self.position + ahead
        return self.tokens[place].text if place < len(self.tokens) else None

    def continues(self):
        """Returns whether the expression may continue at the next token: within brackets always, otherwise only on the same line."""
        return self.position < len(self.tokens) and (self.depth > 0 or not self.tokens[self.position].after_newline)

    def take(self, expected=None):
        text = self.peek()
        if text is None or expected not in (None, text):
            raise Unreadable(f"{expected} expected, {text} found")
        self.position += 1
        return text

    def take_name(self):
        if self.position == len(self.tokens) or self.tokens[self.position].kind != "name":
            raise Unreadable(f"a name expected, {self.peek()} found")
        return self.take()

    # Statements

    def statements(self, end=None):
        found = []
        while self.peek() != end:
            found += self.statement()
            if self.continues() and self.peek() != end:
                raise Unreadable("a second statement on a line: " + self.peek())
        if end is not None:
            self.take(end)
        return found

    def block(self):
        depth, self.depth = self.depth, 0
        self.take("{")
        body = self.statements("}")
        self.depth = depth
        return body

    def statement(self):
        """Parses a statement. A declaration of several names becomes several statements, one for each name."""
        start = self.peek()
        if start in ("let", "var"):
            return self.declarations()
        if start == "if":
            return [self.conditional()]
        if start == "for":
            self.take()
            name = self.take_name()
            self.take("in")
            return [("for", name, self.expression(), self.block())]
        if start == "while":
            self.take()
            return [("while", self.expression(), self.block())]
        if start == "return":
            self.take()
            return [("return", self.expression() if self.continues() and self.peek() != "}" else None)]
        target = self.expression()
        if self.peek() == "=" and self.continues():
            self.take()
            return [("assign", target, self.expression())]
        if self.peek() in ("+=", "-=") and self.continues():
            return [("assign", target, ("binary", self.take()[0], target, self.expression()))]
        return [("evaluate", target)]

    def declarations(self):
        self.take()
        found = []
        while True:
            if self.peek() == "(":
                self.take()
                names = [self.take_name()]
                while self.peek() == ",":
                    self.take()
                    names.append(self.take_name())
                self.take(")")
            else:
                names = self.take_name()
            self.take("=")
            found.append(("let", names, self.expression()))
            if self.peek() != "," or not self.continues():
                return found
            self.take()

    def conditional(self):
        self.take("if")
        conditions = []
        while True:
            name = None
            if self.peek() == "let":
                self.take()
                name = self.take_name()
                self.take("=")
            conditions.append((name, self.expression()))
            if self.peek() != ",":
                break
            self.take()
        body, otherwise = self.block(), []
        if self.peek() == "else":
            self.take()
            otherwise = [self.conditional()] if self.peek() == "if" else self.block()
        return ("if", conditions, body, otherwise)

    # Expressions

    def expression(self):
        condition = self.binary(0)
        if self.peek() != "?" or not self.continues():
            return condition
        self.take()
        if_true = self.expression()
        self.take(":")
        return ("ternary", condition, if_true, self.expression())

    def binary(self, level):
        if level == len(LEVELS):
            return self.postfix()
        left = self.binary(level + 1)
        while self.continues() and self.peek() in LEVELS[level]:
            operator = self.take()
            left = ("binary", operator, left, self.binary(level + 1))
        return left

    def postfix(self):
        found = self.primary()
        while self.continues():
            if self.peek() == ".":
                self.take()
                found = ("member", found, self.take_name())
            elif self.peek() == "(":
                found = ("call", found, self.arguments())
            elif self.peek() == "[":
                found = ("subscript", found, self.bracketed("[", "]"))
            elif self.peek() == "{" and found[0] == "member" and found[2] in ("map",):
                found = ("call", found, (("_", ("closure", self.block())),))
            else:
                break
        return found

    def bracketed(self, start, end):
        self.take(start)
        self.depth += 1
        found = self.expression()
        self.depth -= 1
        self.take(end)
        return found

    def arguments(self):
        self.take("(")
        self.depth += 1
        found = []
        while self.peek() != ")":
            label = "_"
            if self.peek(1) == ":" and self.tokens[self.position].kind == "name":
                label = self.take_name()
                self.take(":")
            found.append((label, self.expression()))
            if self.peek() == ",":
                self.take()
        self.depth -= 1
        self.take(")")
        return tuple(found)

    def primary(self):
        if self.position == len(self.tokens):
            raise Unreadable("an expression expected")
        token = self.tokens[self.position]
        if token.kind == "generic":
            name, _, rest = self.take().partition("<")
            return ("generic", name, rest[:-1])
        if token.kind == "number":
            return ("number", int(self.take().replace("_", ""), 0))
        if token.kind == "name":
            return ("nil",) if self.take() == "nil" else ("name", token.text)
        if token.text == ".":
            self.take()
            return ("member", None, self.take_name())
        if token.text == "&":
            self.take()
            return ("reference", self.postfix())
        if token.text == "[":  # here, a bracket is always part of an array type
            start = self.position
            while self.take() != "]":
                pass
            return ("array of", "".join(t.text for t in self.tokens[start + 1 : self.position - 1]))
        if token.text == "(":
            values = tuple(value for _, value in self.arguments())
            return values[0] if len(values) == 1 else ("tuple", values)
        raise Unreadable("what begins with " + token.text)
