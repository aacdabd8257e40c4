#!/usr/bin/env bash
# Writes what the compiler makes of the modules as they ship: emit.sh proofs|gates DIRECTORY
#   proofs: PureECDSA.ll, the optimised LLVM IR of PureECDSA with Driver.swift
#   gates: PureECDSA.ll, PureECDSA.sil and PureSHA2.ll, optimised IR and SIL of the modules alone, and on x86-64 PureSHA2Hardware.ll
# The settings are those of Package.swift (the features are read from it) and of `swift build -c release`: -O, whole module.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
sources=$here/../../Sources
what=$1
replaced=
mkdir -p "$2"
cd "$2"

flags=(-O -wmo -parse-as-library -swift-version 6 -strict-memory-safety -package-name pureattest)
for feature in $(sed -n 's/.*\.enableUpcomingFeature("\(.*\)").*/\1/p' "$here/../../Package.swift"); do
    flags+=(-enable-upcoming-feature "$feature")
done

compile() { # module, what to emit, output, further sources
    local module=$1 emit=$2 output=$3
    shift 3
    # shellcheck disable=SC2046
    swiftc "${flags[@]}" -suppress-warnings -module-name "$module" -I . "$emit" -o "$output" \
        $(find "$sources/$module" -name '*.swift' ! -name "$replaced" | sort) "$@"
}

compile PureBytes -emit-module PureBytes.swiftmodule
compile PureSHA2 -emit-module PureSHA2.swiftmodule
compile PureDER -emit-module PureDER.swiftmodule
case $what in
proofs)
    # What InversionDriver.swift calls is private to ModularInversion.swift: the two are compiled as one file.
    cat "$sources/PureECDSA/Field/ModularInversion.swift" "$here/InversionDriver.swift" >ModularInversion.swift
    replaced=ModularInversion.swift
    compile PureECDSA -emit-ir PureECDSA.ll ModularInversion.swift "$here/Driver.swift"
    ;;
gates)
    compile PureECDSA -emit-ir PureECDSA.ll
    compile PureECDSA -emit-sil PureECDSA.sil
    compile PureSHA2 -emit-ir PureSHA2.ll
    if [ "$(uname -m)" = x86_64 ]; then
        # shellcheck disable=SC2207
        flags+=(-DHardwareSHA $(sed -n '/\.unsafeFlags/,/\]/s/[][",]/ /gp' "$here/../../Package.swift" | grep -oE -- '-(Xcc|m[a-z0-9]+|enable-[a-z-]+)'))
        compile PureSHA2Hardware -emit-ir PureSHA2Hardware.ll
    fi
    ;;
esac
