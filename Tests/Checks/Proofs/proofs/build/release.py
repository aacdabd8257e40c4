"""Writes the IR of a release build, with the compiler arguments that SwiftPM uses.

`swift build -c release` writes and then runs .build/release.yaml, which contains the compiler's arguments for each module. `compilation` finds the arguments of
a module. `emit` runs the compiler with these arguments, but writes IR instead of object files.
"""

import json
import pathlib
import re
import shlex
import subprocess
import sys

from proofs.places import DRIVERS, IR, ROOT, SOURCES

BUILD = ROOT / ".build"

# `module_arguments` drops these flags, because they name output files or request reports. It keeps all other flags.
DROPPED = {"-emit-dependencies", "-emit-module", "-serialize-diagnostics", "-v", "-parseable-output", "-emit-objc-header"}
DROPPED_WITH_VALUE = {"-emit-module-path", "-output-file-map", "-emit-objc-header-path", "-index-store-path"}


def build(module):
    subprocess.run(["swift", "build", "-c", "release", "--target", module, "--package-path", ROOT], check=True, stdout=sys.stderr)


def compilation(module):
    """Returns (compiler arguments, sources, object directory) of a module in the release build."""
    text = (BUILD / "release.yaml").read_text()
    found = re.findall(rf'^  "C\.{module}-[^"]*-release\.module":\n(?:    .*\n)*?    args: (\[.*\])$', text, re.M)
    if len(found) != 1:
        raise SystemExit(f"{len(found)} compilations of {module} in {BUILD / 'release.yaml'}")
    arguments = json.loads(found[0])
    (listed,) = [a[1:] for a in arguments if a.startswith("@")]
    sources = [line.strip("'\"") for line in pathlib.Path(listed).read_text().splitlines()]
    return arguments, sources, pathlib.Path(listed).parent


def module_arguments(arguments):
    """Returns the compiler arguments without outputs and sources."""
    kept, remaining = [], iter(arguments)
    for a in remaining:
        if a in DROPPED_WITH_VALUE:
            next(remaining)
        elif a not in DROPPED and not a.startswith("@"):
            kept.append(a)
    return kept


def emit(module, directory, replaced=(), added=(), change=lambda arguments: arguments):
    """Writes the IR of a module, one file per source. `replaced`: {source name: replacement path}; `added`: further sources."""
    arguments, sources, _ = compilation(module)
    sources = [str(dict(replaced).get(pathlib.Path(s).name, s)) for s in sources] + [str(a) for a in added]
    outputs = {s: {"object": str(directory / (pathlib.Path(s).name + ".ll"))} for s in sources}
    outputs[""] = {"swift-dependencies": str(directory / "primary.swiftdeps")}
    (directory / "outputs.json").write_text(json.dumps(outputs))
    (directory / "sources").write_text("".join(f"'{s}'\n" for s in sources))
    command = [*change(module_arguments(arguments)), "-suppress-warnings", "-output-file-map", str(directory / "outputs.json")]
    for job in jobs([*command, f"@{directory / 'sources'}"]):
        subprocess.run(["-emit-ir" if a == "-c" else a for a in job], check=True)
    return sorted(directory.glob("*.ll"))


def jobs(command):
    """Returns the frontend commands of the compiler driver, because the driver of Swift 6.3 itself cannot write one IR file for each source."""
    printed = subprocess.run([*command, "-###"], check=True, capture_output=True, text=True).stdout
    return [expanded(shlex.split(line)) for line in printed.splitlines()]


def expanded(arguments):
    return [b for a in arguments for b in (shlex.split(pathlib.Path(a[1:]).read_text()) if a.startswith("@") else [a])]


def joined_inversion(directory):
    """Appends InversionDriver.swift to a copy of ModularInversion.swift, because InversionDriver.swift calls private functions of that file."""
    made = directory / "ModularInversion.swift"
    made.write_text((SOURCES / "PureECDSA/Field" / made.name).read_text() + (DRIVERS / "InversionDriver.swift").read_text())
    return made


def emit_with_drivers(directory, change=lambda arguments: arguments):
    joined = joined_inversion(directory)
    return emit("PureECDSA", directory, {joined.name: joined}, [DRIVERS / "Driver.swift"], change)


def emit_all():
    build("PureECDSA")
    build("PureSHA2")
    for module, write in (("PureECDSA", emit_with_drivers), ("PureSHA2", lambda directory: emit("PureSHA2", directory))):
        (IR / module).mkdir()
        write(IR / module)
