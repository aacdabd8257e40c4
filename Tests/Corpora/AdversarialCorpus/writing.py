"""Writes and compares the files of a corpus."""

import argparse
import json


def parser(description):
    """Returns a parser of command lines with the option --check."""
    result = argparse.ArgumentParser(description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
    result.add_argument("--check", action="store_true", help="write nothing; exit 1 if a file differs from what would be written")
    return result


def document(header, member, items):
    """Returns a JSON object with the members of `header`, and the array `member` of encoded items."""
    lines = "".join(f" {json.dumps(name)}: {json.dumps(value)},\n" for name, value in header.items())
    return "{\n" + lines + f' "{member}": [\n' + ",\n".join("  " + item for item in items) + "\n ]\n}\n"


def require_unique(identifiers):
    repeated = {identifier for identifier in identifiers if identifiers.count(identifier) > 1}
    if repeated:
        raise ValueError(f"an identifier twice: {', '.join(sorted(repeated))}")


def differs(path, contents, check):
    """Writes a file, or only compares it if `check` is set. Returns whether the file differs."""
    if check:
        return not path.exists() or path.read_text() != contents
    path.write_text(contents)
    return False


def store(folder, files, check):
    """Writes or compares the files, given as (name, contents, number of cases). Returns the exit status."""
    status = 0
    for name, contents, count in files:
        different = differs(folder / name, contents, check)
        status |= different
        print(f"{name}: {count} cases, {len(contents):,} bytes{', DIFFERS' if different else ''}")
    return int(status)
