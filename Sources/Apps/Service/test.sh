#!/usr/bin/env bash
# Builds and tests the service package. Passes its arguments to `swift test`. If PostgreSQL or PyJWT is not installed,
# the script skips the tests that need it, or exits with status 2 if CI=true is set.
set -euo pipefail
cd "$(dirname "$0")"

# The tests start PostgreSQL servers in this folder. At exit, the script ends them and removes the folder.
folder=$(mktemp -d)
chmod 755 "$folder"
stop() {
    for file in "$folder"/*/data/postmaster.pid; do
        [ ! -e "$file" ] || kill -QUIT "$(head -n 1 "$file")" 2>/dev/null || true
    done
    rm -rf "$folder"
}
trap stop EXIT
export PUREATTEST_TEST_FOLDER=$folder

not_run() {
    echo "$1: not installed; its tests report that they did not run"
    [ "${CI:-}" != true ] || { echo "test.sh: with CI=true they are required" >&2 && exit 2; }
}

postgres=$(find /usr/lib/postgresql -name initdb -path '*/bin/*' 2>/dev/null | sort -V | tail -n 1 | xargs -r dirname)
if [ -n "$postgres" ]; then
    export PUREATTEST_POSTGRES_BIN=$postgres
else
    not_run PostgreSQL
fi

# The relying party in Node, which some tests run together with the service on one PostgreSQL.
javascript=$(realpath ../../Bindings/JavaScript)
module=$(realpath ../../Bindings/Wasm)/.build/PureAttestRelyingPartyTest.wasm
if [ -n "$postgres" ] && [ -f "$module" ] && command -v node >/dev/null && NODE_PG=$("$javascript/Test/node-pg.sh"); then
    export NODE_PG NODE_PATH=$NODE_PG PUREATTEST_PARTY_MODULE=$module
else
    not_run "the relying party in Node (Sources/Bindings/Wasm/wasm.sh builds its module)"
fi

if python3 -c 'import jwt' 2>/dev/null; then
    PYJWT_PYTHON=$(command -v python3)
    export PYJWT_PYTHON
else
    not_run PyJWT
fi

# One command builds everything once, including the program that the tests start. Most of the build time is for the
# dependencies, which build fastest module by module, without optimisation and debug information. A separate scratch
# folder preserves the optimised build for load runs. Tests run one at a time, because many of them measure time.
swift test --no-parallel -c release -Xswiftc -Onone -Xcc -O0 -Xcxx -O0 -debug-info-format none --scratch-path .build-test "$@"

# The load generator is a separate package. Its dependencies are already built, so a type check suffices.
swiftc -typecheck -swift-version 6 -warnings-as-errors -I .build-test/release/Modules ../../../Benchmarks/Load/Sources/attest-load/main.swift
