#!/usr/bin/env bash
# Writes the optimised LLVM IR and SIL of PureECDSA as it ships: emit.sh OUTPUT-DIRECTORY
#   PureECDSA.ll      the module and Driver.swift, for the proofs
#   PureECDSA.sil, PureECDSA-shipped.ll, PureSHA2.ll, PureBytes.ll   the modules alone, for the gates
# The settings are those of Package.swift (read from it) and of `swift build -c release`: -O, whole module.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
sources=$here/../../Sources
mkdir -p "$1"
cd "$1"

flags=(-O -wmo -parse-as-library -swift-version 6 -strict-memory-safety -package-name pureattest)
for feature in $(sed -n 's/.*\.enableUpcomingFeature("\(.*\)").*/\1/p' "$here/../../Package.swift"); do
    flags+=(-enable-upcoming-feature "$feature")
done

compile() { # module, what to emit, output, further sources
    local module=$1 emit=$2 output=$3
    shift 3
    # shellcheck disable=SC2046
    swiftc "${flags[@]}" -suppress-warnings -module-name "$module" -I . "$emit" -o "$output" \
        $(find "$sources/$module" -name '*.swift' | sort) "$@"
}

compile PureBytes -emit-module PureBytes.swiftmodule
compile PureSHA2 -emit-module PureSHA2.swiftmodule
compile PureDER -emit-module PureDER.swiftmodule
compile PureECDSA -emit-ir PureECDSA.ll "$here/Driver.swift"
if [ "${2-}" = all ]; then
    compile PureECDSA -emit-ir PureECDSA-shipped.ll
    compile PureECDSA -emit-sil PureECDSA.sil
    compile PureSHA2 -emit-ir PureSHA2.ll
    compile PureBytes -emit-ir PureBytes.ll
fi
