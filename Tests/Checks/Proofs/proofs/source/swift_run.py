"""Runs the functions that `swift_syntax.py` parsed: over rational functions for proofs, over numbers mod p for tests.

A field element is any value that supports Python's arithmetic operators. If a number is tested for 0, its value decides. If a rational function is tested, the
path's list of choices decides, and the run records the decision. `paths` runs every path, so a proof can state a result for each path. A contract replaces the
code of its function. A language construct without a rule ends the run with `Unreadable`.

Trusted: for the language constructs in the sources, these rules follow Swift's semantics.
"""

from proofs.source.swift_syntax import Unreadable
from proofs.source.swift_values import Array, Scope, Struct, copied


class Choose(Exception):
    """A condition needs an outcome, but the list of choices contains no further outcome."""


class Returned(Exception):
    def __init__(self, value):
        self.value = value


# The polynomial methods of PrimeField, and the inverse.
FIELD_METHODS = {
    "inlineProduct": lambda a, b: a * b,
    "inlineSquare": lambda a: a * a,
    "fullProduct": lambda a, b: a * b,
    "fullSquare": lambda a: a * a,
    "squared": lambda a: a * a,
    "halved": lambda a: a / 2,
    "doubled": lambda a: a + a,
    "invertedVarTime": lambda a: 1 / a,
}
OPERATORS = {
    "+": lambda a, b: a + b, "-": lambda a, b: a - b, "*": lambda a, b: a * b, "&-": lambda a, b: a - b, "&<<": lambda a, b: a << b,
    "<": lambda a, b: a < b, "<=": lambda a, b: a <= b, ">": lambda a, b: a > b, ">=": lambda a, b: a >= b,
}


class Program:
    """The functions that a run may call. A function is found by name and labels, and an initialiser also by type."""

    def __init__(self, functions=(), initialisers=(), *, one, zero, expand=lambda value: value):
        self.functions = {(f.name, f.labels): f for f in functions}
        self.initialisers = {(type_name, f.labels): f for type_name, f in initialisers}
        self.statics = {"one": one, "zero": zero}
        self.expand = expand  # normalises a product or sum that is assigned to a name
        self.contracts = {}  # name -> function of (run, receiver, arguments)

    def with_contracts(self, **contracts):
        other = Program(one=self.statics["one"], zero=self.statics["zero"], expand=self.expand)
        other.functions, other.initialisers, other.contracts = self.functions, self.initialisers, {**self.contracts, **contracts}
        return other


# type -> the labels of its memberwise initialiser
MEMBERWISE = {"AffinePoint": ("x", "y"), "JacobianPoint": ("X", "Y", "Z"), "WindowShape": ("window", "partBits")}


class SwiftRun:
    def __init__(self, program, choices=()):
        self.program, self.choices = program, choices
        self.decisions = []  # (question, answer); the question is an element that is compared with 0, or comes from a contract

    # Conditions

    def choose(self, question):
        if len(self.decisions) == len(self.choices):
            raise Choose()
        self.decisions.append((question, self.choices[len(self.decisions)]))
        return self.decisions[-1][1]

    def is_zero(self, element):
        symbols = getattr(element, "free_symbols", ())  # a number has no symbols, so its value decides
        return self.choose(element) if symbols else not element

    def equal(self, left, right):
        if left is None or right is None:
            return left is right
        if isinstance(left, int) and isinstance(right, int):
            return left == right
        return self.is_zero(left - right)

    # Functions

    def call(self, function, arguments, receiver=None, scope=()):
        """Runs a function; `scope`: additional names, for example the values of generic parameters."""
        names = dict(scope) | dict(zip(function.parameters, arguments))
        try:
            result = self.block(function.body, Scope(receiver, names))
        except Returned as returned:
            return returned.value
        # A body that consists of one expression returns the expression's value.
        return result if len(function.body) == 1 and function.body[0][0] == "evaluate" else None

    def block(self, statements, scope):
        result = None
        for statement in statements:
            result = getattr(self, "run_" + statement[0])(scope, *statement[1:])
        return result

    def run_let(self, scope, names, value):
        value = self.value(scope, value)
        if isinstance(names, str):
            scope.names[names] = copied(self.program.expand(value))
            return
        if not isinstance(value, tuple) or len(value) != len(names):
            raise Unreadable("a tuple of other names")
        scope.names.update({name: copied(part) for name, part in zip(names, value)})

    def run_assign(self, scope, target, value):
        value = self.program.expand(self.value(scope, value))
        if target[0] == "name":
            scope.assign(target[1], value)
        elif target[0] == "member":
            self.value(scope, target[1]).members[target[2]] = copied(value)
        elif target[0] == "subscript":
            self.value(scope, target[1])[self.value(scope, target[2])] = value
        else:
            raise Unreadable("an assignment to a " + target[0])

    def run_evaluate(self, scope, value):
        return self.value(scope, value)

    def run_return(self, scope, value):
        raise Returned(copied(None if value is None else self.value(scope, value)))

    def run_if(self, scope, conditions, body, otherwise):
        outer, scope = scope, scope.inner()
        for name, condition in conditions:
            value = self.value(scope, condition)
            if name is not None:
                scope.names[name] = value
                value = value is not None
            if not isinstance(value, bool):
                raise Unreadable("a condition that is none")
            if not value:
                self.block(otherwise, outer.inner())
                return
        self.block(body, scope)

    def run_for(self, scope, name, values, body):
        for value in self.value(scope, values):
            self.block(body, scope.inner(**{name: value}))

    def run_while(self, scope, condition, body):
        while self.value(scope, condition):
            self.block(body, scope.inner())

    # Expressions

    def value(self, scope, node):
        return getattr(self, "value_of_" + node[0].replace(" ", "_"))(scope, *node[1:])

    def value_of_number(self, scope, number):
        return number

    def value_of_nil(self, scope):
        return None

    def value_of_name(self, scope, name):
        if name in ("true", "false"):
            return name == "true"
        found = scope.find(name)
        if found is Scope.NOTHING:
            found = self.property(scope.receiver, name)
        if found is Scope.NOTHING:
            raise Unreadable("the name " + name)
        return found

    def value_of_tuple(self, scope, values):
        return tuple(self.value(scope, value) for value in values)

    def value_of_reference(self, scope, value):
        return self.value(scope, value)

    def value_of_closure(self, scope, body):
        def run(*arguments):
            return self.block(body, scope.inner(**{f"${i}": value for i, value in enumerate(arguments)}))

        return run

    def value_of_ternary(self, scope, condition, if_true, if_false):
        return self.value(scope, if_true if self.value(scope, condition) else if_false)

    def value_of_subscript(self, scope, receiver, index):
        return self.value(scope, receiver)[self.value(scope, index)]

    def value_of_binary(self, scope, operator, left, right):
        first = self.value(scope, left)
        if operator == "||":
            return first or self.value(scope, right)
        if operator == "??":
            return self.value(scope, right) if first is None else first
        second = self.value(scope, right)
        if operator in ("==", "!="):
            return self.equal(first, second) == (operator == "==")
        if operator == "..<":
            return range(first, second)
        if operator == "/" and isinstance(first, int) and isinstance(second, int):
            return first // second
        if operator not in OPERATORS:
            raise Unreadable("the operator " + operator)
        return OPERATORS[operator](first, second)

    def value_of_member(self, scope, receiver, name):
        if receiver is None:
            if name in self.program.statics:
                return self.program.statics[name]
            return self.property(scope.receiver, name)
        whole = self.value(scope, receiver)
        if isinstance(whole, Struct) and name in whole.members:
            return whole.members[name]
        if name == "isZero":
            return self.is_zero(whole)
        if isinstance(whole, Array) and name in ("mutableSpan", "span"):
            return whole
        if isinstance(whole, Array) and name == "count":
            return len(whole.values)
        found = self.property(whole, name)
        if found is Scope.NOTHING:
            raise Unreadable("the member " + name)
        return found

    def property(self, receiver, name):
        if name in self.program.contracts:
            return self.program.contracts[name](self, receiver, ())
        function = self.program.functions.get((name, ()))
        return Scope.NOTHING if function is None else self.call(function, (), receiver)

    # Calls

    def value_of_call(self, scope, callee, arguments):
        labels = tuple(label for label, _ in arguments)
        values = [self.value(scope, value) for _, value in arguments]
        if callee[0] in ("generic", "array of"):
            return self.made(scope, callee, labels, values)
        if callee[0] == "name":
            local = scope.find(callee[1])
            if callable(local):
                return local(*values)
            if callee[1] == "_slowPath":
                return values[0]
            if callee[1] == "stride" and labels == ("from", "to", "by"):
                return range(*values)
            if callee[1] == "Self" or callee[1] in MEMBERWISE:
                return self.initialised(scope, callee[1], labels, values)
            return self.called(scope.receiver, callee[1], labels, values)
        if callee[0] != "member":
            raise Unreadable("a call of a " + callee[0])
        return self.called_member(scope, *callee[1:], labels, values)

    def called_member(self, scope, receiver, name, labels, values):
        if receiver is None:
            if name == "reducedDifference":
                return self.reduced_difference(*values)
            raise Unreadable("a call of ." + name)
        if receiver[0] == "name" and receiver[1] in ("Curve", "Self"):
            return self.called(None, name, labels, values)
        if receiver == ("name", "self") and name == "init":
            scope.receiver.become(self.initialised(scope, scope.receiver.type_name, labels, values))
            return None
        whole = self.value(scope, receiver)
        if name == "map":
            return None if whole is None else values[0](whole)
        if isinstance(whole, Struct):
            return self.called(whole, name, labels, values)
        if name not in FIELD_METHODS or set(labels) - {"_"}:
            raise Unreadable("the method " + name)
        return self.field_method(name, whole, *values)

    # Field operations are Python operations here; `field_terms.py` records them as terms instead.

    def field_method(self, name, element, *others):
        return FIELD_METHODS[name](element, *others)

    def reduced_difference(self, left, right):
        return left - right

    def called(self, receiver, name, labels, values):
        if name in self.program.contracts:
            return self.program.contracts[name](self, receiver, values)
        function = self.program.functions.get((name, labels))
        if function is None:
            raise Unreadable(f"the function {name}({':'.join(labels)})")
        return self.call(function, values, receiver)

    def initialised(self, scope, type_name, labels, values):
        if type_name == "Self":
            type_name = scope.type_name()
        if MEMBERWISE.get(type_name) == labels:
            return Struct(type_name, **dict(zip(labels, map(copied, values))))
        function = self.program.initialisers.get((type_name, labels))
        if function is None:
            raise Unreadable(f"the initialiser {type_name}({':'.join(labels)})")
        made = Struct(type_name)
        self.call(function, values, made)
        return made

    def made(self, scope, callee, labels, values):
        """Creates an array with one repeated value. The first generic argument of an `InlineArray` is the number of elements."""
        if callee[0] == "generic" and callee[1] in MEMBERWISE:
            return self.initialised(scope, callee[1], labels, values)
        if callee[0] == "generic" and callee[1] == "InlineArray" and labels == ("repeating",):
            count = callee[2].split(",")[0].strip()
            count = int(count) if count.isdigit() else scope.find(count)
        elif callee[0] == "array of" and labels == ("repeating", "count"):
            count = values[1]
        else:
            raise Unreadable("what is made of a " + callee[1])
        return Array([copied(values[0]) for _ in range(count)])


def paths(program, run):
    """Calls `run(SwiftRun)` on every path; returns [(decisions, result)]."""
    found, pending = [], [()]
    while pending:
        choices = pending.pop()
        following = SwiftRun(program, choices)
        try:
            result = run(following)
        except Choose:
            pending += [choices + (False,), choices + (True,)]
            continue
        found.append((following.decisions, result))
    return found
