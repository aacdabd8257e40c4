#!/usr/bin/env bash
# Packs the npm package from the modules that wasm.sh built. Installs the package from the tarball, without a network, and
# tests it.
#
# Usage: npm.sh [FOLDER [TOOL]]
#   FOLDER  The folder with PureAttestWasm.wasm, PureAttestAssertion.wasm, PureAttestExplainWasm.wasm,
#           PureAttestRelyingParty.wasm and PureAttestPurchases.wasm. Default: ../Wasm/.build
#   TOOL    The path of the command pure-attest. If it is given, and if FOLDER contains the test modules, the script also
#           tests the relying party and purchases over each store in Node. It also tests the packed relying party and the
#           samples in Node, Deno and Bun.
#   --help  Print this help.
#
# Requires node and npm. If TypeScript's tsc is installed, the script checks the types. If esbuild is installed, the
# script builds and runs bundles (Debian: node-typescript, esbuild). The tests of the relying party use PostgreSQL
# (Debian: postgresql), python3 with venv, and apt-get to download node-pg. Deno and Bun are installed from PyPI into
# .build. The last line names every missing tool; with CI=true, a missing tool is a failure (status 2).
set -euo pipefail
cd "$(dirname "$0")"

[ "${1-}" != --help ] || { sed -n '2,/^set/{/^set/d;s/^# \{0,1\}//;p}' "${0##*/}"; exit 0; }
modules=$(realpath "${1:-../Wasm/.build}")
tool=${2:+$(realpath "$2")}
for module in PureAttestWasm PureAttestAssertion PureAttestExplainWasm PureAttestRelyingParty PureAttestPurchases; do
    [ -f "$modules/$module.wasm" ] || { echo "npm.sh: $modules/$module.wasm is missing: run wasm.sh first" >&2; exit 2; }
done
needed="node npm"
[ "${CI:-}" != true ] || needed="$needed tsc esbuild"
for name in $needed; do
    command -v "$name" >/dev/null || { echo "npm.sh: $name is missing; see --help" >&2; exit 2; }
done

package=.build/npm
rm -rf $package
mkdir -p $package
cp -r Npm/README.md Npm/package.json Npm/Modules/* Generated RelyingParty Verifier ../../../LICENSE $package
cp "$modules"/PureAttest{Wasm,Assertion,ExplainWasm,RelyingParty,Purchases}.wasm $package
tarball=$PWD/$package/$(cd $package && npm pack --silent --offline --ignore-scripts)

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
vectors=$(realpath ../../../Vectors)
worker_tests=$(realpath ../../Apps/Worker/Test)
here=$PWD
cp Test/package.mjs Test/package.mts Test/bundled.mjs Test/wasm-loader.mjs "$work"
cp Test/Party/party-{package,cases,http,options,suite,support}.mjs Test/samples.mjs Test/postgresql.mjs Samples/* "$work"
cp Test/postgres-stub.ts "$work/postgres.ts"
# Checks that the package cannot be published while its manifest names no repository.
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
    tsc --noEmit --strict --target es2022 --module node16 --lib es2022,dom package.mts "$here/Test/Party/party-types.mts"
    result="$result; types found by tsc"
else
    result="$result; types not checked: no tsc"
fi
if command -v esbuild >/dev/null; then
    # Each platform loads the WebAssembly module differently: from a file beside the bundle, from a URL, or as an
    # import.
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

# Notes a test that cannot run. With CI=true, ends the script.
not_run() {
    result="$result; $1"
    [ "${CI:-}" != true ] || { echo "npm.sh: with CI=true: $1" >&2; exit 2; }
}
test_module=$modules/PureAttestRelyingPartyTest.wasm
if [ -z "$tool" ] || [ ! -f "$test_module" ]; then
    not_run "relying party not tested: no command pure-attest or no PureAttestRelyingPartyTest.wasm"
else
    programs=$(find /usr/lib/postgresql -name initdb -path '*/bin/*' 2>/dev/null | sort -V | tail -n 1 | xargs -r dirname)
    if [ -z "$programs" ]; then
        not_run "PostgreSQL not tested: not installed"
    elif NODE_PG=$("$here/Test/node-pg.sh"); then
        # Node searches for modules from the folder of the importing file. It searches for CommonJS modules also in
        # NODE_PATH.
        for file in "$NODE_PG"/*; do ln -s "$file" node_modules/; done
        export NODE_PG NODE_PATH=$NODE_PG PUREATTEST_POSTGRES_BIN=$programs
    else
        not_run "PostgreSQL not tested: no node-pg"
    fi
    result="$result; $(node "$here/Test/Party/party-stores.mjs" "$test_module" "$tool" | tail -n 1)"
    result="$result; $(node "$here/Test/purchases.mjs" "$test_module" "$modules/PureAttestPurchasesTest.wasm" "$tool" | tail -n 1)"
    result="$result; $(node party-package.mjs "$test_module" "$tool" "$vectors")"
    if runtimes=$("$here/Test/runtimes.sh"); then
        export DENO=$runtimes/deno BUN=$runtimes/bun
        echo '{ "nodeModulesDir": "manual", "imports": { "postgres": "./postgres.ts" } }' >deno.json
        result="$result; $("$DENO" run --quiet --allow-all party-package.mjs "$test_module" "$tool" "$vectors")"
        result="$result; $("$BUN" party-package.mjs "$test_module" "$tool" "$vectors")"
    else
        not_run "Deno and Bun not tested: not installed"
    fi
    result="$result; $(node samples.mjs "$work" "$worker_tests/d1.mjs")"
fi
echo "Packed $(basename "$tarball"): $(wc -c <"$tarball") bytes; $result"
