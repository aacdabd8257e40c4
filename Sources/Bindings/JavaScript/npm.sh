#!/usr/bin/env bash
# Packs the npm package of the module that wasm.sh built, and tests it as installed from the tarball, without a network.
#
# Usage: npm.sh [FOLDER]
#   FOLDER  The folder of PureAttestWasm.wasm, PureAttestAssertion.wasm and PureAttestExplainWasm.wasm.
#           Default: ../Wasm/.build
#   --help  Print this help.
#
# Needs node and npm. With TypeScript's tsc it checks the types, and with esbuild it builds and runs bundles (Debian:
# node-typescript, esbuild). The last line names a missing one, which with CI=true is a failure (status 2).
set -euo pipefail
cd "$(dirname "$0")"

[ "${1-}" != --help ] || { sed -n '2,/^set/{/^set/d;s/^# \{0,1\}//;p}' "${0##*/}"; exit 0; }
modules=${1:-../Wasm/.build}
for module in PureAttestWasm PureAttestAssertion PureAttestExplainWasm; do
    [ -f "$modules/$module.wasm" ] || { echo "npm.sh: $modules/$module.wasm is missing: run wasm.sh first" >&2; exit 2; }
done
tools="node npm"
[ "${CI:-}" != true ] || tools="$tools tsc esbuild"
for tool in $tools; do
    command -v "$tool" >/dev/null || { echo "npm.sh: $tool is missing; see --help" >&2; exit 2; }
done

package=.build/npm
rm -rf $package
mkdir -p $package
cp Npm/* ./*.mjs ./*.mts ../../../LICENSE $package
cp "$modules"/PureAttest{Wasm,Assertion,ExplainWasm}.wasm $package
tarball=$PWD/$package/$(cd $package && npm pack --silent --offline --ignore-scripts)

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
vectors=$(realpath ../../../Vectors)
cp Test/package.mjs Test/package.mts Test/bundled.mjs Test/wasm-loader.mjs "$work"
# The package must not be published without its repository.
(
    cp -r $package "$work/publish" && cd "$work/publish"
    if npm run --silent prepublishOnly 2>/dev/null; then echo "npm.sh: publishing did not fail without a repository" >&2; exit 1; fi
    npm pkg set repository.type=git repository.url=git+https://example.com/a/b.git
    npm run --silent prepublishOnly
)
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
if command -v esbuild >/dev/null; then
    # Each platform loads the module differently: from a file beside the bundle, from a URL, or as an import.
    bundle() {
        local name=$1
        shift
        esbuild bundled.mjs --bundle --external:node:fs --format=esm --log-level=warning --outfile="$name/bundled.mjs" "$@"
        if grep -q "hashed twice" "$name/bundled.mjs"; then echo "npm.sh: the bundle contains report texts that it does not use" >&2; exit 1; fi
        node $loader "$name/bundled.mjs" "$vectors" >/dev/null
    }
    loader=
    for platform in node browser neutral; do
        mkdir $platform
        cp node_modules/pure-attest/PureAttestWasm.wasm $platform
        bundle $platform --platform=$platform
    done
    loader="--no-warnings --import ./wasm-loader.mjs"
    bundle workerd --platform=browser --conditions=workerd --loader:.wasm=copy
    result="$result; bundled by esbuild $(esbuild --version) for node, browser, neutral and workerd, and run"
else
    result="$result; not bundled: no esbuild"
fi
echo "Packed $(basename "$tarball"): $(wc -c <"$tarball") bytes; $result"
