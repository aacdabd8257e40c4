#!/usr/bin/env bash
# Proves the arithmetic of PureECDSA from the LLVM IR that its source compiles to, and the point formulas from the source:
#   Tests/Proofs/run.sh                the proofs, and their check on numbers
#   Tests/Proofs/run.sh --mutants N    also N mutants, all of which must be rejected (`--mutants all`: every one, hours)
# Needs swiftc and Python 3 with the packages of requirements.txt. PYTHON names another interpreter.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
python=${PYTHON:-python3}
output=$(mktemp -d)
trap 'rm -rf "$output"' EXIT

if ! "$python" -c 'import sympy' 2>/dev/null; then
    "$python" -m venv "$output/venv"
    python=$output/venv/bin/python3
    "$python" -m pip install --quiet --disable-pip-version-check -r "$here/requirements.txt"
fi

"$here/emit.sh" proofs "$output"
status=0
"$python" "$here/prove.py" "$output/PureECDSA.ll" || status=1
"$python" "$here/points.py" || status=1
if [ "${1-}" = --mutants ]; then
    if [ "$2" = all ]; then
        "$python" "$here/mutate.py" "$output/PureECDSA.ll" || status=1
    else
        "$python" "$here/mutate.py" "$output/PureECDSA.ll" --sample "$2" --seed "${3-1}" || status=1
    fi
fi
exit $status
