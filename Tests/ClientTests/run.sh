#!/usr/bin/env bash
# Tests Sources/Apps/Client. The client's logic and its URLSession transport run against a virtual device and the real service over HTTP. Its adapters to
# Apple's frameworks run against stubs. Arguments go to `swift test`.
#
# Usage: run.sh [ARGUMENTS]
#   --help   Print this help.
#
# Shares the service's build with Sources/Apps/Service/test.sh, and the other modules with the root package.
set -euo pipefail
cd "$(dirname "$0")"
case ${1-} in --help) sed -n '2,/^set/{/^set/d;s/^# \{0,1\}//;p}' run.sh; exit 0 ;; esac

client=$(cd ../../Sources/Apps/Client && pwd)

# Rejects language and library features that Swift 5.9 or iOS 14 lacks. The compiler in use does not reject them: a newer compiler accepts such features in
# every language mode, and Apple's SDKs are not available here.
if grep -rnE 'throws\(|(:|->) sending |nonisolated\(unsafe\)|^ *(public|internal|private|package) import|InlineArray|[^a-zA-Z]Span<|\bMutex\b|Synchronization|Duration|ContinuousClock|\.sleep\((for|until):|\bRegex\b|/\.\.\.|any [A-Za-z]+<|withDiscarding|url\.(path|query)\(|\.data\(for:|appending\(path' \
    "$client/Sources"; then
    echo "run.sh: these need newer tools than Swift 5.9 or newer systems than iOS 14" >&2
    exit 1
fi
[ "$(head -n 1 "$client/Package.swift")" = "// swift-tools-version: 5.9" ]

# `canImport(DeviceCheck)` is true if the compiler finds a module of that name. The stubs are compiled in a temporary folder that no package sees.
stubs=$(mktemp -d)
trap 'rm -rf "$stubs"' EXIT
for module in DeviceCheck CryptoKit Security; do
    swiftc -swift-version 6 -parse-as-library -module-name "$module" -emit-module -emit-module-path "$stubs/$module.swiftmodule" \
        -emit-object -o "$stubs/$module.o" "AppleStubs/$module.swift"
done
mapfile -t sources < <(find "$client/Sources" -name '*.swift')
# Compiles in language mode 5, which the package uses, and in mode 6, which an app may use.
for mode in 5 6; do
    swiftc -swift-version "$mode" -enable-upcoming-feature ExistentialAny -warnings-as-errors -parse-as-library -I "$stubs" \
        -module-name PureAttestClient -emit-module -emit-module-path "$stubs/PureAttestClient.swiftmodule" -emit-object \
        -whole-module-optimization -o "$stubs/PureAttestClient.o" "${sources[@]}"
done
swiftc -swift-version 6 -parse-as-library -I "$stubs" -o "$stubs/check" AppleStubs/Check.swift "$stubs"/*.o
"$stubs/check"

# Only builds the service, because the filter matches no test.
../../Sources/Apps/Service/test.sh --filter '^$'
ATTEST_SERVICE=$(cd ../../Sources/Apps/Service && pwd)/.build-test/release/attest-service swift test --no-parallel --scratch-path ../../.build "$@"
