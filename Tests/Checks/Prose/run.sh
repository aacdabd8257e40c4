#!/usr/bin/env bash
# Checks the prose of this repository, and that the check finds planted faults. check.py --help describes the arguments.
set -euo pipefail
here=$(dirname "$0")
"$here/test_check.py"
"$here/check.py" "$@"
