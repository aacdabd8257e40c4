#!/bin/bash
# Builds the fuzz targets for OSS-Fuzz (google.github.io/oss-fuzz, "Integrating a Swift project"): $OUT gets, for each target, a
# program named after it, its dictionary, its seeds and its options. Tests/Fuzzing/README.md says how to run it without Docker.

set -eu

# The base image's: the symbolizer, and the flags of this sanitizer.
. precompile_swift

fuzzing=$SRC/PureAttest/Tests/Fuzzing
cd "$fuzzing"
# What ships is optimised, so this is. The compiler takes both sanitizers in one flag only; the image's flags are for SwiftPM.
build=(swift build -c release --scratch-path "$WORK/swift-build" $SWIFT6_2FLAGS
    -Xswiftc -enable-testing -Xswiftc -assert-config -Xswiftc Debug)
[ "$SANITIZER" = coverage ] || build+=(-Xswiftc "-sanitize=fuzzer,$SANITIZER")
"${build[@]}"
program=$("${build[@]}" --show-bin-path)/fuzz

# A pointer in an enum's payload has the case in its spare bits, which LeakSanitizer does not know.
export ASAN_OPTIONS=detect_leaks=0
"$program" --seeds "$SRC/PureAttest/Vectors" "$WORK/seeds"
for name in $("$program" --targets); do
    # Regressions come with the seeds of every target, as in run.sh.
    cp "$fuzzing"/Regressions/* "$WORK/seeds/$name/"
    # The name chooses the target: OSS-Fuzz passes no arguments of its own.
    cp "$program" "$OUT/fuzz_$name"
    cp "$fuzzing/tokens.dict" "$OUT/fuzz_$name.dict"
    (cd "$WORK/seeds/$name" && rm -f "$OUT/fuzz_${name}_seed_corpus.zip" && python3 -m zipfile -c "$OUT/fuzz_${name}_seed_corpus.zip" .)
    printf '[libfuzzer]\nmalloc_limit_mb = 64\n\n[asan]\ndetect_leaks = 0\nquarantine_size_mb = 1\n' >"$OUT/fuzz_$name.options"
done
