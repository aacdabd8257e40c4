#!/usr/bin/env bash
# Builds images without an operating system for a Cortex-M4 (armv7em) and a 32-bit RISC-V, and runs them in qemu. One
# image verifies an attestation and an assertion. The other verifies only an assertion, in at most 64 KB of code and
# constants. Both must also reject damaged objects. A third image runs the self-test: it passes unchanged, and finds one
# wrong bit in each table and constant of damage.py.
#   Sources/Bindings/BareMetal/bare-metal.sh [--record]   with --record, sizes and stacks go to ../records/bare-metal.md
# Needs Swift 6.3, python3, and qemu-system-arm and qemu-system-riscv32 (Debian: qemu-system-arm, qemu-system-misc).
# Without a machine's qemu, its images are built but not run, and the last line says so; with CI=true that is a failure
# (status 2) before anything is built. PUREATTEST_EXTRA_VECTORS may name a directory with a genuine assertion.
set -euo pipefail
record=
case "${1:-}" in
    "") ;;
    --record) record=1 ;;
    -h | --help) sed -n '2,10s/^# \{0,1\}//p' "$0"; exit 0 ;;
    *) echo "bare-metal.sh: unknown argument: $1; see --help" >&2; exit 2 ;;
esac
for tool in qemu-system-arm qemu-system-riscv32; do
    [ "${CI:-}" != true ] || command -v $tool >/dev/null || {
        echo "bare-metal.sh: $tool is missing, and with CI=true every image is run; see --help" >&2
        exit 2
    }
done
cd "$(dirname "$0")"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

run_image() {  # machine, image, objects: what it wrote
    case $1 in
        armv7em) set -- "$2" "$3" 0x21000000 qemu-system-arm -M mps2-an386 ;;
        riscv32) set -- "$2" "$3" 0x81000000 qemu-system-riscv32 -M virt -bios none -m 128 ;;
    esac
    local image=$1 objects=$2 address=$3
    shift 3
    timeout 120 "$@" -nographic -no-reboot -monitor none -serial stdio -kernel "$image" \
        -device "loader,file=$objects,addr=$address,force-raw=on" </dev/null
}

expect() {  # what is written, what was expected of it
    grep -qx "$2" <<<"$1" || { printf 'bare-metal.sh: expected "%s" of\n%s\n' "$2" "$1" >&2; exit 1; }
}

passed=0
summary=
for machine in armv7em riscv32; do
    triple=$machine-none-none-eabi
    qemu=qemu-system-${machine/v7em/}
    touch Package.swift  # SwiftPM reads a changed toolset only when it plans the build anew
    for image in Full Assertion; do
        swift build -c release --triple "$triple" --toolset "$machine-toolset.json" --product "${image}Image"
        built=.build/$triple/release/${image}Image
        text=$(python3 elf-size.py "$built")
        line="$machine $image: $text"
        if [ "$image" = Assertion ] && [ "${text%% *}" -gt 65536 ]; then
            echo "bare-metal.sh: $line; the limit is 65536" >&2
            exit 1
        fi
        if command -v "$qemu" >/dev/null; then
            for state in genuine damaged; do
                python3 objects.py "${image,,}" "$state" "$work/objects" >"$work/origin"
                output=$(run_image "$machine" "$built" "$work/objects" | tr -d '\r')
                verdict=$([ "$state" = genuine ] && echo verified || echo refused)
                [ "$image" = Assertion ] || expect "$output" "attestation $verdict"
                expect "$output" "assertion $verdict\(, counter 1\)\?"
                passed=$((passed + 1))
                [ "$state" = damaged ] || line="$line, $(grep 'peak stack' <<<"$output")"
            done
        else
            line="$line, not run: no $qemu"
        fi
        echo "$line"
        summary="$summary$line; "
    done

    swift build -c release --triple "$triple" --toolset "$machine-toolset.json" --product SelfTestImage
    built=.build/$triple/release/SelfTestImage
    line="$machine SelfTest: $(python3 elf-size.py "$built")"
    if command -v "$qemu" >/dev/null; then
        : >"$work/objects"
        output=$(run_image "$machine" "$built" "$work/objects" | tr -d '\r')
        expect "$output" "self-test passed"
        passed=$((passed + 1))
        line="$line, $(grep 'peak stack' <<<"$output")"
        while read -r place part; do
            python3 damage.py "$place" "$built" "$work/damaged"
            expect "$(run_image "$machine" "$work/damaged" "$work/objects" | tr -d '\r')" "self-test failed: $part"
            passed=$((passed + 1))
        done < <(python3 damage.py --list)
    else
        line="$line, not run: no $qemu"
    fi
    echo "$line"
    summary="$summary$line; "
done
[ -z "$record" ] || sed 's/; /\n/g' <<<"${summary%; }" | ../../../Benchmarks/record.sh ../records/bare-metal.md \
    "Images without an operating system" "Sources/Bindings/BareMetal/bare-metal.sh --record"
if [ "$passed" = 0 ]; then
    echo "Built for bare metal: ${summary}nothing was run"
else
    # On each of two machines: two images, each with genuine and damaged objects, and the self-test, unchanged and with
    # each damage.
    runs=$((2 * (4 + 1 + $(python3 damage.py --list | wc -l))))
    [ "${CI:-}" != true ] || [ "$passed" = $runs ] || { echo "bare-metal.sh: $passed runs, expected $runs" >&2 && exit 1; }
    echo "Built for bare metal: ${summary}assertion: $(cat "$work/origin"); $passed runs passed, 0 failed"
fi
