#!/usr/bin/env bash
# Counts the instructions of parsing and of error texts by size: see count.py.
set -euo pipefail
exec "$(dirname "$0")/count.py" "$@"
