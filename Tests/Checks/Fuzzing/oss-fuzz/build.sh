#!/bin/bash
# Builds the fuzz targets for OSS-Fuzz (google.github.io/oss-fuzz, "Integrating a Swift project"). For each target, writes a program with a
# dictionary, seeds and options to $OUT. ../README.md explains how to run this script without Docker.

set -eu

# The base image contains `precompile_swift`, which provides the symbolizer and sets the sanitizer flags.
. precompile_swift

fuzzing=$SRC/PureAttest/Tests/Checks/Fuzzing
cd "$fuzzing"
# The build is optimised, like the builds of users. The compiler accepts both sanitizers only in a single flag. The image's SWIFT6_2FLAGS
# are options of SwiftPM.
build=(swift build -c release --scratch-path "$WORK/swift-build" $SWIFT6_2FLAGS
    -Xswiftc -enable-testing -Xswiftc -assert-config -Xswiftc Debug)
[ "$SANITIZER" = coverage ] || build+=(-Xswiftc "-sanitize=fuzzer,$SANITIZER")
"${build[@]}"
program=$("${build[@]}" --show-bin-path)/fuzz

# Leak detection is off, because LeakSanitizer does not recognise a pointer whose spare bits encode the case of an enum.
export ASAN_OPTIONS=detect_leaks=0
"$program" --seeds "$SRC/PureAttest/Vectors" "$WORK/seeds"
for name in $("$program" --targets); do
    # Every target's seeds include the regressions, as in run.sh.
    cp "$fuzzing"/Regressions/* "$WORK/seeds/$name/"
    # The program's name selects the target, because OSS-Fuzz passes no arguments.
    cp "$program" "$OUT/fuzz_$name"
    cp "$fuzzing/tokens.dict" "$OUT/fuzz_$name.dict"
    (cd "$WORK/seeds/$name" && rm -f "$OUT/fuzz_${name}_seed_corpus.zip" && python3 -m zipfile -c "$OUT/fuzz_${name}_seed_corpus.zip" .)
    printf '[libfuzzer]\nmalloc_limit_mb = 64\n\n[asan]\ndetect_leaks = 0\nquarantine_size_mb = 1\n' >"$OUT/fuzz_$name.options"
done
