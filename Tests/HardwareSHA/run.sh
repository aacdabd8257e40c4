#!/usr/bin/env bash
# The trait HardwareSHA: builds the tests, optimised, with it, and runs those of SHA-2 on this processor and on two that have no SHA
# extensions; looks at which functions its flags reach; and looks that without the trait nothing of it is linked.
#   Tests/HardwareSHA/run.sh
# Needs x86-64, objdump and nm, and qemu-x86_64 (Debian: qemu-user); without qemu the other processors are left out, and the last line
# says so; with CI=true that is a failure. The build is the continuous integration's of the optimised tests, and is kept.
# Exit status: 0 if all is well, 1 if not, 2 if it could not be run.
set -euo pipefail
case "$#:${1-}" in
0:) ;;
1:--help | 1:-h) sed -n '2,7s/^# \{0,1\}//p' "$0" && exit 0 ;;
*) echo "run.sh: unknown argument: $1; see --help" >&2 && exit 2 ;;
esac
cd "$(dirname "$0")/../.."
[ "$(uname -m)" = x86_64 ] || { echo "run.sh: this machine is no x86-64" >&2 && exit 2; }
for tool in objdump nm; do
    command -v "$tool" >/dev/null || { echo "run.sh: there is no $tool" >&2 && exit 2; }
done

fail() { echo "run.sh: $1" >&2 && exit 1; }

build=.build-release-tests
swift build --build-tests -c release --traits HardwareSHA -Xswiftc -enable-testing --scratch-path "$build"
tests=$build/release/PureAttestPackageTests.xctest

# What is compiled with the flags must not stand in for another module's code: a function that several modules may define (weak) and
# that is not of this module's name could be the one that the linker keeps, and then runs on every processor.
objects=("$build"/release/PureSHA2Hardware.build/*.o)
foreign=$(nm "${objects[@]}" | awk 'NF == 3 && $2 ~ /^[TtWwVv]$/ && $3 !~ /^\$s16PureSHA2Hardware/ && $3 != "__swift_reflection_version"')
[ -z "$foreign" ] || fail "compiled for the extensions, and not of that module: $foreign"
instructions() { objdump -d "$@" | grep -c 'sha256rnds2' || true; }
[ "$(instructions "${objects[@]}")" -gt 0 ] || fail "no SHA instructions where they ought to be"

# On a processor: what it has, and the command that runs a program on it. Each writes a file: the slow ones run side by side, as each
# takes one processor.
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
    [ -e "$results/$name, passed" ] || { tail -n 20 "$results/$name" >&2 && fail "SHA-2 on $name"; }
    grep -q 'Test run with [1-9][0-9]* tests in [0-9]* suites passed' "$results/$name" || fail "nothing ran on $name"
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
    fail "there is no qemu-x86_64"
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
[ "$here" = yes ] || echo "This processor has no SHA extensions: what uses them was compiled and not run."
echo "$runs processors passed$([ "$runs" = 3 ] || echo "; there is no qemu-x86_64, and so no other processor")"
