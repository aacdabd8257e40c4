#!/usr/bin/env bash
# Builds optimised modules and their tests with the trait ProcessorExtensions. Runs all tests on this processor, and the tests of SHA-2 and of signature
# batches on two emulated processors without the extensions.
# Checks that the modules with the trait's compiler flags define only their own functions. Builds without the trait must not link these modules.
# PureProcessor must not use the extensions that it detects.
#   Tests/Checks/ProcessorExtensions/run.sh [--verifier]
#     --verifier   Only the tests of PureAttest and of the modules for signatures, digests, DER, CBOR and certificates.
# Needs x86-64, objdump, nm and qemu-x86_64 (Debian: qemu-user). Without qemu, the script skips the emulated processors and says so in the last
# line; with CI=true, it fails instead.
# Exit status: 0 if all checks pass, 1 if one fails, 2 if it could not run.
set -euo pipefail
# Package.swift reads this variable.
only=(--unset=PUREATTEST_TESTS)
case "$#:${1-}" in
0:) ;;
1:--verifier) only=(PUREATTEST_TESTS="PureSHA2Tests PureDERTests PureCBORTests PureECDSATests PureRSATests PureX509Tests PureAttestTests") ;;
1:--help | 1:-h) sed -n '2,10s/^# \{0,1\}//p' "$0" && exit 0 ;;
*) echo "run.sh: unknown argument: $1; see --help" >&2 && exit 2 ;;
esac
cd "$(dirname "$0")/../../.."
[ "$(uname -m)" = x86_64 ] || { echo "run.sh: this machine is not x86-64" >&2 && exit 2; }
for tool in objdump nm; do
    command -v "$tool" >/dev/null || { echo "run.sh: $tool is not installed" >&2 && exit 2; }
done

fail() { echo "run.sh: $1" >&2 && exit 1; }

build=.build-release-tests
# Omits debug information, which costs a quarter of the compilation time and changes no instruction.
env "${only[@]}" swift build --product PureAttestPackageTests -c release -debug-info-format none --traits ProcessorExtensions \
    -Xswiftc -enable-testing --scratch-path "$build"
tests=$build/release/PureAttestPackageTests.xctest

# Code compiled with the trait's flags must not replace another module's code. Several modules may contain a weak function of the same name, if the name does
# not include the module. The linker then keeps only one copy. If this copy was compiled with the flags, it would run on every processor. The check uses a build
# without tests, as users build the package, because the compiler emits more functions for tests.
modules=(PureSHA2Hardware PureProcessor PureECDSALanes)
instructions() { objdump -d "${@:2}" | grep -c "$1" || true; }
for module in "${modules[@]}"; do
    swift build -c release --traits ProcessorExtensions --target "$module" --scratch-path .build-extensions
    objects=(.build-extensions/release/"$module".build/*.o)
    foreign=$(nm "${objects[@]}" | awk -v own="[0-9]$module" 'NF == 3 && $2 ~ /^[TtWw]$/ && $3 !~ own && $3 != "__swift_reflection_version"')
    [ -z "$foreign" ] || fail "compiled with the flags of $module but not its own: $foreign"
    found=$(instructions 'sha256rnds2\|vpmadd52' "${objects[@]}")
    # PureProcessor detects the extensions, so it must not use them.
    if [ "$module" = PureProcessor ]; then
        [ "$(instructions '%[xyz]mm[0-9]*,%[yz]mm\|%zmm' "${objects[@]}")" = 0 ] && [ "$found" = 0 ] || fail "extensions in PureProcessor"
    else
        [ "$found" -gt 0 ] || fail "no instructions of the extensions in $module"
    fi
done

# Runs the tests that match a filter on a processor. Arguments: the filter, the processor's name, whether it has the SHA extensions, whether it has AVX-512
# IFMA, and the command that runs a program on it. Each run writes to its own file, so that the slow runs can be concurrent.
results=$(mktemp -d)
trap 'rm -rf "$results"' EXIT
check() {
    local filter=$1 name=$2 sha=$3 ifma=$4
    shift 4
    PUREATTEST_SHA_EXTENSIONS=$sha PUREATTEST_IFMA=$ifma "$@" "$tests" --testing-library swift-testing --filter "$filter" >"$results/$name" 2>&1 &&
        touch "$results/$name, passed"
}
report() {
    local name=$1 sha=$2 ifma=$3
    [ -e "$results/$name, passed" ] || { tail -n 20 "$results/$name" >&2 && fail "the tests failed on $name"; }
    grep -q 'Test run with [1-9][0-9]* tests in [0-9]* suites passed' "$results/$name" || fail "no test ran on $name"
    runs=$((runs + 1))
    echo "On $name: SHA extensions: $sha; AVX-512 IFMA: $ifma; $(grep -o 'Test run with.*passed' "$results/$name")"
}
has() { grep -qw "$1" /proc/cpuinfo && echo yes || echo no; }
sha=$(has sha_ni)
ifma=$(has avx512ifma)
extended='PureSHA2Tests|PureECDSATests.*(Lane|SignatureBatch)'
older="qemu's Nehalem, which has SSSE3 only"
oldest="qemu64, which has neither"
emulated=()
if command -v qemu-x86_64 >/dev/null; then
    check "$extended" "$older" no no qemu-x86_64 -cpu Nehalem &
    emulated+=($!)
    check "$extended" "$oldest" no no qemu-x86_64 -cpu qemu64 &
    emulated+=($!)
elif [ "${CI:-}" = true ]; then
    fail "qemu-x86_64 is not installed"
fi

# The build without the trait must contain no instruction of the extensions.
swift build -c release --product pure-attest
plain=.build/release/pure-attest
[ "$(instructions 'sha256rnds2\|vpmadd52' "$plain")" = 0 ] || fail "instructions of the extensions without the trait"
for module in "${modules[@]}"; do
    [ "$(nm "$plain" | grep -c "$module")" = 0 ] || fail "$module is linked without the trait"
done

runs=0
check . "this processor" "$sha" "$ifma" env || true
report "this processor" "$sha" "$ifma"
if [ ${#emulated[@]} -gt 0 ]; then
    wait "${emulated[@]}" || true
    report "$older" no no
    report "$oldest" no no
fi
[ "$sha" = yes ] || echo "This processor has no SHA extensions: the code that uses them was compiled but not run."
[ "$ifma" = yes ] || echo "This processor has no AVX-512 IFMA: the lanes were compiled but not run; tests without the trait run their portable form."
echo "$runs processors passed$([ "$runs" = 3 ] || echo "; without qemu-x86_64 no other processor was tested")"
