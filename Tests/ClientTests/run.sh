#!/usr/bin/env bash
# Tests Sources/Client: its logic and its URLSession against a virtual device and the real service over HTTP, and its adapters to Apple's
# frameworks over stubs of those. Arguments go to `swift test`.
#
# Usage: run.sh [ARGUMENTS]
#   --help   Print this help.
#
# The service is built as Sources/Service/test.sh builds it, so that after that there is nothing to build.
set -euo pipefail
cd "$(dirname "$0")"
case ${1-} in --help) sed -n '2,/^set/{/^set/d;s/^# \{0,1\}//;p}' run.sh; exit 0 ;; esac

client=$(cd ../../Sources/Client && pwd)

# What Swift 5.9 does not have, or iOS 14. A newer compiler takes these under any language mode, and here is none of Apple's SDKs, which
# would say the same of the systems.
if grep -rnE 'throws\(|(:|->) sending |nonisolated\(unsafe\)|^ *(public|internal|private|package) import|InlineArray|[^a-zA-Z]Span<|\bMutex\b|Synchronization|Duration|ContinuousClock|\.sleep\((for|until):|\bRegex\b|/\.\.\.|any [A-Za-z]+<|withDiscarding|url\.(path|query)\(|\.data\(for:|appending\(path' \
    "$client/Sources"; then
    echo "run.sh: these need newer tools than Swift 5.9 or newer systems than iOS 14" >&2
    exit 1
fi
[ "$(head -n 1 "$client/Package.swift")" = "// swift-tools-version: 5.9" ]

# `canImport(DeviceCheck)` holds where a module of that name is found: the stubs are compiled beside, where no package sees them.
stubs=$(mktemp -d)
trap 'rm -rf "$stubs"' EXIT
for module in DeviceCheck CryptoKit Security; do
    swiftc -swift-version 6 -parse-as-library -module-name "$module" -emit-module -emit-module-path "$stubs/$module.swiftmodule" \
        -emit-object -o "$stubs/$module.o" "AppleStubs/$module.swift"
done
mapfile -t sources < <(find "$client/Sources" -name '*.swift')
# In the language mode that the package has, and in the one that an app may compile it in.
for mode in 5 6; do
    swiftc -swift-version "$mode" -enable-upcoming-feature ExistentialAny -warnings-as-errors -parse-as-library -I "$stubs" \
        -module-name PureAttestClient -emit-module -emit-module-path "$stubs/PureAttestClient.swiftmodule" -emit-object \
        -whole-module-optimization -o "$stubs/PureAttestClient.o" "${sources[@]}"
done
swiftc -swift-version 6 -parse-as-library -I "$stubs" -o "$stubs/check" AppleStubs/Check.swift "$stubs"/*.o
"$stubs/check"

# Without tests: the command builds, and that is all.
../../Sources/Service/test.sh --filter '^$'
ATTEST_SERVICE=$(cd ../../Sources/Service && pwd)/.build-test/release/attest-service swift test --no-parallel "$@"
