#!/usr/bin/env bash
# Builds the wasm32 module without imports and runs it in Node. Needs Swift 6.3 and node on the PATH.
# PUREATTEST_EXTRA_VECTORS may name a directory with more genuine objects.
set -euo pipefail
cd "$(dirname "$0")"

# SwiftPM reads a changed toolset only when it plans the build anew.
touch Package.swift
swift build --configuration release --triple wasm32-unknown-none-wasm \
    --toolset wasm32-toolset.json --product PureAttestWasm
module=.build/wasm32-unknown-none-wasm/release/PureAttestWasm.wasm
result=$(node JavaScript/test.mjs "$module" ../../Vectors ${PUREATTEST_EXTRA_VECTORS:+"$PUREATTEST_EXTRA_VECTORS"})
echo "$result"
size="$(wc -c <"$module") bytes, $(gzip -9 -c "$module" | wc -c) gzipped"
echo "Built PureAttestWasm.wasm without imports: $size; in Node $(node --version): $(tail -n 1 <<<"$result")"
