#!/usr/bin/env python3
"""Runs the tests of the modules that changed since a commit, in the existing debug build.

Usage: touched_tests.py [--print]
  --print   Print the test targets and run nothing.
The commit is CHECK_BASE if set, otherwise the branch point from origin/main, otherwise HEAD. Uncommitted changes are included.
Exit status: the exit status of the tests, or 2 for wrong usage.
"""
import os
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
# Modules whose test target does not have the module's name.
TESTED_WITH = {
    "pure-attest": "PureAttestTool", "PureAppStoreTesting": "PureAppStore", "PureAttestFoundation": "CryptoKitHabits",
    "PureAttestPurchasesCore": "PureAttestPurchases", "PureAttestPurchasesMessages": "PureAttestPurchases",
    "PureAttestServerCore": "PureAttestServer", "PureAttestServerMessages": "PureAttestServer",
    "PureAttestStoreTesting": "PureAttestServer", "PureECDSALanes": "PureECDSA", "PureProcessor": "PureSHA2",
    "PureSHA2Hardware": "PureSHA2", "PureSignedContent": "PureAttest",
}


def git(*arguments, check=True):
    return subprocess.run(["git", *arguments], cwd=ROOT, capture_output=True, text=True, check=check).stdout


def base():
    named = os.environ.get("CHECK_BASE")
    if named:
        commit = git("rev-parse", "--verify", "--quiet", named + "^{commit}", check=False).strip()
        if not commit:
            print(f"touched_tests.py: no such commit: {named}", file=sys.stderr)
            raise SystemExit(2)
        return commit
    return git("merge-base", "HEAD", "origin/main", check=False).strip() or "HEAD"


def touched(paths):
    """Returns the test targets of the modules that contain these files. Exits if a module of the library has no target."""
    targets = set()
    for path in paths:
        module = re.match(r"Sources/([^/]+)/.", path) or re.match(r"Tests/([^/]+)Tests/.", path)
        if module:
            name = TESTED_WITH.get(module[1], module[1])
            if (ROOT / f"Tests/{name}Tests").is_dir():
                targets.add(f"{name}Tests")
            elif path.startswith("Sources/Pure") and (ROOT / "Sources" / module[1]).is_dir():
                print(f"touched_tests.py: {module[1]} has no test target; name one in TESTED_WITH", file=sys.stderr)
                raise SystemExit(2)
    # ClientTests belongs to a nested package, so the root package does not build it.
    return sorted(targets - {"ClientTests"})


def main():
    if sys.argv[1:] not in ([], ["--print"]):
        print(__doc__.strip(), file=sys.stderr)
        return 2
    commit = base()
    paths = git("diff", "--name-only", commit).splitlines()
    paths += git("ls-files", "--others", "--exclude-standard").splitlines()
    targets = touched(paths)
    print(f"Changed since {commit[:12]}: {len(paths)} files; tests: {', '.join(targets) or 'none, because no module changed'}", flush=True)
    if not targets or sys.argv[1:]:
        return 0
    pattern = "^(" + "|".join(targets) + r")\."
    return subprocess.run(
        ["swift", "test", "--skip-build", "-Xswiftc", "-warnings-as-errors", "-debug-info-format", "none", "--filter", pattern], cwd=ROOT).returncode


if __name__ == "__main__":
    sys.exit(main())
