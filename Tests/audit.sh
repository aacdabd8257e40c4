#!/usr/bin/env bash
# Runs the checks that the article Auditing names, those included that are too long for each change (a day on two cores, with all mutants):
#   Tests/audit.sh                     all of them; goes on after a failure, and says at the end what passed and what did not
#   Tests/audit.sh --short             the long ones as samples
#   Tests/audit.sh --only NAME         those whose names contain NAME; may be given more than once
#   Tests/audit.sh --list              the names, and what each runs
# Sizes of the long ones, in place of what the two lines above choose:
#   --mutants N|all                    mutants of the rules, and of the proofs (all; 100 with --short)
#   --budget-minutes N                 fuzzing that adds to Tests/Fuzzing/budget.md (600; 0 leaves it out; 10 with --short)
#   --objects N                        objects of each kind that are compared with other implementations (20,000; 2,000 with --short; fewer leave reasons unmet)
#   --record                           write what passed, and how much it checked, to Tests/records/audit.md (not with --only)
#   --log DIR                          keep what each check prints (a new folder in /tmp)
# Set PUREATTEST_EXTRA_VECTORS to the folder of the suites that the package may not hold (Vectors/README.md), or they do not run.
# Exit status: 0 if all passed, 1 if not, 2 if it could not be run. Needs what .ci/run needs: swift, Python 3.11, valgrind, Node.
set -euo pipefail
cd "$(dirname "$0")/.."

fail() {
    echo "audit.sh: $1" >&2
    exit 2
}
number() { [[ ${2-} =~ ^[0-9]+$ ]] || fail "$1 takes a whole number"; }

mutants=all minutes=600 objects=20000 log='' list=0 record=0 only=()
arguments=$*
while [ $# -gt 0 ]; do
    case $1 in
    --short) mutants=100 minutes=10 objects=2000 ;;
    --mutants) { [ "${2-}" = all ] || number "$@"; } && mutants=$2 && shift ;;
    --budget-minutes) number "$@" && minutes=$2 && shift ;;
    --objects) number "$@" && objects=$2 && shift ;;
    --only) [ -n "${2-}" ] || fail "--only takes a part of a name"; only+=("$2") && shift ;;
    --log) [ -n "${2-}" ] || fail "--log takes a folder"; log=$2 && shift ;;
    --list) list=1 ;;
    --record) record=1 ;;
    --help | -h)
        sed -n '2,/^set /{/^set /d; s/^# \{0,1\}//p}' "$0"
        exit 0
        ;;
    *) fail "unknown option $1; --help lists them" ;;
    esac
    shift
done
[ $record = 0 ] || [ ${#only[@]} = 0 ] || fail "--record is for all checks, not for --only"
for tool in swift python3 valgrind; do
    command -v "$tool" >/dev/null || fail "there is no $tool"
done
if [ "$list" = 0 ]; then
    log=${log:-$(mktemp -d /tmp/audit.XXXXXX)}
    mkdir -p "$log"
    [ -n "${PUREATTEST_EXTRA_VECTORS:-}" ] || echo "PUREATTEST_EXTRA_VECTORS is not set: the suites that need it do not run"
    echo "What each check prints is kept in $log"
fi

passed=() failed=() left_out=0
check() { # name, command …
    local name=$1 part chosen=0 start=$SECONDS status=passed
    shift
    for part in ${only[@]+"${only[@]}"}; do [[ ${name,,} == *"${part,,}"* ]] && chosen=1; done
    if [ ${#only[@]} -gt 0 ] && [ $chosen = 0 ]; then
        left_out=$((left_out + 1))
        return
    fi
    if [ "$list" = 1 ]; then
        printf '%-50s %s\n' "$name" "$*"
        return
    fi
    echo "=== $(date -u +%H:%M) $name: $*"
    "$@" >"$log/${name//[ \/]/-}" 2>&1 || status=failed
    # The last line says how much was checked; some checks say nothing when they pass.
    local row
    row="$name ($((SECONDS - start)) s): $(tail -n 1 "$log/${name//[ \/]/-}" | cut -c1-160)"
    echo "    $status, $((SECONDS - start)) s"
    if [ $status = passed ]; then passed+=("$row"); else failed+=("$row"); fi
}

check "Format" swift format lint --strict --recursive .
check "Checksums of the vectors" env -C Vectors sha256sum --check --quiet SHA256SUMS
check "The package has no dependency" Tests/Reproducible/sbom.py --expect-none
check "Rules, functions and tests" Tests/Traceability/run.sh
check "Tests" swift test
check "Untrusted text is read byte by byte" Tests/UntrustedText/check.py
check "Tests, optimised" swift test -c release --traits HardwareSHA -Xswiftc -enable-testing --scratch-path .build-release-tests
check "SHA-2 with and without SHA extensions" Tests/HardwareSHA/run.sh
check "Generated tables" swift run generate-tables --check
check "Self-test" swift run -c release pure-attest self-test
check "Instruction counts" Benchmarks/Instructions/count.sh
check "Constant time" Tests/ConstantTime/run.sh
check "Parsing is linear" Tests/Complexity/count.py
check "Coverage" Tests/Coverage/run.sh
check "Proofs and their mutants" Tests/Proofs/prove all --mutants "$mutants"
if [ "$mutants" = all ]; then
    check "Mutants of the rules" Tests/Mutation/run.sh --all
else
    check "Mutants of the rules" Tests/Mutation/run.sh --sample "$mutants"
fi
check "Fuzzing" Tests/Fuzzing/run.sh
# No more than that of all sessions together: another audit adds to it.
[ "$minutes" = 0 ] || check "Fuzzing, the long run" Tests/Fuzzing/run.sh --budget 1000000000000 --minutes "$minutes"
check "Parsers against other implementations" Tests/Fuzzing/run.sh --differential --runs "$objects"
check "Verifications against other implementations" Tests/Fuzzing/run.sh --end-to-end --peers --runs "$objects"
check "Reproducible build" Tests/Reproducible/run.sh --all

[ "$list" = 0 ] || exit 0
echo "=== $(date -u +%H:%M) $(git rev-parse --short=12 HEAD), $(swift --version 2>/dev/null | head -n 1), $SECONDS s"
if [ $record = 1 ]; then
    {
        echo "$SECONDS s; ${#passed[@]} passed, ${#failed[@]} failed"
        [ "${#passed[@]}" = 0 ] || printf 'passed: %s\n' "${passed[@]}"
        [ "${#failed[@]}" = 0 ] || printf 'FAILED: %s\n' "${failed[@]}"
    } | Benchmarks/record.sh Tests/records/audit.md "The audit" "Tests/audit.sh $arguments"
fi
[ -n "${PUREATTEST_EXTRA_VECTORS:-}" ] || echo "=== not run: the suites that PUREATTEST_EXTRA_VECTORS names"
[ "$left_out" = 0 ] || echo "=== not run: $left_out that --only left out"
echo "=== passed: ${#passed[@]}"
[ "${#passed[@]}" = 0 ] || printf '    %s\n' "${passed[@]}"
if [ "${#failed[@]}" -gt 0 ]; then
    echo "=== failed: ${#failed[@]}; see $log"
    printf '    %s\n' "${failed[@]}"
    exit 1
fi
[ "${#passed[@]}" -gt 0 ] || fail "--only left out everything"
