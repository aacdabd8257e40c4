"""Reads the formula lines of a Swift function as rational functions, so that a changed line is what gets proven (or fails).

A body is a list of statements, one a line. `let a = e, b = f` and `A = e` are evaluated; every other line must be named by the
caller with what to do about it, or the reading stops.
"""

import re

import sympy


class Unreadable(Exception):
    pass


def body(source, signature):
    """The lines of the function whose declaration contains `signature`, without comments and indentation."""
    places = [m.start() for m in re.finditer(re.escape(signature), source)]
    if len(places) != 1:
        raise Unreadable(f"{len(places)} declarations of {signature}")
    start = source.index("{", places[0])
    depth = 0
    for end in range(start, len(source)):
        depth += {"{": 1, "}": -1}.get(source[end], 0)
        if depth == 0:
            break
    lines = [re.sub(r"//.*", "", line).strip() for line in source[start + 1 : end].split("\n")]
    return [line for line in lines if line]


class Expression:
    """+, −, *, parentheses, and the methods of PrimeField that are polynomials."""

    METHODS = {
        "inlineProduct": lambda a, b: a * b,
        "inlineSquare": lambda a: a**2,
        "fullProduct": lambda a, b: a * b,
        "fullSquare": lambda a: a**2,
        "squared": lambda a: a**2,
        "halved": lambda a: a / 2,
        "doubled": lambda a: 2 * a,
        "negated": lambda a: -a,
        "invertedVarTime": lambda a: 1 / a,
    }

    def __init__(self, text, names):
        self.tokens = re.findall(r"\w+(?:\.\w+)*|\S", text)
        self.names, self.position = names, 0

    def peek(self):
        return self.tokens[self.position] if self.position < len(self.tokens) else None

    def next(self, expected=None):
        token = self.peek()
        if token is None or (expected is not None and token != expected):
            raise Unreadable(f"{expected} expected, {token} found")
        self.position += 1
        return token

    def value(self):
        result = self.sum()
        if self.peek() is not None:
            raise Unreadable("what follows an expression: " + self.peek())
        return result

    def sum(self):
        result = self.product()
        while self.peek() in ("+", "-"):
            result = result + self.product() if self.next() == "+" else result - self.product()
        return result

    def product(self):
        result = self.factor()
        while self.peek() == "*":
            self.next()
            result = result * self.factor()
        return result

    def factor(self):
        if self.peek() == ".":  # a static member of the field
            self.next()
            result = self.static(self.next())
        elif self.peek() == "(":
            self.next()
            result = self.sum()
            self.next(")")
        else:
            result = self.name(self.next())
        while self.peek() == ".":
            self.next()
            result = self.method(result, self.next())
        return result

    def name(self, token):
        if token in self.names:
            return self.names[token]
        head, _, method = token.rpartition(".")
        if head and method in self.METHODS and self.peek() == "(":
            return self.method(self.name(head), method)
        raise Unreadable("name " + token)

    def static(self, name):
        if name == "one":
            return sympy.Integer(1)
        if name != "reducedDifference":
            raise Unreadable("static member " + name)
        t, u = self.arguments()
        return t - u

    def method(self, receiver, name):
        if name not in self.METHODS:
            raise Unreadable("method " + name)
        return self.METHODS[name](receiver, *self.arguments())

    def arguments(self):
        self.next("(")
        arguments = []
        while self.peek() != ")":
            arguments.append(self.sum())
            if self.peek() == ",":
                self.next()
        self.next(")")
        return arguments


def definitions(text):
    """`a = e, b = f` -> [(a, e), (b, f)]: the commas outside of parentheses."""
    parts, depth, current = [], 0, ""
    for c in text:
        depth += {"(": 1, ")": -1}.get(c, 0)
        if c == "," and depth == 0:
            parts.append(current)
            current = ""
        else:
            current += c
    parts.append(current)
    return [tuple(s.strip() for s in p.split("=", 1)) for p in parts]


def run(lines, names, special=None, expand=sympy.expand):
    """Evaluates the lines in order. `special`: line -> function of names, for the lines that are no formulas."""
    special = dict(special or {})
    used = set()
    for line in lines:
        if line in special:
            used.add(line)
            if special[line] is not None and special[line](names) == "stop":
                break
            continue
        m = re.match(r"(?:let |var )?(\w[\w.]* = .*)$", line)
        if not m:
            raise Unreadable("line: " + line)
        for name, text in definitions(m[1]):
            names[name] = expand(Expression(text, names).value()) if "/" not in text else None
    if set(special) - used:
        raise Unreadable(f"lines that are gone: {set(special) - used}")
    return names
