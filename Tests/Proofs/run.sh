#!/usr/bin/env bash
# Proves the arithmetic of PureECDSA, the point routines among it, and the compression of PureSHA2 from the LLVM IR of SwiftPM's release build, and
# the point formulas from the source:
#   Tests/Proofs/run.sh                the proofs, and their check on numbers
#   Tests/Proofs/run.sh --mutants N    also N mutants, all of which must be rejected (`--mutants all`: every one, hours)
# Needs swiftc and Python 3 with the packages of requirements.txt. PYTHON names another interpreter.
# Exit status: 0 all proven and every mutant rejected, 1 not, 2 wrong usage.
set -euo pipefail
case "$#:${1-}:${2-}" in
0::) ;;
1:--help:* | 1:-h:*) sed -n '2,7s/^# \{0,1\}//p' "$0" && exit 0 ;;
2:--mutants:all | [23]:--mutants:[1-9]*) ;;
*) echo "run.sh: --mutants takes a number from 1, or all; --help says more" >&2 && exit 2 ;;
esac
here=$(cd "$(dirname "$0")" && pwd)
python=${PYTHON:-python3}
output=$(mktemp -d)
trap 'rm -rf "$output"' EXIT

if ! "$python" -c 'import sympy' 2>/dev/null; then
    "$python" -m venv "$output/venv"
    python=$output/venv/bin/python3
    "$python" -m pip install --quiet --disable-pip-version-check -r "$here/requirements.txt"
fi

"$python" "$here/release.py" "$output/ir"
status=0
"$python" "$here/test_memory.py" --quiet || status=1
"$python" "$here/test_sha2.py" --quiet || status=1
"$python" "$here/test_choices.py" --quiet || status=1
"$python" "$here/test_signed.py" --quiet || status=1
"$python" "$here/test_ranges.py" --quiet || status=1
"$python" "$here/test_negation.py" --quiet || status=1
"$python" "$here/random_programs.py" || status=1
"$python" "$here/same_code.py" "$output/ir" || status=1
"$python" "$here/test_same_code.py" "$output/ir" --quiet || status=1
"$python" "$here/prove.py" "$output/ir" || status=1
"$python" "$here/recoding.py" "$output/ir" || status=1
"$python" "$here/rounds.py" || status=1
"$python" "$here/rounds.py" --test || status=1
"$python" "$here/unchecked.py" || status=1
"$python" "$here/unchecked.py" --test || status=1
"$python" "$here/points.py" || status=1
"$python" "$here/test_points.py" --quiet || status=1
"$python" "$here/test_point_routines.py" "$output/ir" --quiet || status=1
"$python" "$here/point_values.py" "$output/ir" || status=1
"$python" "$here/targets.py" "$output/targets" || status=1
"$python" "$here/test_point_calls.py" "$output/targets" --quiet || status=1
if [ "${1-}" = --mutants ]; then
    if [ "$2" = all ]; then
        "$python" "$here/mutate.py" "$output/ir" || status=1
    else
        "$python" "$here/mutate.py" "$output/ir" --sample "$2" --seed "${3-1}" || status=1
    fi
fi
exit $status
