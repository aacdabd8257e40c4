#!/usr/bin/env bash
# Builds `pure-attest` with Swift's libraries linked statically, so that the program runs without an installed Swift.
# Then tests the program.
#   Sources/Bindings/Static/static.sh [--record]   --record writes size and start-up time to ../records/static.md
# The last line states the program's size, its start-up time and the number of passed checks. Requires Swift 6.3, python3.
set -euo pipefail
record=
case "${1:-}" in
    "") ;;
    --record) record=1 ;;
    -h | --help) sed -n '2,4s/^# \{0,1\}//p' "$0"; exit 0 ;;
    *) echo "static.sh: unknown argument: $1; see --help" >&2; exit 2 ;;
esac
cd "$(dirname "$0")/../../.."
swift build -c release --static-swift-stdlib --scratch-path .build-static --product pure-attest -Xlinker -s
tool=.build-static/release/pure-attest

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
fail() { echo "static.sh: $1" >&2; exit 1; }
if ldd "$tool" | grep -i swift; then fail "the program needs Swift's shared libraries"; fi
passed=0
expect() {  # expected exit status, arguments: fails for another status, or unless an error is exactly one line
    local status=0 lines
    lines=$("$tool" "${@:2}" 2>&1 >/dev/null | wc -l; exit "${PIPESTATUS[0]}") || status=$?
    [ "$status" -eq "$1" ] || fail "${*:2} exited with status $status, expected $1"
    [ "$status" -eq 0 ] || [ "$lines" -eq 1 ] || fail "${*:2} wrote $lines lines to standard error, expected 1"
    passed=$((passed + 1))
}
expect 0 verify-attestation Vectors/app-attest/apple-guide-2026.json
expect 1 verify-attestation Vectors/app-attest/apple-guide-2026.json --at 2030-01-01T00:00:00Z
expect 0 vectors Vectors/app-attest/apple-guide-2026.json Vectors/adversarial/{certificates,names,objects,paths,receipts}.json Vectors/nist-cavp/ec/*.rsp
printf '{"testGroups":[{' >"$work/cut.json"
printf '[%.0s' {1..100000} >"$work/deep.json"
for name in cut deep missing; do expect 2 vectors "$work/$name.json"; done
start_up=$(python3 - "$tool" <<'PYTHON'
import statistics, subprocess, sys, time
def once():
    start = time.perf_counter()
    subprocess.run([sys.argv[1], "--help"], stdout=subprocess.DEVNULL, check=True)
    return time.perf_counter() - start
print(f"{1000 * statistics.median(once() for _ in range(41)):.1f}")
PYTHON
)
[ -z "$record" ] || printf '%s bytes\nstarts and prints its help in %s ms (median of 41)\n' "$(wc -c <"$tool")" "$start_up" |
    Benchmarks/record.sh Sources/Bindings/records/static.md "pure-attest with Swift's libraries inside" "Sources/Bindings/Static/static.sh --record"
echo "Built pure-attest with Swift's libraries inside: $(wc -c <"$tool") bytes, starts and prints its help in $start_up ms (median of 41); needs" \
    "$(ldd "$tool" | awk '{print $1}' | sed 's|.*/||' | paste -sd' '); $passed passed, 0 failed"
