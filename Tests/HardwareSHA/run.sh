#!/usr/bin/env bash
# Tests the trait HardwareSHA: builds the optimised tests with it and runs the SHA-2 tests on this processor and on two emulated ones
# without SHA extensions. Checks which functions the trait's flags reach, and that a build without the trait links none of them.
#   Tests/HardwareSHA/run.sh
# Needs x86-64, objdump, nm and qemu-x86_64 (Debian: qemu-user). Without qemu it skips the emulated processors and says so in the last
# line; with CI=true that is a failure. It shares the continuous integration's build of the optimised tests, and keeps it.
# Exit status: 0 if all checks pass, 1 if one fails, 2 if it could not run.
set -euo pipefail
case "$#:${1-}" in
0:) ;;
1:--help | 1:-h) sed -n '2,7s/^# \{0,1\}//p' "$0" && exit 0 ;;
*) echo "run.sh: unknown argument: $1; see --help" >&2 && exit 2 ;;
esac
cd "$(dirname "$0")/../.."
[ "$(uname -m)" = x86_64 ] || { echo "run.sh: this machine is not x86-64" >&2 && exit 2; }
for tool in objdump nm; do
    command -v "$tool" >/dev/null || { echo "run.sh: $tool is not installed" >&2 && exit 2; }
done

fail() { echo "run.sh: $1" >&2 && exit 1; }

build=.build-release-tests
# Without debug information, which takes a quarter of the compiler's time and changes no instruction.
swift build --build-tests -c release -debug-info-format none --traits HardwareSHA -Xswiftc -enable-testing --scratch-path "$build"
tests=$build/release/PureAttestPackageTests.xctest

# Code compiled with the flags must not replace another module's code. If several modules may define a function (weak) and its name is not
# this module's, the linker could keep this copy, which would then run on every processor.
objects=("$build"/release/PureSHA2Hardware.build/*.o)
foreign=$(nm "${objects[@]}" | awk 'NF == 3 && $2 ~ /^[TtWwVv]$/ && $3 !~ /^\$s16PureSHA2Hardware/ && $3 != "__swift_reflection_version"')
[ -z "$foreign" ] || fail "compiled with the module's flags but not its own: $foreign"
instructions() { objdump -d "$@" | grep -c 'sha256rnds2' || true; }
[ "$(instructions "${objects[@]}")" -gt 0 ] || fail "no SHA instructions in PureSHA2Hardware"

# Runs the tests on a processor, given whether it has the extensions and the command that runs a program on it. Each run writes a file,
# so that the slow ones can run concurrently.
results=$(mktemp -d)
trap 'rm -rf "$results"' EXIT
check() {
    local name=$1 has=$2
    shift 2
    PUREATTEST_SHA_EXTENSIONS=$has "$@" "$tests" --testing-library swift-testing --filter PureSHA2Tests >"$results/$name" 2>&1 &&
        touch "$results/$name, passed"
}
report() {
    local name=$1 has=$2
    [ -e "$results/$name, passed" ] || { tail -n 20 "$results/$name" >&2 && fail "the SHA-2 tests failed on $name"; }
    grep -q 'Test run with [1-9][0-9]* tests in [0-9]* suites passed' "$results/$name" || fail "no test ran on $name"
    runs=$((runs + 1))
    echo "SHA-2 on $name: SHA extensions: $has; $(grep -o 'Test run with.*passed' "$results/$name")"
}
here=$(grep -qw sha_ni /proc/cpuinfo && echo yes || echo no)
older="qemu's Nehalem, which has SSSE3 only"
oldest="qemu64, which has neither"
emulated=()
if command -v qemu-x86_64 >/dev/null; then
    check "$older" no qemu-x86_64 -cpu Nehalem &
    emulated+=($!)
    check "$oldest" no qemu-x86_64 -cpu qemu64 &
    emulated+=($!)
elif [ "${CI:-}" = true ]; then
    fail "qemu-x86_64 is not installed"
fi

# Without the trait.
swift build -c release --product pure-attest
plain=.build/release/pure-attest
[ "$(instructions "$plain")" = 0 ] || fail "SHA instructions without the trait"
[ "$(nm "$plain" | grep -c PureSHA2Hardware)" = 0 ] || fail "PureSHA2Hardware is linked without the trait"

runs=0
check "this processor" "$here" env || true
report "this processor" "$here"
if [ ${#emulated[@]} -gt 0 ]; then
    wait "${emulated[@]}" || true
    report "$older" no
    report "$oldest" no
fi
[ "$here" = yes ] || echo "This processor has no SHA extensions: the code that uses them was compiled but not run."
echo "$runs processors passed$([ "$runs" = 3 ] || echo "; without qemu-x86_64 no other processor was tested")"
