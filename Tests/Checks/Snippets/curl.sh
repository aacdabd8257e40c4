#!/usr/bin/env bash
# Runs the commands of the article "Testing the service with curl" against the service that Sources/Apps/Service/test.sh built.
#
# Usage: curl.sh [--help] Needs curl and openssl. Builds pure-attest if there is no release build.
set -euo pipefail
cd "$(dirname "$0")/../../.."
case ${1-} in
    --help) sed -n '2,/^set/{/^set/d;s/^# \{0,1\}//;p}' Tests/Checks/Snippets/curl.sh; exit 0 ;;
    "") ;;
    *) echo "curl.sh: unknown option $1; see --help" >&2; exit 2 ;;
esac
service=$PWD/Sources/Apps/Service/.build-test/release/attest-service
[ -x "$service" ] || { echo "curl.sh: no service; run Sources/Apps/Service/test.sh first" >&2; exit 2; }

work=$(mktemp -d)
article=Sources/PureAttestServer/PureAttestServer.docc/TestingWithCurl.md
# Reads the article's second shell block. In place of the first block, the script itself starts the service, on a free port.
awk '/^```sh$/ { block++; inside = 1; next } /^```$/ { inside = 0 } inside && block == 2' "$article" >"$work/lines"
[ -s "$work/lines" ] || { echo "curl.sh: the article has no second block" >&2; exit 1; }
secret=$(openssl rand -hex 32)
: >"$work/output"
ATTEST_SESSION_SECRET=$secret ATTEST_APP_ID=TEST123456.com.example.app ATTEST_DATABASE=memory ATTEST_TEST_AUTHORITY=1 \
    ATTEST_PORT=0 "$service" >"$work/output" 2>"$work/log" &
process=$!
trap 'kill "$process" 2>/dev/null || true; rm -rf "$work" device' EXIT
for _ in $(seq 100); do
    port=$(sed -n 's/^port //p' "$work/output")
    [ -z "$port" ] || break
    sleep 0.1
done
[ -n "$port" ] || { echo "curl.sh: the service did not start" >&2; cat "$work/log" >&2; exit 1; }
sed -i "s/127\.0\.0\.1:8080/127.0.0.1:$port/" "$work/lines"
answer=$(bash -euo pipefail "$work/lines" | tail -n 1)
key=$(sed -n 's/.*"keyID": "\(.*\)".*/\1/p' device/device.json)
[ "$answer" = "{\"keyID\":\"$key\"}" ] || { echo "curl.sh: the last line printed $answer" >&2; exit 1; }
echo "the article's lines opened a session for $key"
