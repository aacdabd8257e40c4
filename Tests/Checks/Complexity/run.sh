#!/usr/bin/env bash
# Checks how the costs of parsing and of formatting errors grow with the input size. See count.py.
set -euo pipefail
exec "$(dirname "$0")/count.py" "$@"
