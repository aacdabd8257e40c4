#!/usr/bin/env bash
# Packs the npm package of the module that wasm.sh built, and tests it as one who installs it from the tarball, without a network.
#
# Usage: npm.sh [MODULE ASSERTION_MODULE]
#   MODULE            The module, .build/PureAttestWasm.wasm if not given.
#   ASSERTION_MODULE  The one of assertions alone, .build/PureAttestAssertion.wasm if not given.
#   --help            Print this help.
#
# Needs node and npm. Types are checked where TypeScript's tsc is; the last line says so.
set -euo pipefail
cd "$(dirname "$0")"

[ "${1-}" != --help ] || { sed -n '2,/^set/{/^set/d;s/^# \{0,1\}//;p}' "${0##*/}"; exit 0; }
module=$(realpath "${1:-.build/PureAttestWasm.wasm}")
assertion_module=$(realpath "${2:-.build/PureAttestAssertion.wasm}")
for tool in node npm; do
    command -v "$tool" >/dev/null || { echo "npm.sh: $tool is missing; see --help" >&2; exit 2; }
done

package=.build/npm
rm -rf $package
mkdir -p $package
cp Npm/* JavaScript/* ../../LICENSE $package
cp "$module" $package/PureAttestWasm.wasm
cp "$assertion_module" $package/PureAttestAssertion.wasm
tarball=$PWD/$package/$(cd $package && npm pack --silent --offline --ignore-scripts)

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
vectors=$(realpath ../../Vectors)
cp Test/package.mjs Test/package.mts "$work"
cd "$work"
echo '{ "private": true, "type": "module" }' >package.json
npm install --silent --offline --no-audit --no-fund --ignore-scripts "$tarball"
result=$(node package.mjs "$vectors")
if command -v tsc >/dev/null; then
    tsc --noEmit --strict --target es2022 --module node16 --lib es2022,dom package.mts
    result="$result; types found by tsc"
else
    result="$result; types not checked: no tsc"
fi
echo "Packed $(basename "$tarball"): $(wc -c <"$tarball") bytes; $result"
