#!/usr/bin/env bash
# Installs Deno and Bun from PyPI into .build, unless they are already installed there. Prints the folder that contains
# the two programs.
set -euo pipefail
cd "$(dirname "$0")/.."

folder=$PWD/.build/runtimes
if [ ! -x "$folder/bin/deno" ] || [ ! -x "$folder/bin/bun" ]; then
    rm -rf "$folder"
    python3 -m venv "$folder" >&2
    "$folder/bin/python3" -m pip install --quiet --disable-pip-version-check -r Test/runtimes.txt >&2
fi
echo "$folder/bin"
