#!/usr/bin/env bash
# Compiles and runs the code in README.md and the articles: see this folder's README.md.
#
# Usage: run.sh [--javascript]
#   --javascript   Run the JavaScript blocks instead, in Node, with the module that Sources/Bindings/Wasm/wasm.sh built.
#   --help         Print this help.
#
# Uses the modules of the last debug build in .build (swift build, or swift build --build-tests).
set -euo pipefail
cd "$(dirname "$0")/../../.."
case ${1-} in
    --help) sed -n '2,/^set/{/^set/d;s/^# \{0,1\}//;p}' Tests/Checks/Snippets/run.sh; exit 0 ;;
    --javascript | "") ;;
    *) echo "run.sh: unknown option $1; see --help" >&2; exit 2 ;;
esac
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
python3 Tests/Checks/Snippets/extract.py "$work/code"

if [ "${1-}" = --javascript ]; then
    module=Sources/Bindings/Wasm/.build/PureAttestExplainTestWasm.wasm
    [ -e "$module" ] || { echo "run.sh: $module is missing: Sources/Bindings/Wasm/wasm.sh" >&2; exit 2; }
    for tool in .build/release/pure-attest .build/debug/pure-attest; do [ ! -x "$tool" ] || break; done
    node Tests/Checks/Snippets/javascript.mjs "$work/code" "$tool" "$module"
    exit
fi

bin=$(swift build --show-bin-path)
modules="PureBytes PureSHA2 PureDER PureCBOR PureJSON PureECDSA PureSignedContent PureRSA PureX509 PureX509Paths PureJWS PureAppStore PureAttest PureKeyAttestation PureAttestTesting PureAppStoreTesting PureKeyAttestationTesting PureAttestServerCore PureAttestServerMessages PureAttestServer PureAttestPurchasesCore PureAttestPurchasesMessages PureAttestPurchases PureAttestStoreTesting"
# These modules are built only with the trait ProcessorExtensions.
extensions="PureSHA2Hardware PureProcessor PureECDSALanes"
objects=()
for module in $modules $extensions; do
    # Lists the sources, not the object files, because a build keeps the object files of deleted sources.
    while read -r file; do
        object=$bin/$module.build/$(basename "$file").o
        [ -e "$object" ] || [[ " $extensions " == *" $module "* ]] || { echo "run.sh: $module is not built: swift build" >&2; exit 2; }
        [ ! -e "$object" ] || objects+=("$object")
    done < <(find "Sources/$module" -name '*.swift')
done

mapfile -t client < <(find Sources/Apps/Client/Sources -name '*.swift')
swiftc -swift-version 5 -parse-as-library -wmo -Onone -module-name PureAttestClient -emit-module \
    -emit-module-path "$work/PureAttestClient.swiftmodule" -emit-object -o "$work/PureAttestClient.o" "${client[@]}"

# Warnings are suppressed, because an article may declare unused values, and a prelude also declares values for other blocks.
swiftc -swift-version 6 -enable-bare-slash-regex -suppress-warnings -Onone -I "$bin/Modules" -I "$work" -module-name Snippets \
    -o "$work/snippets" "$work"/code/*.swift Tests/Checks/Snippets/Main.swift Tests/Checks/Snippets/Support.swift -parse-as-library "${objects[@]}" "$work/PureAttestClient.o"
(cd "$work" && ./snippets)

api=$(dirname "$(dirname "$(command -v swiftc)")")/lib/swift/pm/ManifestAPI
for file in "$work"/code/Manifest*.txt; do
    cp "$file" "$work/Package.swift"
    swiftc -swift-version 6 -typecheck -package-description-version 6.3 -I "$api" "$work/Package.swift"
done
