#!/usr/bin/env bash
# Finds code that reads untrusted text by Character: see check.py.
set -euo pipefail
exec "$(dirname "$0")/check.py" "$@"
