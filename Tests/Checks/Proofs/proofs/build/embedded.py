"""Writes the IR for other targets.

The sources are compiled as Embedded Swift, because the toolchain contains no other standard library for these targets.

Each module is compiled in whole-module mode. PureECDSA is compiled together with the drivers of the proofs.

Trusted: the flags for wasm32 and aarch64 equal the flags of `Sources/Bindings/Wasm` and `Sources/Bindings/BareMetal`, except options for code generation and
linking. For example, the latter also has `-mstrict-align`. No check compares the objects built there with this IR.
"""

import re
import subprocess

from proofs.build.release import joined_inversion
from proofs.places import DRIVERS, ROOT, SOURCES

AARCH64, WASM32 = "aarch64-none-none-elf", "wasm32-unknown-none-wasm"
OPTIMISATION = {AARCH64: "-O", WASM32: "-Osize"}  # as in Sources/Bindings
ADDRESS_BITS = {AARCH64: 64, WASM32: 32}


def flags(target):
    """Returns the compiler flags. They include the settings of the target's toolset in Sources/Bindings (wasm32-toolset.json or aarch64-toolset.json), except
    options for linking and some for code generation. The upcoming features are read from Package.swift. The compiler emits line tables, because `status/`
    needs them.
    """
    features = re.findall(r'\.enableUpcomingFeature\("(.*)"\)', (ROOT / "Package.swift").read_text())
    found = ["-target", target, "-enable-experimental-feature", "Embedded", "-wmo", OPTIMISATION[target], "-parse-as-library", "-swift-version", "6"]
    found += ["-strict-memory-safety", "-package-name", "pureattest", "-enforce-exclusivity=unchecked", "-Xfrontend", "-disable-stack-protector", "-gline-tables-only"]
    return found + [x for f in features for x in ("-enable-upcoming-feature", f)] + ["-suppress-warnings"]


def compile_module(target, directory, module, *outputs, sources=None):
    sources = sources or sorted((SOURCES / module).rglob("*.swift"))
    subprocess.run(["swiftc", *flags(target), "-module-name", module, "-I", directory, *outputs, *sources], check=True)


def emit(target, directory):
    """Writes the IR of PureECDSA and PureSHA2, one folder for each."""
    for module in ("PureBytes", "PureSHA2", "PureDER"):
        compile_module(target, directory, module, "-emit-module", "-o", directory / f"{module}.swiftmodule")
    for module in ("PureSHA2", "PureECDSA"):
        (directory / module).mkdir()
    compile_module(target, directory, "PureSHA2", "-emit-ir", "-o", directory / "PureSHA2/module.ll")
    joined = joined_inversion(directory)
    sources = [s for s in sorted((SOURCES / "PureECDSA").rglob("*.swift")) if s.name != joined.name] + [joined, DRIVERS / "Driver.swift"]
    compile_module(target, directory, "PureECDSA", "-emit-ir", "-o", directory / "PureECDSA/module.ll", sources=sources)
