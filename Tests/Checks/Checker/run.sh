#!/usr/bin/env bash
# Tests Tests/check. Other checks run `touched_tests.py` and `readme_command.py`.
set -euo pipefail
exec "$(dirname "$0")/test_check.py" "$@"
