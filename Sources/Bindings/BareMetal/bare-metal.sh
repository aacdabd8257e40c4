#!/usr/bin/env bash
# Builds bare-metal images for a Cortex-M4 (armv7em), a 32-bit RISC-V and a 64-bit ARM (aarch64), and runs them in qemu.
# On each machine, one image runs the self-test. The intact image must pass. With one bit flipped in any one of the
# constants that damage.py lists, the self-test must fail. On the 32-bit machines, one image verifies an attestation and
# an assertion. Another image verifies only an assertion, and has at most 64 KB of code and constants. Both images must
# also reject damaged objects. On aarch64, an image verifies the test vectors of vectors.py, and counts the instructions
# of some of the operations in Benchmarks/Instructions.
#   Sources/Bindings/BareMetal/bare-metal.sh [--record]   --record writes figures to ../records/bare-metal.md
# Requires Swift 6.3, python3, and qemu-system-{arm,aarch64,riscv32} (Debian: qemu-system-arm, qemu-system-misc). If
# qemu for a machine is missing, the script only builds the images of that machine, and says so in its last line. With
# CI=true, the script instead fails at the start (status 2). PUREATTEST_EXTRA_VECTORS may name a directory with genuine
# objects and Wycheproof's suites.
set -euo pipefail
record=
case "${1:-}" in
    "") ;;
    --record) record=1 ;;
    -h | --help) sed -n '2,13s/^# \{0,1\}//p' "$0"; exit 0 ;;
    *) echo "bare-metal.sh: unknown argument: $1; see --help" >&2; exit 2 ;;
esac
for tool in qemu-system-arm qemu-system-aarch64 qemu-system-riscv32; do
    [ "${CI:-}" != true ] || command -v $tool >/dev/null || {
        echo "bare-metal.sh: $tool is missing, and with CI=true every image is run; see --help" >&2
        exit 2
    }
done
cd "$(dirname "$0")"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

settings() {  # argument: machine; sets triple, qemu and its arguments, the address of the objects, and the images
    images="Full Assertion SelfTest"
    case $1 in
        armv7em) triple=$1-none-none-eabi qemu=qemu-system-arm arguments="-M mps2-an386" address=0x21000000 ;;
        riscv32) triple=$1-none-none-eabi qemu=qemu-system-riscv32 arguments="-M virt -bios none -m 128" address=0x81000000 ;;
        aarch64)
            triple=$1-none-none-elf qemu=qemu-system-aarch64
            arguments="-M virt,secure=on -cpu cortex-a72 -m 512 -nic none" address=0x50000000
            images="SelfTest Vector"
            ;;
    esac
}

run_image() {  # arguments: image, objects, further options of qemu; prints what the image writes
    local image=$1 objects=$2
    shift 2
    # shellcheck disable=SC2086
    timeout 120 $qemu $arguments -nographic -no-reboot -monitor none -serial stdio -kernel "$image" \
        -device "loader,file=$objects,addr=$address,force-raw=on" "$@" </dev/null | tr -d '\r'
}

expect() {  # arguments: output, a line that the output must contain
    grep -qx "$2" <<<"$1" || { printf 'bare-metal.sh: expected "%s" of\n%s\n' "$2" "$1" >&2; exit 1; }
    passed=$((passed + 1))
}

run_objects() {  # argument: Full or Assertion; runs this image with genuine and with damaged objects
    local state verdict
    for state in damaged genuine; do
        python3 objects.py "${1,,}" "$state" "$work/objects" >"$work/origin"
        output=$(run_image "$built" "$work/objects")
        verdict=$([ "$state" = genuine ] && echo verified || echo refused)
        [ "$1" = Assertion ] || expect "$output" "attestation $verdict"
        expect "$output" "assertion $verdict\(, counter 1\)\?"
    done
}

run_self_test() {  # runs the image unchanged, and once with each damage
    local place part
    : >"$work/objects"
    while read -r place part; do
        python3 damage.py "$place" "$built" "$work/damaged"
        expect "$(run_image "$work/damaged" "$work/objects")" "self-test failed: $part"
    done < <(python3 damage.py --list)
    output=$(run_image "$built" "$work/objects")
    expect "$output" "self-test passed"
}

run_vectors() {  # runs all cases, shows that three wrong outputs are rejected, and counts instructions
    ./vectors.py pack "$work/objects"
    output=$(run_image "$built" "$work/objects")
    local judged
    judged=$(./vectors.py judge <<<"$output")
    passed=$((passed + 1))
    printf 'aarch64 verdicts as expected: %s\n' "$judged" >"$work/counts"
    local wrong
    for wrong in '$d' '1y/01/10/' 's/.*//'; do
        ! sed '/^peak/d' <<<"$output" | sed "$wrong" | ./vectors.py judge >/dev/null 2>&1 || {
            echo "bare-metal.sh: vectors.py accepted verdicts changed by $wrong" >&2
            exit 1
        }
        passed=$((passed + 1))
    done
    ./vectors.py operations "$work/objects"
    # With shift=4, an instruction takes 16 ns: the period of the timer that the image reads.
    run_image "$built" "$work/objects" -icount shift=4 | ./vectors.py counts >>"$work/counts"
    passed=$((passed + 1))
}

passed=0
summary=
for machine in armv7em riscv32 aarch64; do
    settings "$machine"
    touch Package.swift  # SwiftPM reads a changed toolset only when it plans the build again
    for image in $images; do
        built=.build/$triple/release/${image}Image
        rm -f "$built"  # SwiftPM does not notice a changed linker script
        swift build -c release --triple "$triple" --toolset "$machine-toolset.json" --product "${image}Image"
        text=$(python3 elf-size.py "$built")
        line="$machine $image: $text"
        if [ "$image" = Assertion ] && [ "${text%% *}" -gt 65536 ]; then
            echo "bare-metal.sh: $line; the limit is 65536" >&2
            exit 1
        fi
        if command -v "$qemu" >/dev/null; then
            case $image in
                Full | Assertion) run_objects "$image" ;;
                SelfTest) run_self_test ;;
                Vector) run_vectors ;;
            esac
            line="$line, $(grep 'peak stack' <<<"$output")"
        else
            line="$line, not run: no $qemu"
        fi
        echo "$line"
        summary="$summary$line; "
    done
done
figures() { sed 's/; /\n/g' <<<"${summary%; }" && cat "$work/counts"; }
[ ! -e "$work/counts" ] || cat "$work/counts"
[ -z "$record" ] || figures | ../../../Benchmarks/record.sh ../records/bare-metal.md \
    "Images without an operating system" "Sources/Bindings/BareMetal/bare-metal.sh --record"
if [ "$passed" = 0 ]; then
    echo "Built for bare metal: ${summary}nothing was run"
else
    # Three machines run the self-test on the intact image and on 5 damaged images. Two of them verify one attestation
    # and two assertions, each damaged and genuine. One machine runs the test vectors.
    checks=$((3 * (1 + 5) + 2 * 2 * 3 + 5))
    [ "${CI:-}" != true ] || [ "$passed" = $checks ] || { echo "bare-metal.sh: $passed checks, expected $checks" >&2 && exit 1; }
    echo "Built for bare metal: ${summary}assertion: $(cat "$work/origin"); $passed checks passed, 0 failed"
fi
