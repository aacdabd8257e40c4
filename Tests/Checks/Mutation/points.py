"""Finds possible changes in a Swift file, and writes the file with every change behind a switch (mutant schemata).

A change is an alternative for a span of the source. `rewrite` replaces the span with `(_mutant(17) ? alternative : original)`. One build therefore contains all
mutants. A statement becomes `if !_mutant(18) { … }`, and a number becomes `_either(19, 4, 5)`. For an operator, the first
form would repeat the operands, which makes the type checker too slow. `rewrite` therefore inserts a new operator, whose name encodes the mutant's number.
`declaration` declares this operator.
"""

import collections
import hashlib
import re

from tokens import PRECEDENCE, Source

FLIPPED = {"<": "<=", "<=": "<", ">": ">=", ">=": ">", "==": "!=", "!=": "=="}
ARITHMETIC = {"+": "-", "-": "+", "&+": "&-", "&-": "&+", "*": "/", "/": "*", "%": "/", "<<": ">>", ">>": "<<", "&": "|", "|": "&"}
ASSIGNMENTS = {"=", "+=", "-=", "*=", "/=", "|=", "&=", "^=", "<<=", ">>="}
# An array literal with at least this many numbers is a table. The numbers in tables are not mutated.
TABLE_LENGTH = 12
STATEMENT_KEYWORDS = set(
    "return throw if guard while for switch case default do let var func init struct enum extension import defer break continue"
    " static private fileprivate public package internal mutating protocol typealias associatedtype indirect else catch subscript in"
    " repeat deinit class nonisolated lazy override convenience required final"
    .split())


class Mutant:
    """One change: `kind`, the span, its text and the replacement. `alternative` is None for a removed statement."""

    def __init__(self, kind, file, function, start, end, original, alternative):
        self.kind, self.file, self.function = kind, file, function
        self.start, self.end = start, end
        self.original, self.alternative = original, alternative
        self.operator = None  # (original, replacement), if the span is an operator
        self.number = self.identity = None

    def shown(self):
        if self.operator:
            return self.operator[1]
        if self.alternative is None:
            return "removed"
        return "negated" if self.alternative.startswith("!(") else flat(self.alternative)

    def name(self):
        """Returns the mutant's name. Only equal mutants of the same function have the same name."""
        original = flat(self.original)
        shortened = original if len(original) <= 100 else original[:99] + "…"
        return f"{self.file}: {self.function}: {self.kind}: {shortened} → {self.shown()}"


def flat(text):
    return re.sub(r"\s+", " ", re.sub(r"//[^\n]*", "", text)).strip()


class Points:
    """The mutants of a file, and the number of changes that are omitted for each reason."""

    def __init__(self, file, text):
        self.file, self.source = file, Source(text)
        self.tokens = self.source.tokens
        self.functions = self.name_functions()
        self.mutants, self.left_out = [], collections.Counter()
        self.conditions()
        self.operators()
        self.literals()
        self.statements()
        self.identify()

    def name_functions(self):
        """Returns each token's enclosing declaration, such as `DERReader.enter(_:)`."""
        names, stack = [], []
        for index, token in enumerate(self.tokens):
            if token.text == "{" and token.kind == "punctuation":
                stack.append(self.declared(index))
            names.append(".".join(n for n in stack if n) or "-")
            if token.text == "}" and token.kind == "punctuation":
                stack.pop()
        return names

    def declared(self, brace):
        """Returns the name of the declaration whose body starts at `brace`, or None for other braces."""
        index = brace
        while index > 0:
            previous = index - 1
            token = self.tokens[previous]
            if token.partner is not None and token.partner < previous:
                if token.text == "}" or self.source.breaks(index):
                    break
                previous = token.partner
            elif token.kind == "punctuation" and token.text in "({[;":
                break
            elif self.source.breaks(index) and token.text != ",":
                break
            index = previous
        while index < brace:
            text = self.tokens[index].text
            if text in ("if", "guard", "while", "for", "switch", "case", "="):
                return None
            if text in ("struct", "enum", "extension", "class", "protocol", "var", "let"):
                return self.tokens[index + 1].text
            if text in ("func", "init", "subscript"):
                name = text if text != "func" else self.tokens[index + 1].text
                return name + self.labels(self.source.find(index, "("))
            index = (self.tokens[index].partner or index) + 1
        return None

    def labels(self, parenthesis):
        last = self.tokens[parenthesis].partner - 1
        if last < parenthesis + 1:
            return "()"
        parts = self.source.split(parenthesis + 1, last)
        return "(" + "".join(self.tokens[first].text + ":" for first, _ in parts) + ")"

    def add(self, kind, first, last, alternative):
        start, end = self.tokens[first].start, self.tokens[last].end
        original = self.source.text[start:end]
        self.mutants.append(Mutant(kind, self.file, self.functions[first], start, end, original, alternative))

    def add_operator(self, kind, index, first, last, other):
        token = self.tokens[index]
        left, right = self.source.slice(first, index - 1), self.source.slice(index + 1, last)
        mutant = Mutant(
            kind, self.file, self.functions[index], token.start, token.end, self.source.slice(first, last), f"{left} {other} {right}")
        mutant.operator = (token.text, other)
        self.mutants.append(mutant)

    def conditions(self):
        for index, token in enumerate(self.tokens):
            if token.kind != "name" or self.source.is_member(index):
                continue
            if token.text == "while" and self.source.ends_repeat(index):
                self.condition(index + 1, self.source.statement_end(index + 1), "false")
            elif token.text in ("if", "guard", "while"):
                for first, last in self.source.clauses(index):
                    if self.tokens[first].text in ("let", "var", "case"):
                        self.left_out["conditions that bind a name"] += 1
                    else:
                        self.condition(first, last, "true" if token.text == "guard" else "false")
            elif token.text == "where" and not self.is_generic(index):
                last = index + 1
                while self.tokens[last].text not in ("{", ":", ","):
                    last = (self.tokens[last].partner or last) + 1
                self.condition(index + 1, last - 1, "true")

    def is_generic(self, index):
        """Returns whether the `where` clause at this index belongs to a generic declaration."""
        while index > 0 and self.tokens[index].text not in ("{", "}", "case", "for", "catch"):
            index = self.tokens[index].partner if self.tokens[index].text in (")", "]") else index
            index -= 1
        return self.tokens[index].text not in ("case", "for", "catch")

    def condition(self, first, last, dropped):
        self.add("condition", first, last, dropped)
        self.negation(first, last)

    def negation(self, first, last):
        """Adds the mutant `!(…)`. Omits it if the outermost operator is `==`, `!=` or `~=`, because the mutant of this comparison is the same."""
        index = first
        operators = []
        while index <= last:
            if self.tokens[index].precedence is not None:
                operators.append(self.tokens[index])
            index = (self.tokens[index].partner or index) + 1
        lowest = min(operators, key=lambda t: t.precedence, default=None)
        if lowest is None or lowest.text not in ("==", "!=", "~="):
            self.add("negation", first, last, f"!({self.source.slice(first, last)})")

    def operators(self):
        for index, token in enumerate(self.tokens):
            if token.kind != "operator" or token.precedence is None or token.text in ASSIGNMENTS | {"->", "...", "..<", "??"}:
                continue
            first, last = self.source.left(index), self.source.right(index)
            if self.tokens[index - 1].text in ("func", "associatedtype") or self.is_type(index):
                continue  # the declaration of an operator, or a composition of types
            left, right = self.source.slice(first, index - 1), self.source.slice(index + 1, last)
            if token.text in FLIPPED:
                self.add_operator("comparison", index, first, last, FLIPPED[token.text])
            elif token.text == "+" and ('"' in left + right or "[" in left[:1] + right[:1]):
                self.left_out["joined arrays and strings"] += 1
            elif token.text in ARITHMETIC:
                self.add_operator("arithmetic", index, first, last, ARITHMETIC[token.text])
            elif token.text in ("&&", "||"):
                self.add("operand", first, last, left)
                self.add("operand", first, last, right)
            elif token.text == "?":
                self.negation(first, index - 1)
            elif token.text == "~=":
                self.add("comparison", first, last, f"!({left} ~= {right})")
            else:
                self.left_out[f"operators {token.text}"] += 1

    def is_type(self, index):
        return self.tokens[index].text in ("&", "==") and all(self.tokens[i].text[:1].isupper() for i in (index - 1, index + 1))

    def literals(self):
        table = self.tables()
        for index, token in enumerate(self.tokens):
            if token.kind == "name" and token.text in ("true", "false"):
                self.add("constant", index, index, "false" if token.text == "true" else "true")
            if token.kind != "number":
                continue
            if index in table:
                self.left_out["numbers in tables"] += 1
            elif "." in token.text or self.is_fixed(index):
                self.left_out["numbers that must be literals"] += 1
            else:
                value = int(token.text.replace("_", ""), 0)
                # Omits the values −1 and 256, which may not fit the number's type.
                for changed in {value + 1, value - 1} - {-1, 256} if value < 256 else {value + 1}:
                    self.add("constant", index, index, str(changed))

    def tables(self):
        """Returns the token indices of the numbers in array literals that are tables."""
        inside = set()
        for index, token in enumerate(self.tokens):
            if token.text == "[" and token.partner is not None:
                numbers = [i for i in range(index, token.partner) if self.tokens[i].kind == "number"]
                if len(numbers) >= TABLE_LENGTH:
                    inside.update(numbers)
        return inside

    def is_fixed(self, index):
        """Returns whether a number is the raw value of an enumeration case, the index of a tuple member, or the count of an inline array."""
        previous = self.tokens[index - 1].text
        if previous.endswith(".") and not self.tokens[index - 1].spaced and previous == "." or previous == "<":
            return True
        if previous != "=":
            return False
        while index > 0 and not self.source.breaks(index) and self.tokens[index - 1].text not in "{}":
            index -= 1
        return self.tokens[index].text == "case"

    def statements(self):
        for index, token in enumerate(self.tokens):
            if not self.starts_statement(index):
                continue
            last = self.source.statement_end(index)
            if self.is_assignment(index, last):
                if self.is_first_assignment(index):
                    self.left_out["first assignments"] += 1
                else:
                    self.add("statement", index, last, None)
            elif self.is_call(index, last) and not self.is_result(index, last):
                self.add("statement", index, last, None)

    def is_result(self, first, last):
        """Returns whether an expression is the whole body of a function or closure, and so its result."""
        if self.tokens[first - 1].text not in ("{", "in") or self.tokens[last + 1].text != "}":
            return False
        if self.tokens[first - 1].text == "in" or self.tokens[first - 2].text not in (")", "else", "do", "catch"):
            return first - 1 not in self.source.bodies
        index = first - 2
        while self.tokens[index].text not in ("func", "var", "let", "if", "while", "{", "}", "else", "do", "->"):
            index = (self.tokens[index].partner if self.tokens[index].text in (")", "]") else index) - 1
        return self.tokens[index].text in ("->", "var", "let")

    def starts_statement(self, index):
        token = self.tokens[index]
        if token.kind != "name" or token.text in STATEMENT_KEYWORDS or token.text.startswith(("@", "#")):
            return False
        if index == 0 or self.functions[index] == "-":
            return False
        previous = self.tokens[index - 1]
        if previous.text in ("{", "}") or self.source.breaks(index) or previous.text == "in" and token.newline:
            return True
        if previous.text == ":":  # A statement may follow `case …:` on the same line or on the next.
            back = index - 1
            while back > 0 and self.tokens[back].text not in ("case", "default", "{", "}", "?", "(", ":"):
                back = self.tokens[back].partner - 1 if self.tokens[back].text in (")", "]") else back - 1
            return self.tokens[back].text in ("case", "default")
        return False

    def is_assignment(self, first, last):
        index = first
        while index <= last:
            if self.tokens[index].text in ASSIGNMENTS and self.tokens[index].spaced:
                return True
            if self.tokens[index].text in ("?", ":"):
                return False
            index = (self.tokens[index].partner or index) + 1
        return False

    def is_first_assignment(self, first):
        """Returns whether a statement assigns a name that was declared without a value. Such a statement cannot be removed."""
        if self.tokens[first].text == "self" and self.tokens[first + 1].text == "=":
            return True
        name = self.tokens[first + 2 if self.tokens[first].text == "self" else first].text
        return re.search(rf"\b(?:let|var) (?:\w+, )*{re.escape(name)}\b[^={{\n]*(?: \{{$|$)", self.source.text, re.MULTILINE)

    def is_call(self, first, last):
        """Returns whether the statement is `try a.b(…)`, `a.b(…)` or such a call with a trailing closure."""
        index = first + 1 if self.tokens[first].text == "try" else first
        if self.tokens[last].text not in (")", "}") or re.search(r"\.init\b|^preconditionFailure|^assert", self.source.slice(first, last)):
            return False
        while index <= last:
            token = self.tokens[index]
            if token.kind != "name" and token.text not in (".", "(", "[", "{", "?.", "!."):
                return False
            index = (token.partner or index) + 1
        return True

    def identify(self):
        """Names mutants by function, kind and text, so that other changes in the file do not change the names. Adds numbers to repeated names."""
        unique = {}
        for mutant in self.mutants:
            unique.setdefault((mutant.start, mutant.end, mutant.original, mutant.shown()), mutant)
        self.mutants = sorted(unique.values(), key=lambda m: (m.start, -m.end, m.kind, m.shown()))
        counts = collections.Counter()
        for mutant in self.mutants:
            name = mutant.name()
            counts[name] += 1
            mutant.identity = name if counts[name] == 1 else f"{name} #{counts[name]}"

    def digests(self):
        """Returns {function: short hash of its text, without comments and white space}. A stored outcome applies only to a function with the same hash."""
        texts = collections.defaultdict(list)
        for token, function in zip(self.tokens, self.functions):
            texts[function].append(token.text)
        return {name: hashlib.sha256(" ".join(parts).encode()).hexdigest()[:8] for name, parts in texts.items()}


# Writing

def symbol(mutant):
    """Returns the replacement operator's name: the original operator, followed by two mathematical symbols that encode the mutant's number."""
    return mutant.operator[0] + chr(0x2200 + mutant.number // 256) + chr(0x2200 + mutant.number % 256)


GROUPS = {160: "BitwiseShift", 140: "Multiplication", 120: "Addition", 70: "Comparison"}


def declaration(mutant):
    """Returns the declaration of the operator `symbol(mutant)`."""
    original, other = mutant.operator
    level = PRECEDENCE[original]
    if level == 160:
        types, second, result = "T: FixedWidthInteger, U: BinaryInteger", "U", "T"
    elif level == 70:
        types, second, result = "T: Equatable" if original in ("==", "!=") else "T: Comparable", "T", "Bool"
    else:
        types, second, result = "T: FixedWidthInteger", "T", "T"
    return (
        f"infix operator {symbol(mutant)}: {GROUPS[level]}Precedence\n"
        f"@inline(__always)\nfunc {symbol(mutant)} <{types}>(_ a: T, _ b: {second}) -> {result} {{\n"
        f"    mutation_is({mutant.number}) ? a {other} b : a {original} b\n}}\n")


def rewrite(text, mutants):
    """Returns the source with each mutant behind its switch. The mutants must have numbers, and their spans must be nested or disjoint."""
    spans = collections.defaultdict(list)
    for mutant in mutants:
        spans[mutant.start, mutant.end].append(mutant)
    ordered = sorted(spans, key=lambda s: (s[0], -s[1]))
    return _render(text, 0, len(text), ordered, spans)


def _render(text, start, end, ordered, spans):
    result, position, index = [], start, 0
    while index < len(ordered):
        first, last = ordered[index]
        inner = [s for s in ordered[index + 1 :] if s[0] < last]
        if any(s[1] > last for s in inner):
            raise ValueError(f"two changes overlap at {first}: {text[first:last]!r}")
        result.append(text[position:first])
        body = _render(text, first, last, inner, spans)
        for mutant in spans[first, last]:
            if mutant.operator:
                body = symbol(mutant)
            elif mutant.alternative is None:
                body = f"if !_mutant({mutant.number}) {{ {body} }}"
            elif mutant.kind == "constant":
                body = f"_either({mutant.number}, {mutant.alternative}, {body})"
            else:
                body = f"(_mutant({mutant.number}) ? {mutant.alternative} : {body})"
        result.append(body)
        position = last
        index += 1 + len(inner)
    return "".join(result) + text[position:end]
