#!/usr/bin/env bash
# Writes the optimised IR and SIL that gate.py reads: emit.sh DIRECTORY
# Each of the files PureECDSA.ll, PureECDSA.sil and PureSHA2.ll contains a whole module. On x86-64, also writes
# PureSHA2Hardware.ll. Compiles with these settings of a release build: -O, whole-module optimisation, and the upcoming features that
# Package.swift enables. The proofs read other IR, which `Tests/Checks/Proofs/proofs/build/release.py` writes.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
sources=$here/../../../Sources
mkdir -p "$1"
cd "$1"

flags=(-O -wmo -parse-as-library -swift-version 6 -strict-memory-safety -package-name pureattest)
for feature in $(sed -n 's/.*\.enableUpcomingFeature("\(.*\)").*/\1/p' "$here/../../../Package.swift"); do
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
compile PureECDSA -emit-ir PureECDSA.ll
compile PureECDSA -emit-sil PureECDSA.sil
compile PureSHA2 -emit-ir PureSHA2.ll
if [ "$(uname -m)" = x86_64 ]; then
    # shellcheck disable=SC2207
    flags+=(-DProcessorExtensions -enable-library-evolution)
    for flag in $(sed -n 's/.*extended("PureSHA2Hardware",\(.*\)).*/\1/p' "$here/../../../Package.swift" | tr -d '",'); do flags+=(-Xcc "$flag"); done
    compile PureSHA2Hardware -emit-ir PureSHA2Hardware.ll
fi
