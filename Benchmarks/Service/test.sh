#!/usr/bin/env bash
# Builds and tests the service package, with PostgreSQL and PyJWT where they are installed. Arguments go to `swift test`.
# With CI=true it is a failure (status 2) if one of them is not.
set -euo pipefail
cd "$(dirname "$0")"

folder=$(mktemp -d)
stop() {
    [ -z "${postgres:-}" ] || as_postgres "$postgres/pg_ctl" -D "$folder/data" -m immediate stop >/dev/null || true
    rm -rf "$folder"
}
trap stop EXIT

not_run() {
    echo "$1: not installed; its tests say that they did not run"
    [ "${CI:-}" != true ] || { echo "test.sh: with CI=true they have to" >&2 && exit 2; }
}

# PostgreSQL doesn't run as root.
as_postgres() { if [ "$(id -u)" = 0 ]; then (cd / && runuser -u postgres -- "$@"); else "$@"; fi; }

postgres=$(find /usr/lib/postgresql -name initdb -path '*/bin/*' 2>/dev/null | sort -V | tail -n 1 | xargs -r dirname)
if [ -n "$postgres" ]; then
    [ "$(id -u)" != 0 ] || chown postgres "$folder"
    as_postgres "$postgres/initdb" -D "$folder/data" -A trust -U postgres >/dev/null
    as_postgres "$postgres/pg_ctl" -D "$folder/data" -w -l "$folder/log" -o "-k $folder -c listen_addresses=''" start >/dev/null
    export PUREATTEST_POSTGRES="host=$folder user=postgres dbname=postgres"
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
# In a folder of its own, so that it takes nothing from the optimised build that a load run needs.
swift test -c release -Xswiftc -Onone -debug-info-format none --scratch-path .build-test "$@"
