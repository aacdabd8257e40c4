#!/bin/bash
# Builds the fuzz targets for OSS-Fuzz (google.github.io/oss-fuzz, "Integrating a Swift project"). For each target, writes a program with a
# dictionary, seeds and options to $OUT. ../README.md explains how to run this script without Docker.

set -eu

# This script of the base image provides the symbolizer and sets the sanitizer's flags.
. precompile_swift

fuzzing=$SRC/PureAttest/Tests/Checks/Fuzzing
cd "$fuzzing"
# Optimised, as the package ships. The compiler accepts both sanitizers only in one flag. The image's flags are options of SwiftPM.
build=(swift build -c release --scratch-path "$WORK/swift-build" $SWIFT6_2FLAGS
    -Xswiftc -enable-testing -Xswiftc -assert-config -Xswiftc Debug)
[ "$SANITIZER" = coverage ] || build+=(-Xswiftc "-sanitize=fuzzer,$SANITIZER")
"${build[@]}"
program=$("${build[@]}" --show-bin-path)/fuzz

# LeakSanitizer does not recognise a pointer in an enum's payload, because its spare bits encode the case.
export ASAN_OPTIONS=detect_leaks=0
"$program" --seeds "$SRC/PureAttest/Vectors" "$WORK/seeds"
for name in $("$program" --targets); do
    # Every target's seeds include the regressions, as in run.sh.
    cp "$fuzzing"/Regressions/* "$WORK/seeds/$name/"
    # The name selects the target, because OSS-Fuzz passes no arguments.
    cp "$program" "$OUT/fuzz_$name"
    cp "$fuzzing/tokens.dict" "$OUT/fuzz_$name.dict"
    (cd "$WORK/seeds/$name" && rm -f "$OUT/fuzz_${name}_seed_corpus.zip" && python3 -m zipfile -c "$OUT/fuzz_${name}_seed_corpus.zip" .)
    printf '[libfuzzer]\nmalloc_limit_mb = 64\n\n[asan]\ndetect_leaks = 0\nquarantine_size_mb = 1\n' >"$OUT/fuzz_$name.options"
done
