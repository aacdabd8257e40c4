"""Extracts the prose of a file: comments, docstrings, names and messages of tests, Markdown.

`paragraphs(path, text)` omits code blocks, link targets and directives. A code span counts as one word.
"""

import ast
import io
import re
import textwrap
import tokenize

SLASHES = {"swift", "js", "mjs", "ts", "c", "h"}
CODE = "CODE"
TEST_NAME = re.compile(r"^\s*(?:@Test(?:\(.*\))? )?func (\w+)", re.MULTILINE)
# Matches a name or message of a Swift test. Other strings are not matched, because they may not be prose.
TEST_STRING = re.compile(r'@(?:Test|Suite)\(\s*"((?:[^"\\]|\\.)+)"|#(?:expect|require)\(.*, "((?:[^"\\]|\\.)+)"\)|Issue\.record\("((?:[^"\\]|\\.)+)"')
ABBREVIATION = re.compile(r"(?:\b(?:e\.g|i\.e|cf|vs|al|eq|resp|Rev|No|Fig|approx)|\b[A-Z])\.$")


def kind_of(path, text):
    """Returns the language of a file, or `None` if the file's prose is not checked."""
    name = path.rsplit("/", 1)[-1]
    suffix = name.rsplit(".", 1)[-1] if "." in name.lstrip(".") else ""
    if suffix in SLASHES:
        return "slashes"
    if suffix in ("md", "py", "sh"):
        return suffix
    if text.startswith("#!") and not suffix:
        return "py" if "python" in text.split("\n", 1)[0] else "sh"
    return None


def slash_comments(text):
    """Yields [(line, comment text)] for each block of `//` or `///` lines, each trailing comment and each test string."""
    block, marker = [], None
    for number, line in enumerate(text.split("\n"), 1):
        match = re.match(r"\s*(//[/!]?) ?(.*)$", line)
        if match and match[2].startswith(("swift-tools-version", "MARK:", "swift-format-ignore", "swiftlint")):
            match = None
        if match and marker in (None, match[1]):
            marker = match[1]
            block.append((number, match[2]))
            continue
        if block:
            yield block, "comment"
        block, marker = ([(number, match[2])], match[1]) if match else ([], None)
        if match:
            continue
        trailing = re.search(r"  // (.*)$", line)
        if trailing and line[: trailing.start()].count('"') % 2 == 0:
            yield [(number, trailing[1])], "comment"
        for strings in TEST_STRING.finditer(line):
            string = next(group for group in strings.groups() if group)
            yield [(number, re.sub(r"\\\([^)]*\)", CODE, string))], "test"
    if block:
        yield block, "comment"


def hash_comments(text):
    """Yields [(line, comment text)] for each block of `#` lines."""
    block = []
    for number, line in enumerate(text.split("\n"), 1):
        match = re.match(r"\s*# ?(.*)$", line)
        if match and not line.startswith("#!") and not match[1].startswith(("shellcheck", "swift-tools")):
            block.append((number, match[1]))
        elif block:
            yield block, "comment"
            block = []
    if block:
        yield block, "comment"


def python_comments(text):
    """Yields the comments and docstrings of Python source."""
    block = []
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type == tokenize.COMMENT and not token.string.startswith("#!"):
            own_line = not token.line[: token.start[1]].strip()
            if block and (not own_line or token.start[0] != block[-1][0] + 1):
                yield block, "comment"
                block = []
            block.append((token.start[0], token.string.lstrip("#").removeprefix(" ")))
    if block:
        yield block, "comment"
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, (ast.Module, ast.FunctionDef, ast.ClassDef)) and ast.get_docstring(node, clean=False):
            first, *rest = ast.get_docstring(node, clean=False).split("\n")
            if not isinstance(node, ast.Module):
                rest = textwrap.dedent("\n".join(rest)).split("\n")
            lines = [first, *rest]
            yield list(enumerate(lines, node.body[0].value.lineno)), "comment"


def blocks(path, text):
    """Yields ([(line, text)], kind) for each block of prose in a file."""
    language = kind_of(path, text)
    if language == "slashes":
        yield from slash_comments(text)
        if path.endswith("Tests.swift"):
            for name in TEST_NAME.finditer(text):
                yield [(text.count("\n", 0, name.start(1)) + 1, re.sub(r"(?<=[a-z0-9])(?=[A-Z])", " ", name[1]))], "test"
    elif language == "py":
        yield from python_comments(text)
    elif language == "sh":
        yield from hash_comments(text)
    elif language == "md":
        yield list(enumerate(text.split("\n"), 1)), "markdown"


def cleaned(text):
    """Replaces each code span, link or formula with text that counts as one word or as none."""
    text = re.sub(r"<!--.*?-->", "", text)
    text = re.sub(r"``?[^`]+``?", CODE, text)
    text = re.sub(r"!?\[([^\]]*)\]\([^)]*\)", r"\1", text)
    text = re.sub(r"<doc:[^>]*>|https?://\S+", CODE, text)
    return text


def paragraphs(path, text):
    """Yields ([(line, text)], kind) for each paragraph. The kinds are "comment", "test", "markdown", "heading" and "cell"."""
    for block, kind in blocks(path, text):
        found, fenced, item = [([], kind)], False, False
        for number, line in block:
            stripped = line.strip()
            if stripped.startswith(("```", "~~~")):
                fenced = not fenced
                stripped = ""
            indent = len(line) - len(line.lstrip())
            if fenced or not stripped or stripped.startswith(("<!--", "@", "> ")) or (not item and indent >= 4):
                found.append(([], kind))
                item = item and bool(stripped)
                continue
            if stripped.startswith("|"):
                cells = [cell.strip() for cell in stripped.strip("|").split("|") if re.search(r"\w", cell)]
                found += [*(([(number, cleaned(cell))], "cell") for cell in cells), ([], kind)]
                continue
            if kind == "markdown" and stripped.startswith("#"):
                found += [([(number, cleaned(stripped.lstrip("# ")))], "heading"), ([], kind)]
                continue
            starts_item = re.match(r"(?:[-*+]|\d+\.) ", stripped)
            # A usage line ("  --write   writes …") is a separate paragraph.
            if starts_item or (not item and 2 <= indent and kind == "comment"):
                found.append(([], kind))
            item = bool(starts_item) or (item and indent >= 2)
            found[-1][0].append((number, re.sub(r"^(?:[-*+]|\d+\.) ", "", stripped)))
        yield from (paragraph for paragraph in found if paragraph[0])


def sentences(paragraph):
    """Yields (line on which the sentence begins, sentence) for each sentence of a paragraph."""
    words = []
    text = cleaned("\n".join(line for _, line in paragraph))
    for (number, _), line in zip(paragraph, text.split("\n")):
        words += [(number, word) for word in line.split()]
    start = 0
    for index, (_, word) in enumerate(words):
        following = words[index + 1][1] if index + 1 < len(words) else None
        ends = re.search(r"[.!?][)\"”'*_]*$", word) and not ABBREVIATION.search(word)
        if following is None or ends:
            yield words[start][0], " ".join(word for _, word in words[start : index + 1])
            start = index + 1


def word_count(sentence):
    """Returns the number of words, without symbols and one-letter variables."""
    return sum(bool(re.search(r"[A-Za-z]{2}|^[\"“(]?[aAI]$", word)) for word in sentence.split())
