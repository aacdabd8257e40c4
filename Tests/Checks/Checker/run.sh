#!/usr/bin/env bash
# Tests Tests/check. `touched_tests.py` and `readme_command.py` are parts of other checks.
set -euo pipefail
exec "$(dirname "$0")/test_check.py" "$@"
