"""What SwiftPM does for a release build, read from its own build description rather than repeated here.

`swift build -c release` writes .build/release.yaml, the description that it then runs: for each module the very arguments of the
compiler. `compilation` finds those of a module, `emit` runs them with IR in place of objects.
"""

import json
import pathlib
import re
import shlex
import subprocess
import sys

from proofs.places import DRIVERS, IR, ROOT, SOURCES

BUILD = ROOT / ".build"

# What says where outputs go, or how to talk about it. Everything else is kept.
DROPPED = {"-emit-dependencies", "-emit-module", "-serialize-diagnostics", "-v", "-parseable-output", "-emit-objc-header"}
DROPPED_WITH_VALUE = {"-emit-module-path", "-output-file-map", "-emit-objc-header-path", "-index-store-path"}


def build(module):
    subprocess.run(["swift", "build", "-c", "release", "--target", module, "--package-path", ROOT], check=True, stdout=sys.stderr)


def compilation(module):
    """(the compiler's arguments, the sources, the directory of the objects) of a module in the release build."""
    text = (BUILD / "release.yaml").read_text()
    found = re.findall(rf'^  "C\.{module}-[^"]*-release\.module":\n(?:    .*\n)*?    args: (\[.*\])$', text, re.M)
    if len(found) != 1:
        raise SystemExit(f"{len(found)} compilations of {module} in {BUILD / 'release.yaml'}")
    arguments = json.loads(found[0])
    (listed,) = [a[1:] for a in arguments if a.startswith("@")]
    sources = [line.strip("'\"") for line in pathlib.Path(listed).read_text().splitlines()]
    return arguments, sources, pathlib.Path(listed).parent


def module_arguments(arguments):
    """The same compilation, without its outputs and sources."""
    kept, remaining = [], iter(arguments)
    for a in remaining:
        if a in DROPPED_WITH_VALUE:
            next(remaining)
        elif a not in DROPPED and not a.startswith("@"):
            kept.append(a)
    return kept


def emit(module, directory, replaced=(), added=(), change=lambda arguments: arguments):
    """Writes the IR of a module, a file for each source, to `directory`. `replaced`: {source name: path}; `added`: further sources."""
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
    """What the driver would run: the frontend is asked for IR, as the driver of Swift 6.3 has no way to ask it for a file each."""
    printed = subprocess.run([*command, "-###"], check=True, capture_output=True, text=True).stdout
    return [expanded(shlex.split(line)) for line in printed.splitlines()]


def expanded(arguments):
    return [b for a in arguments for b in (shlex.split(pathlib.Path(a[1:]).read_text()) if a.startswith("@") else [a])]


def joined_inversion(directory):
    """ModularInversion.swift with InversionDriver.swift behind it: what the driver calls is private to that file."""
    made = directory / "ModularInversion.swift"
    made.write_text((SOURCES / "PureECDSA/Field" / made.name).read_text() + (DRIVERS / "InversionDriver.swift").read_text())
    return made


def emit_with_drivers(directory, change=lambda arguments: arguments):
    """The IR of PureECDSA with the drivers that the proofs start from."""
    joined = joined_inversion(directory)
    return emit("PureECDSA", directory, {joined.name: joined}, [DRIVERS / "Driver.swift"], change)


def emit_all():
    """Builds both modules for release, and writes their IR to `places.IR`."""
    build("PureECDSA")
    build("PureSHA2")
    for module, write in (("PureECDSA", emit_with_drivers), ("PureSHA2", lambda directory: emit("PureSHA2", directory))):
        (IR / module).mkdir()
        write(IR / module)
