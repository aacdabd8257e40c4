#!/usr/bin/env bash
# Tests Sources/Apps/Client: its logic and URLSession with a virtual device and the real service over HTTP, and its
# adapters to Apple's frameworks with stubs. Arguments go to `swift test`.
#
# Usage: run.sh [ARGUMENTS]
#   --help   Print this help.
#
# Shares the service's build with Sources/Apps/Service/test.sh.
set -euo pipefail
cd "$(dirname "$0")"
case ${1-} in --help) sed -n '2,/^set/{/^set/d;s/^# \{0,1\}//;p}' run.sh; exit 0 ;; esac

client=$(cd ../../Sources/Apps/Client && pwd)

# Features that Swift 5.9 or iOS 14 lacks. A newer compiler accepts them in every language mode, and Apple's SDKs, which
# would report missing system APIs, are not available here.
if grep -rnE 'throws\(|(:|->) sending |nonisolated\(unsafe\)|^ *(public|internal|private|package) import|InlineArray|[^a-zA-Z]Span<|\bMutex\b|Synchronization|Duration|ContinuousClock|\.sleep\((for|until):|\bRegex\b|/\.\.\.|any [A-Za-z]+<|withDiscarding|url\.(path|query)\(|\.data\(for:|appending\(path' \
    "$client/Sources"; then
    echo "run.sh: these need newer tools than Swift 5.9 or newer systems than iOS 14" >&2
    exit 1
fi
[ "$(head -n 1 "$client/Package.swift")" = "// swift-tools-version: 5.9" ]

# `canImport(DeviceCheck)` holds if the compiler finds such a module. The stubs are compiled in a folder that no package
# sees.
stubs=$(mktemp -d)
trap 'rm -rf "$stubs"' EXIT
for module in DeviceCheck CryptoKit Security; do
    swiftc -swift-version 6 -parse-as-library -module-name "$module" -emit-module -emit-module-path "$stubs/$module.swiftmodule" \
        -emit-object -o "$stubs/$module.o" "AppleStubs/$module.swift"
done
mapfile -t sources < <(find "$client/Sources" -name '*.swift')
# The package's language mode, and the other one that an app may use.
for mode in 5 6; do
    swiftc -swift-version "$mode" -enable-upcoming-feature ExistentialAny -warnings-as-errors -parse-as-library -I "$stubs" \
        -module-name PureAttestClient -emit-module -emit-module-path "$stubs/PureAttestClient.swiftmodule" -emit-object \
        -whole-module-optimization -o "$stubs/PureAttestClient.o" "${sources[@]}"
done
swiftc -swift-version 6 -parse-as-library -I "$stubs" -o "$stubs/check" AppleStubs/Check.swift "$stubs"/*.o
"$stubs/check"

# Only builds: the filter matches no test.
../../Sources/Apps/Service/test.sh --filter '^$'
ATTEST_SERVICE=$(cd ../../Sources/Apps/Service && pwd)/.build-test/release/attest-service swift test --no-parallel "$@"
