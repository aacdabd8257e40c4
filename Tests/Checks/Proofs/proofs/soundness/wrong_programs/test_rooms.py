"""Tests the structure of this package: the import order, no import cycles, short files, small folders, one command."""

import ast
import pathlib
import unittest

PACKAGE = pathlib.Path(__file__).parents[2]
# A room imports only from itself and from the rooms before it in this list. "": outcomes.py, claim.py and places.py.
ROOMS = ("", "domains", "ir", "build", "execution", "source", "statements", "soundness", "status")
ABOVE = {"tasks", "command", "__main__"}  # above all rooms
MOST_LINES, MOST_FILES = 400, 20


def name_of(path):
    return ".".join(path.relative_to(PACKAGE.parent).with_suffix("").parts)


def imports(path, modules):
    found = set()
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.ImportFrom) and (node.module or "").split(".")[0] == "proofs":
            names = {f"{node.module}.{alias.name}" for alias in node.names}
            found |= {name if name in modules else node.module for name in names}
        elif isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names if alias.name in modules}
    return found - {name_of(path)}


def circle(graph):
    """Returns modules that import each other in a cycle, or None."""
    finished = set()

    def visit(name, way):
        if name in way:
            return way[way.index(name) :]
        if name not in finished:
            for other in sorted(graph.get(name, ())):
                found = visit(other, [*way, name])
                if found:
                    return found
            finished.add(name)
        return None

    return next(filter(None, (visit(name, []) for name in sorted(graph))), None)


def room(name):
    parts = name.split(".")[1:]
    return "" if len(parts) < 2 else parts[0]


class RoomTests(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.paths = sorted(PACKAGE.rglob("*.py"))
        modules = {name_of(path) for path in cls.paths}
        cls.graph = {name_of(path): imports(path, modules) for path in cls.paths}

    def test_no_modules_import_each_other(self):
        self.assertIsNone(circle(self.graph))
        self.assertEqual(circle({"a": {"b"}, "b": {"c"}, "c": {"b"}}), ["b", "c"])

    def test_a_room_imports_earlier_rooms_only(self):
        for name, others in self.graph.items():
            if name.split(".")[-1] in ABOVE:
                continue
            for other in others:
                self.assertLessEqual(ROOMS.index(room(other)), ROOMS.index(room(name)), f"{name} imports {other}")

    def test_files_and_folders_are_small(self):
        for path in self.paths:
            self.assertLessEqual(len(path.read_text().splitlines()), MOST_LINES, path)
        for folder in {path.parent for path in self.paths} | {PACKAGE.parent}:
            files = [path for path in folder.iterdir() if path.is_file()]
            self.assertLessEqual(len(files), MOST_FILES, folder)

    def test_there_is_one_command(self):
        for path in self.paths:
            self.assertFalse("__name__ ==" + " " in path.read_text() and path != pathlib.Path(__file__), path)
