#!/usr/bin/env bash
# Proves the arithmetic of PureECDSA and the compression of PureSHA2. Usage: `run.sh --help`.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
python=${PYTHON:-python3}
if ! "$python" -c 'import cvc5, sympy' 2>/dev/null; then
    environment=$here/../../../.build/proofs/venv
    [ -x "$environment/bin/python3" ] || "$python" -m venv "$environment"
    python=$environment/bin/python3
    "$python" -m pip install --quiet --disable-pip-version-check -r "$here/requirements.txt"
fi
PYTHONPATH=$here exec "$python" -m proofs "$@"
