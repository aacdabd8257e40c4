#!/usr/bin/env bash
# Checks the hosted workflows, and that the check finds planted faults: see workflows.py.
set -euo pipefail
here=$(dirname "$0")
"$here/workflows.py" "$@"
"$here/test_workflows.py"
