#!/usr/bin/env bash
# Compares the verdicts of the release build with the verdicts of other implementations.
#
# Usage: run.sh [code-directories|android-chains] ...
#   code-directories  Compare code directory hashes of genuine signed files.
#   android-chains    Compare chains of Android devices, and a corpus with every fault. Needs Python's cryptography.
#   --help            Print this help.
#
# Runs both parts by default. The tests and Tests/Checks/Fuzzing/run.sh --end-to-end use the other scripts in this
# folder.
set -euo pipefail
cd "$(dirname "$0")"
case ${1-} in --help) sed -n '2,/^set/{/^set/d;s/^# \{0,1\}//;p}' run.sh; exit 0 ;; esac
here=$PWD
cd ../../..
[ $# -gt 0 ] || set -- code-directories android-chains
swift build -c release --product pure-attest
for part; do
    case $part in
        code-directories) python3 "$here/check_cdhash.py" .build/release/pure-attest ;;
        android-chains)
            python3 "$here/check_key_attestation.py" .build/release/pure-attest
            corpus=$(mktemp -d)
            trap 'rm -r "$corpus"' EXIT
            .build/release/pure-attest simulate android-corpus --seed 9 --out "$corpus"
            python3 "$here/check_key_attestation.py" --corpus "$corpus" .build/release/pure-attest
            ;;
        *) echo "run.sh: unknown part $part; see --help" >&2; exit 2 ;;
    esac
done
