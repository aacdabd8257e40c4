#!/usr/bin/env bash
# Compares PureAppStore's verdicts with the verdicts of a verifier in Python, which shares no code with PureAppStore.
#
# Usage: run.sh [--help]
#
# A Swift test writes the cases: every fault in every kind of data, the objects of Vectors/app-store, objects with altered bytes, and
# data for different apps, environments and times. compare.py lists the reasons why verdicts may differ. Needs Python's cryptography.
set -euo pipefail
cd "$(dirname "$0")"
case ${1-} in
    --help) sed -n '2,/^set/{/^set/d;s/^# \{0,1\}//;p}' run.sh; exit 0 ;;
    "") ;;
    *) echo "run.sh: unknown option $1; see --help" >&2; exit 2 ;;
esac
here=$PWD
cd ../../..
work=$(mktemp -d)
trap 'rm -r "$work"' EXIT
# Uses the flags of the check `build`, because different flags would force a full rebuild.
PUREATTEST_APP_STORE_CASES=$work/cases.jsonl swift test -Xswiftc -warnings-as-errors -debug-info-format none \
    --filter PureAppStoreTests.OracleCaseTests
python3 -B "$here/compare.py" "$work/cases.jsonl"
