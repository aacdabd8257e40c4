#!/usr/bin/env bash
# Checks the prose of this repository, and that the check finds planted faults. Arguments go to check.py: see its
# --help.
set -euo pipefail
here=$(dirname "$0")
"$here/test_check.py"
"$here/check.py" "$@"
