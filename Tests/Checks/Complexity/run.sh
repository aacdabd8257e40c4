#!/usr/bin/env bash
# Checks how the cost of parsing and of error texts grows with their size: see count.py.
set -euo pipefail
exec "$(dirname "$0")/count.py" "$@"
