#!/usr/bin/env bash
# Builds libPureAttestC.so, the verifier for callers in other languages, and tests it from Python. include/pure_attest.h
# documents the functions.
#
# Usage: c-abi.sh [--record]
#   --record Write the library's size and speed to records/c-abi.md.
#   --help   Print this help.
#
# Requires Swift 6.3, cc (to check the header), python3 and readelf (Debian: binutils), on Linux on x86-64 or arm64. The
# built library depends only on the C library. PUREATTEST_EXTRA_VECTORS may name a directory with more genuine objects.
set -euo pipefail
cd "$(dirname "$0")"

record=
case ${1-} in
    "") ;;
    --record) record=1 ;;
    --help) sed -n '2,/^set/{/^set/d;s/^# \{0,1\}//;p}' "${0##*/}"; exit 0 ;;
    *) echo "c-abi.sh: unknown option $1; see --help" >&2; exit 2 ;;
esac
for tool in swift cc python3 readelf; do
    command -v "$tool" >/dev/null || { echo "c-abi.sh: $tool is missing; see --help" >&2; exit 2; }
done

# Touch the manifest: SwiftPM reads a changed toolset only when it plans the build again.
touch ../Wasm/Package.swift
build=(swift build --package-path ../Wasm --configuration release --scratch-path .build-c-abi --toolset linux-toolset.json --product PureAttestC
    -Xlinker "--version-script=$PWD/include/exports.map")
"${build[@]}"
library=.build-c-abi/libPureAttestC.so
strip --strip-unneeded "$("${build[@]}" --show-bin-path)/libPureAttestC.so" -o $library

needed=$(readelf --dynamic $library | sed -n 's/.*(NEEDED).*\[\(.*\)\]/\1/p' | tr '\n' ' ')
[ "$needed" = "libc.so.6 " ] || { echo "c-abi.sh: $library needs $needed" >&2; exit 1; }
cc -std=c11 -Wall -Wextra -Wpedantic -Werror -fsyntax-only include/pure_attest.h
# Checks that the structs in the header have the layout that generate-bindings derives from the Swift source.
{
    printf '#include <stddef.h>\n#include "pure_attest.h"\n'
    sed -En 's|^/\*\* `(\w+)` of .*|type \1|p; s/^export const \w+_SIZE = ([0-9]+);/size \1/p; s/^  (\w+): ([0-9]+),$/\1 \2/p' \
        ../JavaScript/Generated/result-layout.mjs | sed 's/[A-Z]/_\L&/g' |
        awk '$1 == "type" { type = $2; next } $1 == "size" { print "_Static_assert(sizeof(" type ") == " $2 ", \"" type "\");"; next }
            { print "_Static_assert(offsetof(" type ", " $1 ") == " $2 ", \"" $1 "\");" }'
} >.build-c-abi/layout.c
[ "$(grep -c Static_assert .build-c-abi/layout.c)" = 23 ] || { echo "c-abi.sh: result-layout.mjs has another form" >&2; exit 1; }
cc -std=c11 -Iinclude -fsyntax-only .build-c-abi/layout.c
# Checks that the library exports exactly the functions of the header. Its exported data symbols are metadata of Swift
# arrays.
diff <(grep -o 'pure_attest_[a-z0-9_]*(' include/pure_attest.h | tr -d '(' | sort -u) \
    <(nm --dynamic --defined-only $library | awk '$2 == "T" { print $3 }' | sort -u)

result=$(python3 Test/c_abi.py $library ../../../Vectors ${PUREATTEST_EXTRA_VECTORS:+"$PUREATTEST_EXTRA_VECTORS"})
echo "$result"
[ -z "$record" ] || printf '%s bytes\n%s\n' "$(wc -c <$library)" "$(tail -n 1 <<<"$result")" |
    ../../../Benchmarks/record.sh ../records/c-abi.md "libPureAttestC.so" "Sources/Bindings/C/c-abi.sh --record"
echo "Built libPureAttestC.so, which needs libc only: $(wc -c <$library) bytes; $(tail -n 1 <<<"$result")"
