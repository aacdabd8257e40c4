"""Defines the values of `swift_run.py` besides numbers: structures, arrays, and the names of a function.

As in Swift, an assignment to a name copies a structure. An array and its spans share one object.
"""

from collections import ChainMap

from proofs.source.swift_syntax import Unreadable


class Struct:
    """A structure: the name of its type, and its members by name."""

    def __init__(self, type_name, **members):
        self.type_name, self.members = type_name, members

    def copy(self):
        return Struct(self.type_name, **{name: copied(value) for name, value in self.members.items()})

    def become(self, other):
        self.type_name, self.members = other.type_name, other.copy().members

    def __getitem__(self, name):
        return self.members[name]


def copied(value):
    return value.copy() if isinstance(value, Struct) else value


class Array:
    """An array, or a span of it. An index out of bounds is an error."""

    def __init__(self, values):
        self.values = list(values)

    def place(self, index):
        if not isinstance(index, int) or not 0 <= index < len(self.values):
            raise Unreadable(f"the index {index} of {len(self.values)}")
        return index

    def __getitem__(self, index):
        return self.values[self.place(index)]

    def __setitem__(self, index, value):
        self.values[self.place(index)] = copied(value)


class Scope:
    """Resolves names in a block: first the block's own names, then the names of the outer blocks and of the function, then the receiver's members."""

    NOTHING = object()

    def __init__(self, receiver, *names):
        self.receiver, self.names = receiver, ChainMap(*names)

    def inner(self, **names):
        """Returns the scope of a nested block, with further names. Declarations in the block do not change the outer scope, but assignments do."""
        return Scope(self.receiver, names, *self.names.maps)

    def find(self, name):
        if name in self.names:
            return self.names[name]
        if name == "self":
            return self.receiver
        if isinstance(self.receiver, Struct):
            return self.receiver.members.get(name, self.NOTHING)
        return self.NOTHING

    def assign(self, name, value):
        if name == "self":
            self.receiver.become(value)
        elif name in self.names and isinstance(self.names[name], Struct):
            self.names[name].become(value)  # the structure may be an `inout` argument
        elif name in self.names:
            next(names for names in self.names.maps if name in names)[name] = value
        elif isinstance(self.receiver, Struct) and name in self.receiver.members:
            self.receiver.members[name] = value
        else:
            raise Unreadable("an assignment to " + name)

    def type_name(self):
        if not isinstance(self.receiver, Struct):
            raise Unreadable("Self")
        return self.receiver.type_name
