#!/usr/bin/env bash
# Builds and tests the service package, optimised (a session is a signature), with PostgreSQL and PyJWT where they can be had.
set -euo pipefail
cd "$(dirname "$0")"

folder=$(mktemp -d)
stop() {
    [ -z "${postgres:-}" ] || as_postgres "$postgres/pg_ctl" -D "$folder/data" -m immediate stop >/dev/null || true
    rm -rf "$folder"
}
trap stop EXIT

# PostgreSQL doesn't run as root.
as_postgres() { if [ "$(id -u)" = 0 ]; then (cd / && runuser -u postgres -- "$@"); else "$@"; fi; }

postgres=$(find /usr/lib/postgresql -name initdb -path '*/bin/*' 2>/dev/null | sort -V | tail -n 1 | xargs -r dirname)
if [ -n "$postgres" ]; then
    [ "$(id -u)" != 0 ] || chown postgres "$folder"
    as_postgres "$postgres/initdb" -D "$folder/data" -A trust -U postgres >/dev/null
    as_postgres "$postgres/pg_ctl" -D "$folder/data" -w -l "$folder/log" -o "-k $folder -c listen_addresses=''" start >/dev/null
    export PUREATTEST_POSTGRES="host=$folder user=postgres dbname=postgres"
else
    echo "PostgreSQL: not installed; its tests say that they did not run"
fi

if python3 -m venv "$folder/python" >/dev/null && "$folder/python/bin/pip" install -q pyjwt 2>/dev/null; then
    export PYJWT_PYTHON="$folder/python/bin/python"
else
    echo "PyJWT: can't be installed; its tests say that they did not run"
fi

swift build -c release --build-tests
swift test -c release --skip-build
