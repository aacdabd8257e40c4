"""The paths of the sources, and of the IR that the proofs read."""

import pathlib

ROOT = pathlib.Path(__file__).resolve().parents[4]
SOURCES = ROOT / "Sources"
DRIVERS = pathlib.Path(__file__).resolve().parent / "build"

IR = ROOT / ".build/proofs/ir"  # the IR of the release build, one folder for each module
TARGETS = ROOT / ".build/proofs/targets"  # the IR of other targets, in folders TARGET/MODULE
