"""Caches the IR until one of the inputs changes."""

import hashlib
import shutil
import subprocess

from proofs.build import embedded, release
from proofs.places import DRIVERS, IR, ROOT, SOURCES, TARGETS

MODULES = ("PureBytes", "PureDER", "PureSHA2", "PureECDSA")


def inputs():
    """Returns a digest of the sources, drivers, package settings, build scripts and compiler version."""
    found = hashlib.sha256(subprocess.run(["swiftc", "--version"], check=True, capture_output=True).stdout)
    files = [ROOT / "Package.swift", *sorted(DRIVERS.glob("*.*"))]
    for path in files + [path for module in MODULES for path in sorted((SOURCES / module).rglob("*.swift"))]:
        found.update(f"{path.name} {path.stat().st_size}\n".encode() + path.read_bytes())
    return found.hexdigest()


def kept(directory, emit, anew):
    """Writes the files if `anew` is true, or if a file that `emit` reads has changed."""
    stamp, made_of = directory / "inputs.sha256", inputs()
    if anew or not stamp.exists() or stamp.read_text() != made_of:
        shutil.rmtree(directory, ignore_errors=True)
        directory.mkdir(parents=True)
        emit(directory)
        stamp.write_text(made_of)


def release_ir(anew=False):
    kept(IR, lambda _: release.emit_all(), anew)


def target_ir(target, anew=False):
    kept(TARGETS / target, lambda directory: embedded.emit(target, directory), anew)
