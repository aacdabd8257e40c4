#!/usr/bin/env python3
"""Extracts the code of README.md and the articles to a folder: see this folder's README.md."""
import json
import re
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[2]
FENCE = re.compile(r"^```([a-z]+)\s*$")
MARK = re.compile(r"^<!-- (snippet: .*|not (?:compiled|run): .*) -->$")
# The number of blocks marked as not compiled or not run, by language. Update these numbers when articles change.
EXEMPT = {"kotlin": 1, "python": 1, "sh": 22, "swift": 1}
# {article with SQL blocks: test that compares each SQL statement in the article with the library's statements}
SQL = {"Sources/PureAttestServer/PureAttestServer.docc/SQLStores.md": "Tests/PureAttestServerTests/Stores/StoreSQLTests.swift"}


# If a block begins with one of these texts, it contains targets of a `Package.swift` instead of dependencies.
TARGETS = (".target(", ".systemLibrary(")


class Fault(Exception):
    pass


class Block:
    def __init__(self, path, line, language, mark, text):
        self.path, self.line, self.language, self.mark, self.text = path, line, language, mark, text

    @property
    def place(self):
        return f"{self.path}:{self.line}"


def blocks(path):
    """Returns the blocks of a document, each with the mark on the line before it."""
    lines = (ROOT / path).read_text(encoding="utf-8").split("\n")
    found, index = [], 0
    while index < len(lines):
        fence = FENCE.match(lines[index])
        if not fence:
            index += 1
            continue
        end = next((i for i in range(index + 1, len(lines)) if lines[i] == "```"), None)
        if end is None:
            raise Fault(f"{path}:{index + 1}: the block does not end")
        mark = MARK.match(lines[index - 1]) if index else None
        text = "\n".join(lines[index + 1:end]) + "\n"
        # `index + 2` is the line number (from 1) of the first line after the opening fence.
        found.append(Block(path, index + 2, fence[1], mark[1] if mark else "", text))
        index = end + 1
    return found


def directive(path, line):
    return f'#sourceLocation(file: "{path}", line: {line})\n'


def split_imports(text):
    """Returns the imports, and the text with an empty line in place of each import, so that line numbers do not change."""
    imports, rest = [], []
    for line in text.split("\n"):
        is_import = re.match(r"^(@testable )?import \w+$", line)
        imports += [line] if is_import else []
        rest.append("" if is_import else line)
    return imports, "\n".join(rest)


INSIDE = "// MARK: In the function\n"


def prelude_name(path):
    """Returns the document's name. For a README, the folder's name precedes it."""
    parts = ("PureAttest/" + path).removesuffix(".md").split("/")
    return "-".join(parts[-2:]) if parts[-1] == "README" else parts[-1]


def prelude(path):
    """Returns the prelude's imports, and its code outside and inside the function."""
    file = next((HERE / "Preludes").glob(f"*/{prelude_name(path)}.swift"), None)
    if not file:
        return [], "", ""
    imports, text = split_imports(file.read_text(encoding="utf-8"))
    outside, divider, inside = text.partition(INSIDE)
    if not divider:
        raise Fault(f"{file.name}: there is no line {INSIDE.strip()}")
    place = str(file.relative_to(ROOT))
    return (
        imports, directive(place, 1) + outside + "#sourceLocation()\n",
        directive(place, outside.count("\n") + 2) + inside)


def swift_function(name, block, parts):
    """Returns a function with the prelude. A nested function contains the block and its continuations, so that they may redeclare names."""
    imports, outside, context = prelude(block.path)
    body = ""
    for part in parts:
        more, text = split_imports(part.text)
        if line_type := re.match(r"snippet: each line is an? ([\w.<>]+)", part.mark):
            text = "".join(
                f"let _: {line_type[1]} = {line}\n" if line.strip() else "\n" for line in text.split("\n"))
        imports += more
        body += directive(part.path, part.line) + text
        if after := re.match(r"snippet: then (.*)", part.mark):
            body += directive(part.path, part.line - 2) + after[1] + "\n"
    needed = "\n".join(sorted(set(imports)))
    return (
        f"{needed}\n{outside}func {name}() async throws {{\n{context}\nfunc block() async throws {{\n{body}\n}}\n"
        f"#sourceLocation()\ntry await block()\n}}\n")


def manifest(block):
    """Returns a part of a Package.swift as Swift code. The part consists of targets, or of lines with one dependency each."""
    text = "import PackageDescription\n"
    if block.text.startswith(TARGETS):
        return f"{text}{directive(block.path, block.line - 1)}let _: [Target] = [\n{block.text}]\n"
    for number, line in enumerate(block.text.split("\n")):
        if line.strip() and not line.strip().startswith("//"):
            kind = "Package" if line.strip().startswith(".package") else "Target"
            code = line.split("      //")[0].strip().rstrip(",")
            text += directive(block.path, block.line + number) + f"let _: {kind}.Dependency = {code}\n"
    return text


def main(out):
    tracked = subprocess.run(
        ["git", "-C", ROOT, "ls-files", "-co", "--exclude-standard", "*.md"], capture_output=True, text=True, check=True)
    paths = sorted(set(tracked.stdout.split()))
    everything = [block for path in paths for block in blocks(path)]
    # To detect overlooked blocks, counts the opening fences with a language by a second pattern.
    fences = sum(
        len(re.findall(r"(?m)^[ \t>]*(?:```|~~~)[ \t]*[A-Za-z]", (ROOT / path).read_text(encoding="utf-8"))) for path in paths)
    if fences != len(everything):
        raise Fault(f"{fences} fences with a language, {len(everything)} blocks: extract.py does not recognise one of them")

    exempt, counts, functions, manifests, scripts = {}, {}, [], [], []
    for block in everything:
        counts[block.language] = counts.get(block.language, 0) + 1
        if block.mark.startswith("not "):
            if len(block.mark.split(": ", 1)[1]) < 10:
                raise Fault(f"{block.place}: the mark must give a reason")
            exempt[block.language] = exempt.get(block.language, 0) + 1
            continue
        if source := re.match(r"snippet: part of (\S+)$", block.mark):
            if block.text not in (ROOT / source[1]).read_text(encoding="utf-8"):
                raise Fault(f"{block.place}: {source[1]} does not contain this block")
            continue
        match block.language:
            case "swift":
                lines = [line.strip() for line in block.text.split("\n") if line.strip()]
                if block.text.startswith(TARGETS) or all(line.startswith((".package(", ".product(", "//")) for line in lines):
                    manifests.append(block)
                elif block.mark == "snippet: continues":
                    functions[-1].append(block)
                else:
                    functions.append([block])
            case "js":
                scripts.append(block)
            case "json":
                json.loads(block.text)
            case "sql" if block.path in SQL:
                pass
            # The commands in README.md are steps of .ci/run, which also checks the number of commands.
            case "sh" if block.path == "README.md":
                pass
            case _:
                raise Fault(f"{block.place}: {block.language} blocks must be run or marked with a reason")
    if exempt != EXEMPT:
        raise Fault(f"exempt blocks: found {exempt}, but EXEMPT in extract.py is {EXEMPT}")
    used = {prelude_name(path) for path in paths}
    for file in sorted((HERE / "Preludes").glob("*/*")):
        if file.stem not in used:
            raise Fault(f"{file.name} belongs to no document")

    out.mkdir(parents=True, exist_ok=True)
    calls = ""
    for number, parts in enumerate(functions):
        (out / f"Snippet{number}.swift").write_text(swift_function(f"snippet{number}", parts[0], parts), encoding="utf-8")
        skipped = next((part.mark for part in parts if part.mark.startswith("snippet: only compiled: ")), None)
        if not skipped:
            calls += f'    ("{parts[0].place}", {{ try await snippet{number}() }}),\n'
    (out / "Snippets.swift").write_text(
        f"let snippets: [(place: String, run: @Sendable () async throws -> Void)] = [\n{calls}]\n", encoding="utf-8")
    for number, block in enumerate(manifests):
        (out / f"Manifest{number}.txt").write_text(manifest(block), encoding="utf-8")
    for number, block in enumerate(scripts):
        after = re.match(r"snippet: then (.*)", block.mark)
        text = f"// {block.place}\n{block.text}{after[1] if after else ''}\n"
        (out / f"Script{number}.mjs").write_text(text, encoding="utf-8")
    total = ", ".join(f"{count} {language}" for language, count in sorted(counts.items()))
    print(
        f"{len(everything)} blocks ({total}); in Swift {len(functions)} functions, {calls.count('snippet')} of them run, "
        f"{len(manifests)} in manifests; {sum(exempt.values())} exempt with a reason")


if __name__ == "__main__":
    try:
        main(Path(sys.argv[1]))
    except Fault as fault:
        sys.exit(f"snippets: {fault}")
