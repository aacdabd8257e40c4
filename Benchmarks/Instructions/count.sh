#!/usr/bin/env bash
# Counts the machine instructions of each operation, and compares the counts with counts.txt. The counts are reproducible.
#
#   Benchmarks/Instructions/count.sh            compare; status 1 if a difference exceeds the tolerance
#   Benchmarks/Instructions/count.sh --record   write counts.txt
#
# Runs `pure-attest bench --only NAME --iterations N` under callgrind, with N = 11 and with N = 1. The count is a tenth of
# the difference, so that the cost of start-up, tables and inputs cancels. Requires valgrind. The counts are valid only
# for the architecture (x86-64) and the toolchain that counts.txt names.
set -euo pipefail
cd "$(dirname "$0")/../.."
here=Benchmarks/Instructions
record=no
case "${1:-}" in
    "") ;;
    --record) record=yes ;;
    -h | --help) sed -n '2,9s/^# \{0,1\}//p' "$here/count.sh"; exit 0 ;;
    *) echo "count.sh: unknown argument: $1; see --help" >&2; exit 2 ;;
esac
command -v valgrind >/dev/null || { echo "count.sh: valgrind is not installed" >&2; exit 2; }

swift build -c release --product pure-attest >/dev/null
tool=.build/release/pure-attest

instructions() {
    valgrind --tool=callgrind --callgrind-out-file=/dev/null "$tool" bench --only "$1" --iterations "$2" 2>&1 |
        sed -n 's/.*Collected : //p' | grep . || { echo "count.sh: valgrind gave no count for $1" >&2 && exit 2; }
}

compiler=$(swift --version 2>&1 | sed -n 's/.*\(Swift version [0-9.]*\).*/\1/p' | head -n 1)
names="p256-verify p384-verify p256-verify-precomputed p256-verify-multiples p384-verify-precomputed rsa2048-verify rsa4096-verify sha256-16k sha512-16k attestation-verify assertion-verify assertion-verify-multiples assertion-verify-table"
if [ "$record" = yes ]; then
    {
        echo "# Instructions of one operation, $(uname -m), $compiler. Written by count.sh --record."
        echo "tolerance-percent 2"
    } >"$here/counts.txt"
fi
tolerance=$(sed -n 's/^tolerance-percent //p' "$here/counts.txt")
grep -q "$(uname -m), $compiler" "$here/counts.txt" || {
    echo "count.sh: the recorded counts are from another machine or compiler; use --record" >&2
    exit 1
}
passed=0
failed=0
for name in $names; do
    one=$(instructions "$name" 1)
    eleven=$(instructions "$name" 11)
    count=$(((eleven - one) / 10))
    [ "$count" -gt 0 ] || { echo "count.sh: $name executed no instructions" >&2 && exit 2; }
    if [ "$record" = yes ]; then echo "$name $count" >>"$here/counts.txt"; fi
    recorded=$(sed -n "s/^$name //p" "$here/counts.txt")
    verdict=$(awk -v n="$count" -v r="$recorded" -v t="$tolerance" 'BEGIN {
        d = 100 * (n - r) / r; printf "%s %+.2f %%", (d > t || d < -t) ? "FAILED" : "passed", d }')
    printf '%-26s %9d instructions, recorded %9d: %s\n' "$name" "$count" "$recorded" "$verdict"
    case $verdict in passed*) passed=$((passed + 1)) ;; *) failed=$((failed + 1)) ;; esac
done
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
