#!/usr/bin/env bash
# Builds and tests the service package, with PostgreSQL and PyJWT where they are installed. Arguments go to `swift test`.
# With CI=true it is a failure (status 2) if one of them is not.
set -euo pipefail
cd "$(dirname "$0")"

# The tests start PostgreSQL servers of their own in here; none of them survives the folder.
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
    echo "$1: not installed; its tests say that they did not run"
    [ "${CI:-}" != true ] || { echo "test.sh: with CI=true they have to" >&2 && exit 2; }
}

postgres=$(find /usr/lib/postgresql -name initdb -path '*/bin/*' 2>/dev/null | sort -V | tail -n 1 | xargs -r dirname)
if [ -n "$postgres" ]; then
    export PUREATTEST_POSTGRES_BIN=$postgres
else
    not_run PostgreSQL
fi

if python3 -c 'import jwt' 2>/dev/null; then
    PYJWT_PYTHON=$(command -v python3)
    export PYJWT_PYTHON
else
    not_run PyJWT
fi

# One command, so that everything is built once: the program that the tests start is among what they depend on. What takes
# the time is other people's packages: a module at a time, not optimised and without what a debugger needs they build fastest.
# In a folder of its own, so that it takes nothing from the optimised build that a load run needs. One test at a time, as many of
# them measure what others would disturb.
swift test --no-parallel -c release -Xswiftc -Onone -debug-info-format none --scratch-path .build-test "$@"

# The load generator is a package of its own, of which everything else was just built and run: a second is enough to see that it fits.
swiftc -typecheck -swift-version 6 -warnings-as-errors -I .build-test/release/Modules ../../Benchmarks/Load/Sources/attest-load/main.swift
