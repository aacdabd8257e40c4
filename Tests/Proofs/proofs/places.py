"""Where the sources are, and where the IR is that the proofs read."""

import pathlib

ROOT = pathlib.Path(__file__).resolve().parents[3]
SOURCES = ROOT / "Sources"
DRIVERS = pathlib.Path(__file__).resolve().parent / "build"

IR = ROOT / ".build/proofs/ir"  # of the release build: a folder for each module
TARGETS = ROOT / ".build/proofs/targets"  # of other targets: a folder for each, in it one for each module
