#!/usr/bin/env bash
# Fuzzes the parsers and verifications with libFuzzer and AddressSanitizer. See README.md.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)

usage() {
    cat <<'END'
usage: Tests/Checks/Fuzzing/run.sh [TARGET…] [--minutes N | --runs N] [--seed N] [--json]

Builds the fuzz targets, makes their seeds from Vectors and virtual devices, and runs each target: N minutes on a corpus that
is kept in .build/corpus, or N inputs on a new one, which repeats exactly (10,000 if neither is given). Without a TARGET, all.

An input that traps, breaks an invariant of its target, takes more than 1 s of processor time, or asks for more than 64 MiB beyond what the
target needs to start is a finding: it is kept in .build/findings, and the exit status is 1. Status 2: wrong usage or no Swift.

  --targets   list the targets
  --differential
              compare with Python's cryptography and cbor2 instead, on N inputs of each kind (2,000): differential.py
  --end-to-end
              compare whole verifications with a verifier in Python instead, on N objects of each kind (1,000): end_to_end.py
  --peers     with that: with swift-certificates and swift-crypto too, which Benchmarks/Peers downloads and builds
  --budget N  run all targets until all sessions together have run N inputs, or for --minutes: budget.py
  --jobs N    with that: targets at once (one a processor)
  --minutes N minutes a target
  --runs N    inputs a target, its seeds included
  --seed N    libFuzzer's seed (1)
  --json      one JSON object in place of the table
END
}

fail() {
    echo "run.sh: $1" >&2
    exit 2
}
number() { [[ ${2-} =~ ^[1-9][0-9]*$ ]] || fail "$1 must be a whole number from 1"; }

chosen=() minutes=0 runs= seed=1 json=false list=false differential=false end_to_end=false peers=false budget= jobs=
while [ $# -gt 0 ]; do
    case $1 in
    --help | -h) usage && exit 0 ;;
    --targets) list=true ;;
    --differential) differential=true ;;
    --end-to-end) end_to_end=true ;;
    --peers) peers=true ;;
    --budget) number "$@" && budget=$2 && shift ;;
    --jobs) number "$@" && jobs=$2 && shift ;;
    --minutes) number "$@" && minutes=$2 && shift ;;
    --runs) number "$@" && runs=$2 && shift ;;
    --seed) number "$@" && seed=$2 && shift ;;
    --json) json=true ;;
    -*) fail "unknown option $1; see --help" ;;
    *) chosen+=("$1") ;;
    esac
    shift
done
command -v swift >/dev/null || fail "Swift is not installed"
python=${PYTHON:-python3}
if { $differential || $end_to_end; } && ! "$python" -c 'import cbor2, cryptography' 2>/dev/null; then
    fail "--differential and --end-to-end need Python 3 with cryptography and cbor2"
fi

# SwiftPM's --sanitize links libFuzzer, which defines `main`. The compiler accepts both sanitizers only in a single flag. The build is optimised, like
# the builds of users, but keeps assertions.
build=(swift build --package-path "$here" -c release --sanitize fuzzer --sanitize address
    -Xswiftc -sanitize=fuzzer,address -Xswiftc -enable-testing -Xswiftc -assert-config -Xswiftc Debug)
log=$("${build[@]}" 2>&1) || { echo "$log" >&2 && fail "the targets do not build"; }
fuzz=$("${build[@]}" --show-bin-path)/fuzz

# Backtraces are off, so that a trap ends the process, as libFuzzer expects. Leak detection is off, because LeakSanitizer does not recognise a pointer
# whose spare bits encode the case of an enum. The quarantine is small, so that freed memory does not count towards the limit.
export SWIFT_BACKTRACE=enable=no SWIFT_DETERMINISTIC_HASHING=1 ASAN_OPTIONS=detect_leaks=0:quarantine_size_mb=1

listed=$("$fuzz" --targets) || fail "cannot list the targets"
mapfile -t targets <<<"$listed"
[ -n "${targets[0]}" ] || fail "found no targets"
if $list; then printf '%s\n' "${targets[@]}" && exit 0; fi
for name in ${chosen[@]+"${chosen[@]}"}; do
    [[ " ${targets[*]} " == *" $name "* ]] || fail "no target $name; see --targets"
done
[ ${#chosen[@]} -gt 0 ] && targets=("${chosen[@]}")

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
findings=$here/.build/findings
mkdir -p "$findings"
"$fuzz" --seeds "$here/../../../Vectors" "$work/seeds"
for name in "${targets[@]}"; do
    [ -n "$(ls "$work/seeds/$name" 2>/dev/null)" ] || fail "found no seeds for $name"
done

if $differential; then
    options=(--fuzz "$fuzz" --seeds "$work/seeds" --runs "${runs:-2000}" --seed "$seed")
    if $json; then options+=(--json); fi
    "$python" "$here/differential.py" "${options[@]}"
    exit
fi

if $end_to_end; then
    options=(--fuzz "$fuzz" --seeds "$work/seeds" --runs "${runs:-1000}" --seed "$seed")
    if $peers; then
        build=(swift build --package-path "$here/../../../Benchmarks/Peers" -c release --product peers)
        log=$("${build[@]}" 2>&1) || { echo "$log" >&2 && fail "Benchmarks/Peers does not build"; }
        options+=(--peers "$("${build[@]}" --show-bin-path)/peers")
    fi
    if $json; then options+=(--json); fi
    "$python" "$here/end_to_end.py" "${options[@]}"
    exit
fi

if [ -n "$budget" ]; then
    options=(--fuzz "$fuzz" --seeds "$work/seeds" --inputs "$budget")
    if [ "$minutes" -gt 0 ]; then options+=(--minutes "$minutes"); fi
    if [ -n "$jobs" ]; then options+=(--jobs "$jobs"); fi
    "${PYTHON:-python3}" "$here/budget.py" "${options[@]}"
    exit
fi

limits=(-timeout=60 -malloc_limit_mb=64 -seed="$seed" -print_final_stats=1 -dict="$here/tokens.dict")
statistic() { sed -n "s/^stat::$1: *//p" "$2"; }

# Each control is a target with a known defect. If the fuzzer does not find this defect, it would miss other defects too.
for control in trap hang memory; do
    "$fuzz" --target=control-$control "${limits[@]}" -runs=1000 -artifact_prefix="$work/" >"$work/log" 2>&1 || true
    grep -q 'Test unit written to' "$work/log" || {
        tail -n 5 "$work/log" >&2
        echo "the fuzzer did not find the defect of control-$control" >&2
        exit 1
    }
done

total=0 found=0 slowest=0 peak=0 rows=()
for name in "${targets[@]}"; do
    [ -t 2 ] && printf '\r\033[K%s' "$name" >&2
    corpus=$work/corpus length=(-runs="${runs:-10000}")
    if [ "$minutes" -gt 0 ]; then
        corpus=$here/.build/corpus/$name length=(-max_total_time=$((minutes * 60)))
    else
        rm -rf "$corpus"
    fi
    mkdir -p "$corpus"
    log=$work/log
    # Measures the target's memory after the target has run every seed once.
    "$fuzz" --target="$name" -print_final_stats=1 -runs=0 "$work/seeds/$name" "$corpus" >"$log" 2>&1 || true
    base=$(statistic peak_rss_mb "$log")
    limit=$((${base:-64} + 64))

    outcome=ok
    "$fuzz" --target="$name" "${limits[@]}" -rss_limit_mb=$limit -artifact_prefix="$findings/$name-" \
        "$here"/Regressions/* >"$log" 2>&1 || outcome=FINDING
    count=$(grep -c '^Executed ' "$log" || true)
    if [ $outcome = ok ]; then
        "$fuzz" --target="$name" "${limits[@]}" "${length[@]}" -rss_limit_mb=$limit -artifact_prefix="$findings/$name-" \
            "$corpus" "$work/seeds/$name" >"$log" 2>&1 || outcome=FINDING
        count=$((count + $(statistic number_of_executed_units "$log")))
    fi
    slow=$(statistic slowest_input_ms "$log")
    memory=$(statistic peak_rss_mb "$log")
    covered=$(sed -n 's/^#.* cov: \([0-9]*\) .*/\1/p' "$log" | tail -n 1)
    # A target that ran too few inputs has not passed.
    if [ $outcome = ok ] && [ "$count" -lt "${runs:-1}" ]; then
        outcome=FINDING
        echo "only $count inputs were run" >>"$log"
    fi
    if [ $outcome = FINDING ]; then
        found=$((found + 1))
        [ -t 2 ] && printf '\r\033[K' >&2
        grep -E 'Fatal error|ERROR' "$log" >&2 || tail -n 20 "$log" >&2
        input=$(sed -n 's/.*Test unit written to //p' "$log" | tail -n 1)
        echo "$name: finding; to repeat it: $fuzz --target=$name ${input:-}" >&2
    fi
    total=$((total + count))
    rows+=("$name $count ${covered:-0} ${slow:-0} $((${memory:-0} - ${base:-0})) ${memory:-0} $outcome")
    [ "${slow:-0}" -gt "$slowest" ] && slowest=$slow
    [ $((${memory:-0} - ${base:-0})) -gt "$peak" ] && peak=$((${memory:-0} - ${base:-0}))
done
[ -t 2 ] && printf '\r\033[K' >&2

if $json; then
    printf '{"inputs": %d, "findings": %d, "targets": [' "$total" "$found"
    separator=
    for row in "${rows[@]}"; do
        read -r name count covered slow growth memory outcome <<<"$row"
        printf '%s{"name": "%s", "inputs": %d, "edges": %d, "slowestMilliseconds": %d, "growthMiB": %d, "peakMiB": %d, "ok": %s}' \
            "$separator" "$name" "$count" "$covered" "$slow" "$growth" "$memory" "$([ "$outcome" = ok ] && echo true || echo false)"
        separator=', '
    done
    echo ']}'
else
    printf '%-20s %10s %8s %11s %11s %9s %9s\n' target inputs edges 'slowest ms' 'growth MiB' 'peak MiB' outcome
    for row in "${rows[@]}"; do
        read -r name count covered slow growth memory outcome <<<"$row"
        printf '%-20s %10d %8d %11d %11d %9d %9s\n' "$name" "$count" "$covered" "$slow" "$growth" "$memory" "$outcome"
    done
    if [ "$found" -eq 0 ]; then
        echo "$total inputs: none trapped, broke an invariant, took more than 1 s (at most $slowest ms) or grew the process by more than 64 MiB (at most $peak)"
    else
        echo "$total inputs, $found targets with a finding, in $findings"
    fi
fi
[ "$found" -eq 0 ]
