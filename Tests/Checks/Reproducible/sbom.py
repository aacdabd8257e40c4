#!/usr/bin/env python3
"""Writes a package's software bill of materials in CycloneDX 1.5 (JSON) to standard output.

    Tests/Checks/Reproducible/sbom.py [--package-path Sources/Apps/Service] > sbom.cdx.json

The bill of materials lists the package and the dependencies that SwiftPM resolves. The root package has no dependencies. For a given commit and version of
Swift, the output is always the same. It contains no time, and derives its serial number from the contents. Exit status: 0 if the output is written, 1 with
--expect-none if there is a dependency, 2 for wrong usage or a package that SwiftPM cannot resolve.
"""

import argparse
import json
import pathlib
import re
import subprocess
import sys
import uuid

ROOT = pathlib.Path(__file__).resolve().parents[3]


def run(*command):
    done = subprocess.run(command, capture_output=True, text=True, cwd=ROOT)
    if done.returncode:
        print(f"sbom.py: {' '.join(command)}: {done.stderr.strip().splitlines()[-1:] or done.returncode}", file=sys.stderr)
        sys.exit(2)
    return done.stdout


def version():
    source = (ROOT / "Sources/pure-attest/PureAttestTool.swift").read_text()
    return re.search(r'static let version = "([^"]+)"', source)[1]


def walk(package, found):
    """Collects this package and its direct and indirect dependencies by identity, each with its own dependencies."""
    names = found.setdefault(package["identity"], {"package": package, "dependsOn": set()})["dependsOn"]
    for dependency in package["dependencies"]:
        names.add(dependency["identity"])
        walk(dependency, found)


def component(package, own):
    name = package["name"] if not own else "PureAttest"
    # A local package has no version of its own. It belongs to this repository, so it gets the repository's version.
    number = version() if package["version"] == "unspecified" else package["version"]
    match = re.match(r"https://([^/]+)/(.+?)(\.git)?$", package["url"])
    purl = f"pkg:swift/{match[1]}/{match[2]}@{number}" if match else f"pkg:generic/{name}@{number}"
    entry = {"type": "library", "bom-ref": package["identity"] if not own else "pureattest", "name": name, "version": number,
             "purl": purl}
    if own:
        entry["licenses"] = [{"license": {"id": "Apache-2.0"}}]
    return entry


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--package-path", default=".", help="the package's folder, relative to the root (the root package)")
    parser.add_argument("--expect-none", action="store_true", help="fail if the package has a dependency")
    options = parser.parse_args()
    folder = (ROOT / options.package_path).resolve()
    if not (folder / "Package.swift").is_file():
        print(f"sbom.py: no package at {options.package_path}", file=sys.stderr)
        return 2
    shown = json.loads(run("swift", "package", "--package-path", str(folder), "show-dependencies", "--format", "json"))
    found = {}
    walk(shown, found)
    top = shown["identity"]
    others = sorted(identity for identity in found if identity != top)
    is_own = {identity: pathlib.Path(entry["package"]["path"]).resolve() == ROOT for identity, entry in found.items()}

    def reference(identity):
        return component(found[identity]["package"], is_own[identity])["bom-ref"]

    commit = run("git", "rev-parse", "HEAD").strip()
    bom = {
        "bomFormat": "CycloneDX", "specVersion": "1.5", "version": 1,
        "metadata": {"component": component(shown, is_own[top]),
                     "properties": [{"name": "git.commit", "value": commit},
                                    {"name": "swift", "value": run("swift", "--version").splitlines()[0].strip()}]},
        "components": [component(found[identity]["package"], is_own[identity]) for identity in others],
        "dependencies": [{"ref": reference(identity), "dependsOn": sorted(map(reference, found[identity]["dependsOn"]))}
                         for identity in [top, *others]],
    }
    serial = uuid.uuid5(uuid.NAMESPACE_URL, json.dumps(bom, sort_keys=True))
    sys.stdout.write(json.dumps({**bom, "serialNumber": f"urn:uuid:{serial}"}, indent=2, sort_keys=True) + "\n")
    if options.expect_none and others:
        print(f"sbom.py: {shown['name']} depends on {', '.join(others)}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
